"""Verdicts of a language model on recorded attempts, beside those of the checks."""
