"""Recorded steps played again in a sandbox, without a model."""
