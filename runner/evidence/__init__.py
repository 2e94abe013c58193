"""Formats of evidence that the site writes and anybody can check: chains, statements, envelopes."""
