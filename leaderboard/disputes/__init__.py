"""Doubts about verdicts: who may raise one, what is kept of it, and how it is ruled on."""
