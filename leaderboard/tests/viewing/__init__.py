"""Tests of the viewer of results."""
