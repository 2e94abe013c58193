"""Reading what a task is proved with beside its file: `proofs/NAME.py` for `tasks/NAME.py`.

It holds literals alone, and is never executed. Nothing in it decides a verdict, so it is no part
of the task's digest.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runner.suite.task_file import Solution, SuiteTask, assigned, malformed

SORTS = {"STYLES": "style", "NEAR_MISSES": "near miss"}
CONSTANTS = (*SORTS, "LEFT_OUT")
SHIPPED = "proof.json"  # of a suite's folder: its proof, written by `prove_suite --ship`
DOCUMENT = "docs/writing-a-task.md shows each."


@dataclass(frozen=True)
class ProofRows:
    """Solutions beyond the task file's own, and what of the generic ones does not fit the task."""

    solutions: Mapping[str, tuple[Solution, ...]] = field(default_factory=dict)  # by sort
    left_out: Mapping[str, str] = field(default_factory=dict)  # {variant: why it says nothing here}


def proof_path(task: SuiteTask) -> Path:
    return task.path.parent.parent / "proofs" / task.path.name


def read_proof_rows(task: SuiteTask) -> ProofRows:
    """The rows of `task`; none where it has no such file. ProblemError when it is malformed."""
    path = proof_path(task)
    if not path.is_file():
        return ProofRows()
    constants = read_constants(path)
    solutions = {
        sort: tuple(
            derived(path, task.reference, str(name), value)
            for name, value in mapping(path, constant, constants.get(constant, {})).items()
        )
        for constant, sort in SORTS.items()
    }
    return ProofRows(solutions, read_reasons(path, "LEFT_OUT", constants.get("LEFT_OUT", {})))


def read_constants(path: Path) -> dict[str, Any]:
    try:
        tree = ast.parse(path.read_text("utf-8"), filename=path.name)
    except (SyntaxError, UnicodeDecodeError, ValueError) as error:
        raise malformed(path, f"not valid Python: {error}.", "Mend that line.") from error
    constants: dict[str, Any] = {}
    for node in tree.body:
        for name, value in assigned(node):
            if name not in CONSTANTS:
                raise malformed(path, f"line {node.lineno}: nothing reads `{name}`.", DOCUMENT)
            try:
                constants[name] = ast.literal_eval(value)
            except (ValueError, TypeError) as error:
                raise malformed(
                    path,
                    f"line {node.lineno}: `{name}` is not a plain literal.",
                    "Write it without calls, names or f-strings.",
                ) from error
    return constants


def mapping(path: Path, constant: str, value: object) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise malformed(path, f"`{constant}` must be a dict.", DOCUMENT)
    return value


def read_reasons(path: Path, constant: str, value: object) -> dict[str, str]:
    reasons = mapping(path, constant, value)
    if not all(
        isinstance(name, str) and isinstance(why, str) and why for name, why in reasons.items()
    ):
        raise malformed(path, f"`{constant}` must give a reason for each name.", DOCUMENT)
    return reasons


def derived(path: Path, reference: Solution, name: str, value: object) -> Solution:
    """A solution as written: cells and answer of its own, or the reference's, with `edits` of them.

    An edit's text must occur in the reference's cells or answer: else it would change nothing.
    """
    known = {"why", "cells", "answer", "edits"}
    if not isinstance(value, dict) or not set(value) <= known or not value.get("why"):
        raise malformed(
            path, f"solution “{name}” needs `why`, and cells, answer or edits.", DOCUMENT
        )
    cells, answer = value.get("cells", list(reference.cells)), value.get("answer", reference.answer)
    edits = mapping(path, f"edits of {name}", value.get("edits", {}))
    texts = [*cells, answer] if isinstance(cells, list) else [cells]
    if not all(isinstance(text, str) for text in (*texts, *edits, *edits.values())):
        raise malformed(path, f"solution “{name}” must be made of strings.", DOCUMENT)
    for old, new in edits.items():
        if not any(old in text for text in texts):
            raise malformed(
                path,
                f"solution “{name}” edits {old!r}, which is not there.",
                "Quote the reference.",
            )
        texts = [text.replace(old, new) for text in texts]
    *code, said = texts
    return Solution(name, tuple(cell.strip("\n") for cell in code), said.strip(), str(value["why"]))
