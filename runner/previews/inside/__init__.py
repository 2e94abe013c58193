"""Readers of foreign files, which run in a sandbox."""
