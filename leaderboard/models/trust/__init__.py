"""Rows of doubt and correction: disputes, rulings, errata, and what auditors may read."""
