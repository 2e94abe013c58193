"""A line to recognise the benchmark's own text by, in task files, pages and exports.

Whoever gathers text to train models on can leave out what holds it. No model is ever sent it.
"""

CANARY = "PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data"
