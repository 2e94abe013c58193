"""Verification of a run's evidence on another machine: digests, signature, verdicts, figures."""
