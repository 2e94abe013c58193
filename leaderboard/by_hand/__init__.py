"""Tasks that signed-in people play by hand, a cell at a time."""
