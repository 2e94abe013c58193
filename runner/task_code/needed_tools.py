"""The host's tools that a task's check needs, read from its code and the library's that it uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from runner.contract import HOST_LACKS, Fault, Problem
from runner.sandbox.host_tools import TOOLS, HostTool
from runner.suite.library_pack import check_library, name_of
from runner.suite.reader import SuiteTask


def find_lack(task: SuiteTask) -> Problem | None:
    """The first tool that the task's check needs and this host does not have."""
    missing = (tool for tool in tools_of(task.path) if tool.find() is None)
    return next((describe(tool) for tool in missing), None)


def describe(tool: HostTool) -> Problem:
    return Problem(
        Fault.US,
        f"{HOST_LACKS}{tool.key}",
        f"The machine that plays attempts lacks {tool.title}, which the check needs.",
        f"Its operator can run `apt-get install {tool.package}`; what waits is then played by "
        "itself.",
    )


@lru_cache(maxsize=2048)
def tools_of(path: Path) -> tuple[HostTool, ...]:
    """The tools that the code in this file names, or a module of the check library behind it."""
    library = {name_of(module): module for module in check_library()}
    names, unread = set[str](), {path}
    read = set[Path]()
    while unread:
        module = unread.pop()
        read.add(module)
        names |= names_in(module)
        unread |= {library[name] for name in names & library.keys()} - read
    return tuple(tool for tool in TOOLS if tool.names & names)


@lru_cache(maxsize=1024)
def names_in(path: Path) -> frozenset[str]:
    """The modules that a file imports, and its strings, among which are commands."""
    return frozenset(walk_names(ast.parse(path.read_text("utf-8"))))


def walk_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
