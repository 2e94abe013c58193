"""A suite of one task for readers of suites, which nobody plays."""

from __future__ import annotations

from pathlib import Path

SUITE = """
name = "tiny"
version = "1"
title = "Tiny"
seed = 7
[limits]
max_turns = 3
cell_timeout_s = 5
[[categories]]
key = "maths"
title = "Maths"
"""


TASK = '''
"""Add two numbers."""

import library_that_is_not_there

TITLE = "Sum"
CATEGORY = "maths"
QUERY = "Add «a» and «b»."
INPUTS = []
OUTPUTS = ["sum.txt"]
REFERENCE = {"cells": ["print('total:', «a» + «b»)"], "answer": "The sum is «total»."}
WRONG = {
    "minus": {"why": "subtracts", "cells": ["1"], "answer": "x"},
    "times": {"why": "multiplies", "cells": ["1"], "answer": "x"},
}

raise SystemExit("a task file must never be executed by the application")

def make_inputs(seed, data):
    return {"a": 1, "b": 2}

def check(case):
    pass
'''


def write_suite(root: Path, suite: str = SUITE, task: str = TASK) -> Path:
    (root / "tiny" / "tasks").mkdir(parents=True)
    (root / "tiny" / "suite.toml").write_text(suite)
    (root / "tiny" / "tasks" / "add_two.py").write_text(task)
    (root / "environment").mkdir()
    (root / "environment" / "requirements.txt").write_text("numpy==1\n")
    return root
