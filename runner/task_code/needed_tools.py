"""The host's tools that a task's check needs, read from its code and the library's that it uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from runner.contract import HOST_LACKS, Fault, Problem
from runner.sandbox.host.kernel_env import find_kernel_environment
from runner.sandbox.host_tools import TOOLS, HostTool
from runner.suite.library_pack import check_library, name_of
from runner.suite.reader import SuiteTask


def find_lack(task: SuiteTask) -> Problem | None:
    """The first tool that the task's check needs and this host does not have.

    Where it has them, sandboxes do: theirs are copied anew if the host's have changed. Raises
    SandboxUnavailable when this user may not do that.
    """
    tools = tools_of(task.path)
    missing = (tool for tool in tools if tool.find() is None)
    lack = next((describe(tool) for tool in missing), None)
    if tools and lack is None:
        find_kernel_environment()
    return lack


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
    """The tools that the code in this file names, or code of the check library that it uses."""
    library = {name_of(module): module for module in check_library()}
    used = {name for _, names in parts_of(path) for name in names}
    known = 0
    while len(used) > known:
        known = len(used)
        for module in used & library.keys():
            parts = parts_of(library[module])
            used |= {name for part, names in parts if not part or part in used for name in names}
    return tuple(tool for tool in TOOLS if tool.names & used)


@lru_cache(maxsize=1024)
def parts_of(path: Path) -> tuple[tuple[str, frozenset[str]], ...]:
    """Each function of a file with the names in it; "" for the rest of the file."""
    body = ast.parse(path.read_text("utf-8")).body
    return tuple(
        (node.name if isinstance(node, ast.FunctionDef) else "", frozenset(walk_names(node)))
        for node in body
    )


def walk_names(tree: ast.AST) -> Iterator[str]:
    """Modules that are imported, what code calls things, and strings, among which are commands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            for alias in node.names:
                yield from (alias.name, f"{node.module}.{alias.name}")
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
