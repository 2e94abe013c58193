"""The check of an installed task, in words and in source, out of its file."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from leaderboard.models import Task

# Names of a task's file that say nothing of its check, or that the page shows elsewhere.
NOT_OF_THE_CHECK = {
    "BROWSER", "CATEGORY", "DEGENERATE", "GUESSABLE", "INDEX", "INPUTS", "LANGUAGE", "NEEDS",
    "NOTE", "OUTPUTS", "QUERY", "REFERENCE", "STRENGTH", "TITLE", "WRONG", "make_inputs",
}  # fmt: skip
MAX_FILES = 512  # remembered


@dataclass(frozen=True)
class CheckSource:
    """The sentence on a check, and its code."""

    summary: str
    code: str

    def line_of(self, assertion: str) -> str:
        """The first line that has the assertion's name as a text; "" if there is none."""
        named = (f'"{assertion}"', f"'{assertion}'")
        lines = (line.strip() for line in self.code.splitlines())
        return next((line for line in lines if any(name in line for name in named)), "")


NO_SOURCE = CheckSource("", "")


def read_check(task: Task) -> CheckSource:
    """The check of `task`; nothing where its file is not here, or no longer what was installed."""
    source = read_source(task)
    return describe(source) if source else NO_SOURCE


def read_source(task: Task) -> str:
    """The text of the task's file; "" where it is not here, or no longer what was installed."""
    name = task.key.replace("-", "_") + ".py"
    path = Path(settings.SUITES) / task.suite.name / "tasks" / name
    try:
        state = path.stat()
    except OSError:
        return ""
    return read_file(path, state.st_mtime_ns, task.digest)


@lru_cache(maxsize=MAX_FILES)
def read_file(path: Path, mtime_ns: int, digest: str) -> str:
    content = path.read_bytes()
    return content.decode("utf-8") if hashlib.sha256(content).hexdigest() == digest else ""


@lru_cache(maxsize=MAX_FILES)
def describe(source: str) -> CheckSource:
    tree = ast.parse(source)
    summary = (ast.get_docstring(tree) or "").partition("\n\n")[0].replace("\n", " ")
    kept = [node for node in tree.body if not NOT_OF_THE_CHECK & names_of(node)]
    first = 1 if ast.get_docstring(tree) is not None else 0
    lines = source.splitlines()
    return CheckSource(summary, join(kept[first:], lines))


def join(nodes: list[ast.stmt], lines: list[str]) -> str:
    """Their text: imports and constants in a block, space around functions."""
    code = ""
    was_plain = True
    for node in nodes:
        is_plain = not isinstance(node, ast.FunctionDef | ast.ClassDef)
        code += "" if not code else "\n" if is_plain and was_plain else "\n\n\n"
        code += text_of(node, lines)
        was_plain = is_plain
    return code


def names_of(node: ast.stmt) -> set[str]:
    """Names that a statement of a module defines."""
    if isinstance(node, ast.FunctionDef):
        return {node.name}
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    return set()


def text_of(node: ast.stmt, lines: list[str]) -> str:
    return "\n".join(lines[first_line_of(node) - 1 : node.end_lineno])


def first_line_of(node: ast.stmt) -> int:
    """The line of its first decorator, if it has one."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])
