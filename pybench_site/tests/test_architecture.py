"""The import rules: the runner knows no Django, and the halves meet in two files."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Of the runner, these may know Django and the rows: they are Celery's side of it.
MARKED = {"runner/tasks.py", "runner/worker.py"}

# What the site may ask of the runner; all but the last is pure, and that one is a command's.
SHARED = {
    "runner.addresses",
    "runner.contract",
    "runner.extra_body",
    "runner.suites",
    "runner.scripted",
    "runner.pybench_jsonl",
    "runner.proving",
    "runner.upstream",
    "runner.fetching",
    "runner.papertests",
    "runner.replaying",
}

# What a sandbox runs, and the suites: framework-free.
FRAMEWORKS = {"django", "celery", "leaderboard", "pybench_site"}


def sources(folder: str) -> list[Path]:
    return [
        path
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "tests" not in path.relative_to(ROOT).parts
    ]


def imported(path: Path) -> Iterator[str]:
    """Every module that the file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            module = node.module or ""
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def breaches(paths: list[Path], is_wrong: Callable[[str], bool]) -> list[str]:
    return [
        f"{name_of(path)} imports {module}"
        for path in paths
        for module in imported(path)
        if is_wrong(module)
    ]


def is_framework(module: str) -> bool:
    return module.partition(".")[0] in FRAMEWORKS


@pytest.mark.parametrize("folder", ["runner", "suites"])
def test_the_runner_and_the_suites_know_no_framework(folder: str) -> None:
    paths = [path for path in sources(folder) if name_of(path) not in MARKED]
    assert paths
    assert breaches(paths, is_framework) == []


def test_the_marked_files_exist_and_need_their_mark() -> None:
    for name in MARKED:
        assert any(is_framework(module) for module in imported(ROOT / name))


def test_the_words_are_the_standard_librarys_alone() -> None:
    words = ROOT / "runner" / "contract.py"
    names = {module.partition(".")[0] for module in imported(words)}
    assert names <= sys.stdlib_module_names


def test_the_site_asks_the_runner_for_words_and_suites_alone() -> None:
    def is_wrong(module: str) -> bool:
        if module.partition(".")[0] != "runner" or module == "runner":
            return False
        return not any(module == name or module.startswith(f"{name}.") for name in SHARED)

    paths = [*sources("leaderboard"), *sources("pybench_site")]
    assert breaches(paths, is_wrong) == []


def test_attempts_are_claimed_and_recorded_through_the_door_alone() -> None:
    """Views and pages never move a row of the queue: those acts are the door's."""
    acts = {f"leaderboard.{name}" for name in ("transitions", "wake")}
    doors = ("handoff", "submissions", "transitions", "checking", "admission")
    allowed = {f"leaderboard/{name}.py" for name in doors} | {
        "leaderboard/management/commands/recompute.py"
    }
    paths = [path for path in sources("leaderboard") if name_of(path) not in allowed]
    assert breaches(paths, lambda module: module in acts) == []
