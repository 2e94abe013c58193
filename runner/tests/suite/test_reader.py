"""Suites are read without running them, and say what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.contract import ProblemError
from runner.suite.placeholders import fill
from runner.suite.reader import load_suite
from runner.tests.support.tiny_suite import SUITE, TASK, write_suite


def test_reads_a_task_without_executing_it(tmp_path: Path) -> None:
    suite = load_suite("tiny", write_suite(tmp_path))
    task = suite.task("add-two")
    assert suite.limits.max_turns == 3
    assert suite.limits.cell_timeout_s == 5.0
    assert task.spec.outputs == ("sum.txt",)
    assert task.spec.file_types == ("txt",)
    assert task.reference.answer == "The sum is «total»."
    assert [w.name for w in task.wrong] == ["minus", "times"]
    assert task.position == 1


def test_digest_follows_every_part(tmp_path: Path) -> None:
    root = write_suite(tmp_path)
    digests = {load_suite("tiny", root).digest}
    for path, text in (
        (root / "tiny" / "suite.toml", SUITE + "# changed\n"),
        (root / "tiny" / "tasks" / "add_two.py", TASK + "# changed\n"),
        (root / "environment" / "requirements.txt", "numpy==2\n"),
    ):
        path.write_text(text)
        digests.add(load_suite("tiny", root).digest)
    assert len(digests) == 4


def test_fill_leaves_unknown_names() -> None:
    assert fill("«a» plus «b»", {"a": 1}) == "1 plus «b»"


def test_unknown_suite_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="no suite “big”.*Suites found here: tiny"):
        load_suite("big", write_suite(tmp_path))


def test_a_name_that_no_file_can_have_is_an_unknown_suite(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="There is no suite"):
        load_suite("x" * 300, write_suite(tmp_path))


def test_unknown_task_names_its_neighbours(tmp_path: Path) -> None:
    suite = load_suite("tiny", write_suite(tmp_path))
    with pytest.raises(ProblemError, match="no task “sub”.*add-two"):
        suite.task("sub")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "tiny"', "name = ", "not valid TOML"),
        ('title = "Tiny"', "", "`title` is missing"),
        ("seed = 7", 'seed = "7"', "`seed` is missing or not of type int"),
        ("max_turns = 3", "max_turn = 3", "unknown limit `max_turn`"),
        ("max_turns = 3", "max_turns = 0", "must be a positive number"),
        ("max_turns = 3", "max_turns = true", "must be a positive number"),
        ("max_turns = 3", "max_turns = nan", "must be a positive number"),
        ("cell_timeout_s = 5", "cell_timeout_s = inf", "must be a positive number"),
        ("max_turns = 3", "max_turns = 0.5", "must be a whole number"),
        ('key = "maths"', "", "`categories` must be tables"),
    ],
)
def test_malformed_suite_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    root = write_suite(tmp_path, suite=SUITE.replace(old, new))
    with pytest.raises(ProblemError, match=message):
        load_suite("tiny", root)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("def check(case):", "def check(case:", "not valid Python"),
        ('TITLE = "Sum"', "", "`TITLE` is missing"),
        ('TITLE = "Sum"', "TITLE = name()", "not a plain literal"),
        ('TITLE = "Sum"', 'TITEL = "Sum"', "nothing reads `TITEL`. If `TITLE` is meant"),
        ('TITLE = "Sum"', 'TITLE = "Sum"\nSTRENGHT = "partial"', "nothing reads `STRENGHT`"),
        ('TITLE = "Sum"', 'TITLE = "Sum"\nSTRENGTH: str = "strong"', "unknown STRENGTH"),
        ('"answer": "The sum is «total»."', "[1]: 2", "not a plain literal"),
        ('TITLE = "Sum"', "TITLE = 3", "`TITLE` must be a string"),
        ('CATEGORY = "maths"', 'CATEGORY = "cooking"', "unknown category"),
        ('OUTPUTS = ["sum.txt"]', 'OUTPUTS = ["../sum.txt"]', "plain file names"),
        ('OUTPUTS = ["sum.txt"]', 'OUTPUTS = "sum.txt"', "plain file names"),
        ("def check(case):", "def look(case):", "function `check` is missing"),
        ('"times": {', '"minus": {', "two solutions or more"),
        ('"cells": ["1"]', '"cells": "1"', "needs `cells` and `answer`"),
    ],
)
def test_malformed_task_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    root = write_suite(tmp_path, task=TASK.replace(old, new))
    with pytest.raises(ProblemError, match=message) as caught:
        load_suite("tiny", root)
    assert "add_two.py" in str(caught.value)
    assert caught.value.problem.next_step


def test_a_suite_without_tasks_is_refused(tmp_path: Path) -> None:
    root = write_suite(tmp_path)
    (root / "tiny" / "tasks" / "add_two.py").unlink()
    with pytest.raises(ProblemError, match="has no task"):
        load_suite("tiny", root)
