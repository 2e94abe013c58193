"""Sending recorded trajectories to a site."""
