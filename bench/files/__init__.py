"""Costs of reading files that people bring in."""
