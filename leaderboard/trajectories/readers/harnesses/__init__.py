"""Files that other harnesses and APIs write, one module per format."""
