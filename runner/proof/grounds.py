"""Digest of all that the proof of a task rests on: unchanged, the proof would say the same.

It covers the task's own files, the settings of its suite, the environment's locks, the modules of
the check library that its check imports, and the code that plays and varies the solutions; and
what notes charts as they are drawn where a solution may draw one or its check reads the note.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict
from functools import lru_cache

from runner.sandbox.host.kernel_env import recipe_files
from runner.suite.library_pack import HERE, check_library, name_of
from runner.suite.proof_file import proof_path
from runner.suite.reader import Suite, digest_of, material_line
from runner.suite.task_file import SuiteTask
from runner.task_code.harness_client import OPENS_MODELS

LIBRARY = "runner.checks"
HARNESS = ("runner.checks.harness.main", "runner.checks.harness.importer")
MODELS = "runner.checks.model_files.models"
DECIDING = (  # beside the library: what is played, how it is varied, and what counts
    *(HERE / "proof" / f"{name}.py" for name in ("answers", "plays", "prover", "variants")),
    *sorted((HERE / "proof" / "inside").glob("*.py")),
    HERE / "scripted" / "floor_agents.py",
    *(HERE / "suite" / f"{name}.py" for name in ("placeholders", "proof_file", "task_file")),
    *(HERE / "task_code" / f"{name}.py" for name in ("harness_client", "inputs", "verdict")),
)
NOT_PLAYED = "reply_timeout_s"  # a limit of models, and no model is asked
DRAWING = ("pybench_drawn.py", "pybench_figures.py")
NOTE = "runner.checks.charts.figure_note"
DRAWS = re.compile(r"matplotlib|seaborn|wordcloud|\.plot\b")
ASKING = HERE / "task_code" / "published_tests.py"  # decides what is said of material alone


def grounds_of(
    suite: Suite,
    task: SuiteTask,
    published: str = "",
    recorded: Mapping[str, str] | None = None,
    library: Mapping[str, str] | None = None,
) -> str:
    """SHA-256 over all that the proof of `task` rests on.

    `published` and `recorded` as the prover has them; `library` is {module: source} where it is
    not the check library as it lies there.
    """
    library = read_library() if library is None else library
    source = task.path.read_text("utf-8")
    modules = sorted(modules_of(source, library))
    files = [task.path, proof_path(task), *DECIDING]
    own = [path.read_text("utf-8") for path in files[:2] if path.is_file()]
    is_noted = NOTE in modules or any(map(DRAWS.search, own))
    recipe = recipe_files(suite.environment)
    files += [path for path in recipe if is_noted or path.name not in DRAWING]
    limits = {name: value for name, value in asdict(suite.limits).items() if name != NOT_PLAYED}
    settings = [suite.seed, limits, task.unavailable]
    total = hashlib.sha256(json.dumps([settings, modules], sort_keys=True).encode())
    if task.material:
        total.update(material_line(task.material))
        total.update(f"{published}\0{(recorded or {}).get(task.material.query, '')}\0".encode())
        files.append(ASKING)
    total.update(digest_of(files).encode())
    for name in modules:
        total.update(f"{name}\0{library[name]}\0".encode())
    return total.hexdigest()


def read_library() -> dict[str, str]:
    return {name_of(path): path.read_text("utf-8") for path in check_library()}


def modules_of(source: str, library: Mapping[str, str]) -> set[str]:
    """The modules of `library` that a task's `source` and the harness import, also indirectly.

    All of them where the source leaves an import open.
    """
    known = frozenset(library)
    waiting = {*HARNESS, *imported(source, known), *imported("import runner.checks", known)}
    if OPENS_MODELS.search(source):
        waiting.add(MODELS)
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        # What the harness imports by name is the task's own imports, or `models` as above.
        more = {f"{LIBRARY}.case"} if name in HARNESS else imported(library[name], known)
        waiting |= more - found
    return found


@lru_cache(maxsize=1_000)
def imported(source: str, known: frozenset[str]) -> frozenset[str]:
    """The modules of `known` that `source` imports, with their packages; all where that is open."""
    found: set[str] = set()
    for node in spoken(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(*(lineage(alias.name) for alias in node.names))
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found.update(*map(lineage, names))
        elif is_open(node):
            return known
    return known & found


def spoken(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but docstrings."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield node
            yield from spoken(node)


def is_open(node: ast.AST) -> bool:
    """True for a relative import, one by a name that is computed, and the library's name in text.

    Text may be the program of a child.
    """
    if isinstance(node, ast.ImportFrom):
        return True
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and LIBRARY in node.value
    if not isinstance(node, ast.Call):
        return False
    called = (
        node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    )
    return called in ("import_module", "__import__") and not isinstance(
        node.args[0] if node.args else None, ast.Constant
    )


def lineage(name: str) -> Collection[str]:
    """A module and the packages that it lies in."""
    parts = name.split(".")
    return [".".join(parts[:n]) for n in range(1, len(parts) + 1)]
