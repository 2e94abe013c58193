"""Trajectories that people bring in: bounded, read in a process of their own, kept privately."""
