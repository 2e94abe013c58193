"""Rows of doubt and correction: disputes, rulings, and errata."""
