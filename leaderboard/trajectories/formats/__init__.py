"""Writing stored trajectories in formats that others read, one module per format."""
