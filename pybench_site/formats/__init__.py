"""Dates and times of pages that have no format of their own, by language."""
