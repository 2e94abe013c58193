"""Digests of what proofs rest on: an edit changes those that it concerns, and no others."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from runner.proof.grounds import grounds_of, modules_of, read_library
from runner.suite.proof_file import proof_path
from runner.suite.reader import load_suite
from runner.tests.support.small_suite import GREET, small_suite

STARTER = load_suite("starter")


def stale_after(edited: str) -> set[str]:
    """The starter suite's tasks whose proof an edit of this module puts in doubt."""
    library = read_library()
    changed = {**library, edited: library[edited] + "\n# edited\n"}
    return {
        task.spec.key
        for task in STARTER.tasks
        if grounds_of(STARTER, task, library=library) != grounds_of(STARTER, task, library=changed)
    }


def test_an_edit_of_a_module_concerns_the_tasks_that_import_it() -> None:
    everything = {task.spec.key for task in STARTER.tasks}
    assert stale_after("runner.checks.media.subtitles") == {"subtitles-recut"}
    assert stale_after("runner.checks.clouds.word_clouds") == set()
    assert stale_after("runner.checks.model_files.models") == set()
    # Imported by another module of the library.
    run = stale_after("runner.checks.foreign_values")
    assert "booking-module" in run
    assert run < everything
    charts = stale_after("runner.checks.charts.figure_note")
    assert "exam-scores" in charts
    assert charts < everything
    assert stale_after("runner.checks.case") == everything
    assert stale_after("runner.checks.harness.main") == everything


@pytest.mark.parametrize(
    ("name", "concerned"), [("pybench_drawn.py", {"exam-scores"}), ("requirements.txt", None)]
)
def test_what_notes_charts_concerns_tasks_that_may_draw_one(
    name: str, concerned: set[str] | None, tmp_path: Path
) -> None:
    recipe = tmp_path / "environment"
    shutil.copytree(STARTER.environment, recipe)
    suite = replace(STARTER, environment=recipe)
    some = [one for one in suite.tasks if one.spec.key in ("exam-scores", "lease-terms")]
    before = {task.spec.key: grounds_of(suite, task) for task in some}
    with (recipe / name).open("a") as file:
        file.write("\n# edited\n")
    stale = {task.spec.key for task in some if grounds_of(suite, task) != before[task.spec.key]}
    assert stale == (set(before) if concerned is None else concerned)


LIBRARY = {
    "runner.checks": "from runner.checks.case import Case",
    "runner.checks.case": "",
    "runner.checks.harness.main": "from runner.checks.model_files import models",
    "runner.checks.harness.importer": "import sys",
    "runner.checks.model_files": "",
    "runner.checks.model_files.models": "",
    "runner.checks.one": '"""As runner.checks.two does."""\n',
    "runner.checks.two": "def late():\n    import runner.checks.one as first",
    "runner.checks.loose": "from importlib import import_module\nM = import_module(NAME)",
}
ALWAYS = {
    *("runner.checks", "runner.checks.case"),
    *("runner.checks.harness.main", "runner.checks.harness.importer"),
}
MODEL = {"runner.checks.model_files", "runner.checks.model_files.models"}


def test_imports_left_open_count_as_the_whole_library(subtests: pytest.Subtests) -> None:
    for source, more in [
        ("import json", set()),
        ("from runner.checks import one", {"runner.checks.one"}),
        (
            "def check(c):\n    from runner.checks import two",
            {"runner.checks.one", "runner.checks.two"},
        ),
        ("from runner.checks.one import measure", {"runner.checks.one"}),
        ("'''runner.checks.one is not imported.'''", set()),
        ("from runner.checks.model_files import models", MODEL),
        ("from runner.checks import loose", set(LIBRARY)),
        ("m = __import__('runner.' + name)", set(LIBRARY)),
        ("from . import one", set(LIBRARY)),
        ("run('import runner.checks.one')", set(LIBRARY)),
    ]:
        with subtests.test(source=source, more=more):
            assert modules_of(source, LIBRARY) - {"runner.checks.harness"} == ALWAYS | more


def test_a_proof_rests_on_its_own_files_and_settings(tmp_path: Path) -> None:
    suite = small_suite(tmp_path, greet=GREET)
    task, other = suite.task("double"), suite.task("greet")
    first, beside = grounds_of(suite, task), grounds_of(suite, other)
    for changed in (
        replace(suite, seed=8),
        replace(suite, limits=replace(suite.limits, check_timeout_s=31)),
    ):
        assert grounds_of(changed, task) != first
    assert grounds_of(replace(suite, title="Other", version="2"), task) == first
    proof_path(task).parent.mkdir()
    proof_path(task).write_text("STYLES = {}\n")
    second = grounds_of(suite, task)
    task.path.write_text(task.path.read_text() + "\n# changed\n")
    assert len({first, second, grounds_of(suite, task)}) == 3
    assert grounds_of(suite, other) == beside
