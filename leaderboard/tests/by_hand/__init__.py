"""Tests of tasks that people play by hand."""
