"""Tests of the packages: which may import which, and that no imports go in a circle.

`ARCHITECTURE.md` draws them.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HALVES = ("runner", "leaderboard", "pybench_site")

FRAMEWORKS = ("django", "celery", "rest_framework", "leaderboard", "pybench_site")

# Modules, by the beginning of their names: those of the first may import none of the second, but
# for the third. The longest name that fits a module decides.
SEAMS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "runner": (FRAMEWORKS, ()),
    "suites": (FRAMEWORKS, ()),
    "runner.worker.tasks": (
        FRAMEWORKS,
        ("django.conf", "leaderboard.handoff", "pybench_site.celery"),
    ),
    "runner.worker.process": (
        FRAMEWORKS,
        (
            "celery",
            "django",
            "leaderboard.handoff",
            "pybench_site.monitoring",
        ),
    ),
    "runner.checks": ((*FRAMEWORKS, "runner"), ("runner.checks",)),
    "runner.sandbox.inside": (
        (*FRAMEWORKS, "runner"),
        (
            "runner.sandbox.inside",
            "runner.sandbox.bundle",
            "runner.sandbox.cleanup",
            "runner.sandbox.packets",
            "runner.sandbox.policy",
        ),
    ),
    "runner.sandbox.host": (
        (*FRAMEWORKS, "runner"),
        (
            "runner.contract",
            "runner.sandbox.base",
            "runner.sandbox.host",
            "runner.sandbox.inside",
            "runner.sandbox.cleanup",
            "runner.sandbox.packets",
            "runner.sandbox.policy",
        ),
    ),
    "runner.sandbox.sandboxd": (
        (*FRAMEWORKS, "runner"),
        (
            "runner.contract",
            "runner.sandbox.base",
            "runner.sandbox.bundle",
            "runner.sandbox.host",
            "runner.sandbox.inside",
            "runner.sandbox.cleanup",
            "runner.sandbox.packets",
            "runner.sandbox.policy",
            "runner.sandbox.sandboxd",
        ),
    ),
    "leaderboard": (
        ("runner",),
        (
            "runner.contract",
            "runner.cli.local_servers",
            "runner.endpoint.address_policy",
            "runner.endpoint.extras",
            "runner.evidence",
            "runner.judge.messages",
            "runner.judge.profile",
            "runner.judge.prompts",
            "runner.judge.reply_schema",
            "runner.judge.shown_attempt",
            "runner.previews.texts",
            "runner.pybench_jsonl",
            "runner.reading.readers",
            "runner.run_figures",
            "runner.submission_fields",
            "runner.suite",
            "runner.synced_files",
        ),
    ),
    "leaderboard.models": (
        ("runner", "leaderboard"),
        ("runner.contract", "runner.evidence", "leaderboard.models"),
    ),
    "leaderboard.trajectories": (
        ("runner",),
        (
            "runner.contract",
            "runner.pybench_jsonl",
            "runner.suite",
            "runner.task_code.published_tests",
        ),
    ),
    "leaderboard.viewing": (
        ("runner",),
        (
            "runner.cli.results_folder",
            "runner.contract",
            "runner.pybench_jsonl",
        ),
    ),
    "leaderboard.management": (
        ("runner",),
        (
            "runner.contract",
            "runner.judge.profile",
            "runner.proof.command",
            "runner.pybench_jsonl",
            "runner.scripted.replies",
            "runner.submission_fields",
            "runner.suite",
            "runner.task_code.published_tests",
        ),
    ),
    "pybench_site": (
        ("runner",),
        (
            "runner.cli.local_servers",
            "runner.contract",
            "runner.sandbox.host.runtime_folders",
            "runner.suite",
        ),
    ),
}

# Rows of the queue are moved by these alone; views and pages ask them.
MOVES = ("leaderboard.queue.transitions", "leaderboard.queue.messages")
MOVERS = (
    "leaderboard.queue",
    "leaderboard.handoff",
    "leaderboard.judge.actions",
    "leaderboard.submissions",
    "leaderboard.management.commands.recompute",
)


def is_of(module: str, names: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in names)


def sources(folder: str) -> Iterator[Path]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        if not {"tests", "migrations"} & set(path.relative_to(ROOT).parts):
            yield path


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def is_module(name: str) -> bool:
    place = ROOT / name.replace(".", "/")
    return place.is_dir() or place.with_suffix(".py").is_file()


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Every module that the file imports, wherever in the file."""
    return tuple(imports_of(ast.walk(parsed(path))))


def imports_of(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import: {ast.unparse(node)}"
            module = node.module or ""
            for alias in node.names:
                whole = f"{module}.{alias.name}"
                yield whole if is_module(whole) else module


def seam_of(module: str) -> str:
    return max((name for name in SEAMS if is_of(module, (name,))), key=len)


@pytest.mark.parametrize("folder", [*HALVES, "suites"])
def test_every_module_keeps_to_its_seam(folder: str) -> None:
    breaches = []
    for path in sources(folder):
        forbidden, but = SEAMS[seam_of(name_of(path))]
        breaches += [
            f"{name_of(path)} imports {module}"
            for module in imported(path)
            if is_of(module, forbidden) and not is_of(module, but)
        ]
    assert breaches == []


def test_every_seam_is_of_modules_that_are_there() -> None:
    named = {name for name in SEAMS if not name.startswith("suites")}
    named |= {name for _, but in SEAMS.values() for name in but if name.partition(".")[0] in HALVES}
    assert [name for name in sorted(named) if not is_module(name)] == []


def test_the_contract_is_the_standard_librarys_alone() -> None:
    names = {module.partition(".")[0] for module in imported(ROOT / "runner" / "contract.py")}
    assert names <= sys.stdlib_module_names


def test_rows_of_the_queue_are_moved_by_few_packages() -> None:
    breaches = [
        f"{name_of(path)} imports {module}"
        for path in sources("leaderboard")
        if not is_of(name_of(path), MOVERS)
        for module in imported(path)
        if is_of(module, MOVES)
    ]
    assert breaches == []


def test_no_module_of_tests_imports_another() -> None:
    """What tests share lies in `tests/support`."""
    breaches = [
        f"{name_of(path)} imports {module}"
        for top in (*HALVES, "bench")
        for path in sorted((ROOT / top).rglob("tests/**/test_*.py"))
        for module in imported(path)
        if module.rpartition(".")[2].startswith("test_") and is_of(module, (*HALVES, "bench"))
    ]
    assert breaches == []


@cache
def room_of(module: str) -> str:
    """The folder of a module; a module beside folders is a room of its own."""
    place = ROOT / module.replace(".", "/")
    if place.is_dir():
        return module
    has_folders = any((other / "__init__.py").is_file() for other in place.parent.iterdir())
    return module if has_folders else module.rpartition(".")[0]


def test_no_folders_import_each_other_in_a_circle() -> None:
    needs: dict[str, set[str]] = defaultdict(set)
    for top in HALVES:
        for path in sources(top):
            room = room_of(name_of(path))
            ours = {room_of(module) for module in imported(path) if is_of(module, HALVES)}
            needs[room] |= ours - {room}
    assert find_circle(needs) == []


def test_no_modules_import_each_other_in_a_circle_when_loaded() -> None:
    needs = {
        name_of(path): set(imports_of(at_load(parsed(path)))) - {name_of(path)}
        for top in HALVES
        for path in sources(top)
    }
    assert find_circle(needs) == []


def at_load(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes that run when a module is loaded: no function bodies, nothing for types alone."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting += node.orelse
            continue
        yield node
        waiting += ast.iter_child_nodes(node)


def find_circle(needs: Mapping[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as circle:
        return list(circle.args[1])
    return []


def test_circles_are_found_and_late_imports_are_none() -> None:
    assert find_circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) != []
    late = "if TYPE_CHECKING:\n    import a\ndef f():\n    import b\nimport c\n"
    assert list(imports_of(at_load(ast.parse(late)))) == ["c"]


# Classes of one name that are meant: what a framework looks for, a row and what it is a row of, and
# the library of checks, whose every word is in the digest of the suites.
SHARED_NAMES = {
    "Chart", "Column", "Command", "Found", "Place", "Row", "Step", "Suite",
    "Verdict",
}  # fmt: skip


def test_every_public_class_has_a_name_of_its_own() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for top in HALVES:
        for path in sources(top):
            for node in parsed(path).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes[node.name].append(name_of(path))
    assert {name for name, modules in homes.items() if len(modules) > 1} == SHARED_NAMES
