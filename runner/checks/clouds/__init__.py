"""Word clouds: their words, sizes and outlines."""
