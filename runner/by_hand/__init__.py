"""Attempts in which a person types what a model would have replied."""
