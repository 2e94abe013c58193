"""Plays attempts: ask the model, run its code in a sandboxed kernel, check the result."""
