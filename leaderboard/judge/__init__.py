"""Verdicts of language models as judges: asking for them, and the trial of the judges."""
