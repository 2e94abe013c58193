"""Tests of trajectories that people bring in."""
