"""Reading trajectories that were made elsewhere, one module per format."""
