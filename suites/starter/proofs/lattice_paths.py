# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "congruence-in-chinese": {
        "why": "a congruence in Chinese, digits in groups",
        "edits": {"print('paths:', total % M)": "print('paths:', f'{total % M:,}')"},
        "answer": "路径数 ≡ «paths» (mod 10^9+7)。",
    },
    "recursion": {
        "why": "recursion backwards from the end, in a sentence with mod",
        "cells": [
            """
from functools import lru_cache
import sys
sys.setrecursionlimit(100000)
bad = set(map(tuple, [«blocked»]))
@lru_cache(None)
def f(x, y):
    if x < 0 or y < 0 or (x, y) in bad:
        return 0
    if (x, y) == (0, 0):
        return 1
    return (f(x - 1, y) + f(x, y - 1) + f(x - 1, y - 1)) % «modulus»
print('paths:', f(«width», «height»))
"""
        ],
        "answer": "The number of different paths is ≡ **«paths»** (mod «modulus»).",
    },
    "thousands": {
        "why": "with thousands separators, the modulus as well",
        "edits": {
            "print('paths:', total % M)": "print(f'paths: {total % M:,}')\nprint(f'mod: {M:,}')"
        },
        "answer": "There are «paths» paths modulo «mod».",
    },
    "congruence": {
        "why": "with the full number before the remainder",
        "edits": {
            "print('paths:', total % M)": "print('paths:', total % M)\nprint('full:', total)"
        },
        "answer": "There are exactly «full» paths, so the number of paths modulo «modulus» is «full» mod «modulus» = «paths».",
    },
    "latex": {"why": "in LaTeX", "answer": "$$N \\equiv «paths» \\pmod{«modulus»}$$"},
    "the-answer-is": {"why": "as shortly as can be", "answer": "«paths»"},
    "labelled": {
        "why": "as a labelled value in bold",
        "answer": "**Answer:** number of paths mod «modulus» = **«paths»**",
    },
    "full-and-remainder": {
        "why": "the full number and its remainder in two sentences",
        "edits": {
            "print('paths:', total % M)": "print('paths:', total % M)\nprint('full:', total)"
        },
        "answer": "In full there are «full» such paths.\n\nModulo «modulus» that is **«paths»**.",
    },
}
NEAR_MISSES = {
    "sides-exchanged": {
        "why": "x and y of the blocked points exchanged",
        "edits": {"if (x, y) in blocked": "if (y, x) in blocked"},
    },
    "one-blocked-forgotten": {
        "why": "forgets one of the blocked points",
        "edits": {"total = count(W, H, blocked)": "total = count(W, H, set(sorted(blocked)[1:]))"},
    },
    "full-number": {
        "why": "the number itself, not the remainder",
        "edits": {"print('paths:', total % M)": "print('paths:', total)"},
        "answer": "The number of paths is «paths».",
    },
    "remainder-one-off": {
        "why": "counts the path that stands still as well",
        "edits": {"total % M)": "(total + 1) % M)"},
    },
    "corrected-away": {
        "why": "gives the right number and then another",
        "edits": {
            "print('paths:', total % M)": "print('paths:', total % M)\nprint('other:', count(W, H, set()) % M)"
        },
        "answer": "The number of paths modulo «modulus» is «paths». Correction: it is «other».",
    },
    "floats": {
        "why": "counts in floating point numbers",
        "edits": {
            "ways = [[0] * (H + 1)": "ways = [[0.0] * (H + 1)",
            "ways[0][0] = 1": "ways[0][0] = 1.0",
            "total % M)": "int(total) % M)",
        },
    },
    "other-modulus": {"why": "another modulus", "edits": {"total % M)": "total % (M + 2))"}},
    "corner-blocked": {
        "why": "adds paths through one blocked point",
        "edits": {
            "            if (x, y) in blocked:": "            if (x, y) in set(sorted(blocked)[:-1]):"
        },
    },
    "negative": {"why": "the remainder's complement", "edits": {"total % M)": "-total % M)"}},
    "rounded": {
        "why": "in scientific notation with three digits",
        "edits": {"print('paths:', total % M)": "print(f'paths: {total % M:.2e}')"},
    },
}
