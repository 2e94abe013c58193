"""Reading a task's file: constants as literals, so that no task file is ever executed here."""

from __future__ import annotations

import ast
import difflib
import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.contract import Fault, Problem, ProblemError, TaskSpec
from runner.suite.material import Material, MaterialFile, MaterialTask

REQUIRED = ("TITLE", "CATEGORY", "QUERY", "INPUTS", "OUTPUTS", "REFERENCE", "WRONG")
REQUIRED_ON_MATERIAL = ("INDEX", "TITLE", "CATEGORY", "OUTPUTS", "REFERENCE", "WRONG")
OPTIONAL: dict[str, Any] = {
    "LANGUAGE": "en",
    "STRENGTH": "content",
    "NOTE": "",
    "DEGENERATE": "",  # why a copy of the input passes rightly
    "GUESSABLE": "",  # why an answer without work may pass, such as one of two words
    "BROWSER": False,  # whether the check opens pages in one
    "NEEDS": "",  # what the sandbox cannot give: the task is listed, and not played
}
FUNCTIONS = ("make_inputs", "check")
NOTES = ("DEGENERATE", "GUESSABLE", "NEEDS")
KNOWN = {*REQUIRED, *REQUIRED_ON_MATERIAL, *OPTIONAL}
STRENGTHS = ("content", "partial", "existence")
SAFE_NAME = re.compile(r"[\w\-. ()]{1,120}")


@dataclass(frozen=True)
class Category:
    """A category of tasks."""

    key: str
    title: str


@dataclass(frozen=True)
class Solution:
    """A reference agent: its cells in order, then its final answer."""

    name: str  # "reference", or the wrong solution's name
    cells: tuple[str, ...]
    answer: str
    why: str = ""  # of a wrong one: what it gets wrong


@dataclass(frozen=True)
class SuiteTask:
    """A task with what only its maintainers see."""

    spec: TaskSpec
    position: int  # from 1, by file name
    note: str
    path: Path
    digest: str  # SHA-256 of the file
    reference: Solution
    wrong: tuple[Solution, ...]
    degenerate: str = ""  # why a copy of the input passes rightly, "" where it must not
    guessable: str = ""  # why an answer without work may pass, "" where none does
    material: MaterialTask | None = None  # None: make_inputs makes the inputs
    unavailable: str = ""  # why it cannot be played here, "" when it can
    makes_inputs: bool = True
    has_browser: bool = False  # the check opens pages in one

    @property
    def has_stand_in(self) -> bool:
        """True if a proof of an unavailable task can run on inputs of its maintainers' making."""
        return bool(self.unavailable) and self.makes_inputs


def problem(code: str, what: str, next_step: str, fault: Fault = Fault.SUBMITTER) -> ProblemError:
    return ProblemError(Problem(fault, code, what, next_step))


def malformed(path: Path, what: str, next_step: str) -> ProblemError:
    return problem("malformed_suite", f"{path.parent.name}/{path.name}: {what}", next_step)


def read_task(
    path: Path,
    position: int,
    suite: str,
    version: str,
    categories: tuple[Category, ...],
    material: Material | None = None,
) -> SuiteTask:
    """The task in the file `path`, read without running it; with `material`, completed by it."""
    constants, functions = read_module(path)
    for name in REQUIRED_ON_MATERIAL if material else REQUIRED:
        if name not in constants:
            raise malformed(path, f"`{name}` is missing.", "docs/writing-a-task.md shows each.")
    for name in FUNCTIONS:
        if name not in functions and not (material and name == "make_inputs"):
            raise malformed(path, f"the function `{name}` is missing.", "Every task has it.")
    borrowed = borrow(path, constants, material) if material else None
    values = {**OPTIONAL, **constants}
    for name in ("TITLE", "CATEGORY", "QUERY", "LANGUAGE", "STRENGTH", "NOTE", *NOTES):
        if not isinstance(values[name], str):
            raise malformed(path, f"`{name}` must be a string.", "Mend it.")
    if values["CATEGORY"] not in {c.key for c in categories}:
        known = ", ".join(c.key for c in categories)
        raise malformed(path, f"unknown category “{values['CATEGORY']}”.", f"Known: {known}.")
    if values["STRENGTH"] not in STRENGTHS:
        raise malformed(path, "unknown STRENGTH.", f"Known: {', '.join(STRENGTHS)}.")
    inputs = file_names(path, "INPUTS", values["INPUTS"])
    outputs = file_names(path, "OUTPUTS", values["OUTPUTS"])
    wrong = values["WRONG"]
    if not isinstance(wrong, dict) or len(wrong) < 2:
        raise malformed(path, "`WRONG` needs two solutions or more.", "Add plausible ones.")
    return SuiteTask(
        spec=TaskSpec(
            suite=suite,
            suite_version=version,
            key=path.stem.replace("_", "-"),
            title=values["TITLE"],
            category=values["CATEGORY"],
            query=values["QUERY"].strip(),
            inputs=inputs,
            outputs=outputs,
            language=values["LANGUAGE"],
            strength=values["STRENGTH"],
            file_types=tuple(sorted({Path(n).suffix.lstrip(".") for n in inputs + outputs})),
        ),
        position=position,
        note=values["NOTE"],
        degenerate=values["DEGENERATE"],
        guessable=values["GUESSABLE"],
        material=borrowed,
        unavailable=unavailable(values["NEEDS"], borrowed) if borrowed else "",
        makes_inputs="make_inputs" in functions,
        has_browser=values["BROWSER"] is True,
        path=path,
        digest=hashlib.sha256(path.read_bytes()).hexdigest(),
        reference=read_solution(path, "reference", values["REFERENCE"]),
        wrong=tuple(read_solution(path, str(name), value) for name, value in wrong.items()),
    )


def borrow(path: Path, constants: dict[str, Any], material: Material) -> MaterialTask:
    """The imported part of the task, with its query and inputs put among `constants`."""
    index = str(constants["INDEX"])
    borrowed = material.tasks.get(index)
    if borrowed is None:
        borrowed = MaterialTask(index, "", (MaterialFile("the task itself"),))
    constants["QUERY"] = borrowed.query
    constants["INPUTS"] = [file.name for file in borrowed.inputs]
    return borrowed


def unavailable(needs: str, borrowed: MaterialTask) -> str:
    """Why the task cannot be played, as a sentence; "" when it can."""
    if borrowed.missing:
        names = ", ".join(borrowed.missing)
        return f"The imported checkout does not have {names}."
    return needs


def read_module(path: Path) -> tuple[dict[str, Any], set[str]]:
    """Top-level constants in capitals, by literal, and the names of top-level functions."""
    try:
        tree = ast.parse(path.read_text("utf-8"), filename=path.name)
    except (SyntaxError, UnicodeDecodeError, ValueError) as error:
        raise malformed(path, f"not valid Python: {error}.", "Mend that line.") from error
    constants: dict[str, Any] = {}
    functions: set[str] = set()
    others: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            functions.add(node.name)
        for name, value in assigned(node):
            if name not in KNOWN:
                others[name] = node.lineno
                continue
            try:
                constants[name] = ast.literal_eval(value)
            except (ValueError, TypeError) as error:  # TypeError: a key such as [1]
                raise malformed(
                    path,
                    f"line {node.lineno}: `{name}` is not a plain literal.",
                    "Write it without calls, names or f-strings.",
                ) from error
    refuse_misspelt(path, others, KNOWN - set(constants))
    return constants, functions


def assigned(node: ast.stmt) -> list[tuple[str, ast.expr]]:
    """The names that a statement gives values, where each gets one of its own."""
    if isinstance(node, ast.AnnAssign) and node.value and isinstance(node.target, ast.Name):
        return [(node.target.id, node.value)]
    if isinstance(node, ast.Assign):
        return [(t.id, node.value) for t in node.targets if isinstance(t, ast.Name)]
    return []


def refuse_misspelt(path: Path, others: Mapping[str, int], absent: Collection[str]) -> None:
    """A constant that nobody reads, but much like one that is not there, is a slip."""
    for name, line in others.items():
        meant = difflib.get_close_matches(name, sorted(absent), 1, cutoff=0.8)
        if name.isupper() and meant:
            raise malformed(
                path,
                f"line {line}: nothing reads `{name}`.",
                f"If `{meant[0]}` is meant, call it so; else choose a name less like it.",
            )


def file_names(path: Path, constant: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(
        isinstance(n, str) and SAFE_NAME.fullmatch(n) and not n.startswith(".") for n in value
    ):
        raise malformed(path, f"`{constant}` must be a list of plain file names.", "Mend it.")
    return tuple(value)


def read_solution(path: Path, name: str, value: object) -> Solution:
    if (
        not isinstance(value, dict)
        or not isinstance(value.get("cells"), list)
        or not all(isinstance(cell, str) for cell in value["cells"])
        or not isinstance(value.get("answer"), str)
    ):
        raise malformed(path, f"solution “{name}” needs `cells` and `answer`.", "Add them.")
    cells = tuple(cell.strip("\n") for cell in value["cells"])
    return Solution(name, cells, value["answer"].strip(), str(value.get("why", "")))
