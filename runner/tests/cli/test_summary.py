"""Figures of an evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runner.cli.summary import cells, summarise, table
from runner.pybench_jsonl import OURS
from runner.run_figures import Figures
from runner.tests.support.small_suite import small_suite


def row(task: str, attempt: int, passed: bool | None, turns: int = 2, **more: Any) -> Any:
    usage = {"prompt_tokens": 10, "completion_tokens": 5, **more}
    times = {"model_s": 1.0, "cell_s": 0.5, "wall_s": 2.0}
    facts = {"task": task, "attempt": attempt, "passed": passed, "turns": turns, "usage": usage}
    return {OURS: {**facts, **times}}


def test_counts_by_category_and_overall(tmp_path: Path) -> None:
    rows = [row("double", 1, True), row("double", 2, False, turns=9), row("greet", 1, None)]
    found = summarise(small_suite(tmp_path), ["double", "greet"], 2, rows, 10)
    maths, text, overall = (figures for _, figures in found)
    assert (maths.passed, maths.failed, maths.void, maths.open) == (1, 1, 0, 0)
    assert (maths.rate, maths.turns, maths.turns_solved) == (0.5, 6.0, 2.0)
    assert (maths.prompt_tokens, maths.completion_tokens, maths.wall_s) == (20, 10, 4.0)
    assert (text.passed, text.void, text.open, text.turns) == (0, 1, 1, None)
    assert text.prompt_tokens is None
    assert (overall.tasks, overall.attempts, overall.rate) == (2, 4, 0.25)
    assert (maths.is_complete, overall.is_complete) == (True, False)


def test_an_unknown_count_makes_the_sum_unknown(tmp_path: Path) -> None:
    rows = [row("double", 1, True), row("greet", 1, True, prompt_tokens=None)]
    _, overall = summarise(small_suite(tmp_path), ["double", "greet"], 1, rows, 10)[-1]
    assert (overall.prompt_tokens, overall.completion_tokens) == (None, 10)
    assert "unknown + 10" in table([("all", overall)] * 2)


@pytest.mark.parametrize(
    ("void", "left", "said"),
    [
        (0, 0, ["80%", "64%–90%", "0"]),
        (1, 0, ["–", "–", "1"]),
        (0, 2, ["–", "–", "0 (2 not played)"]),
    ],
)
def test_rate_is_told_once_every_attempt_has_a_verdict(
    void: int, left: int, said: list[str]
) -> None:
    counts = {"tasks": 31, "attempts": 31, "passed": 25, "failed": 6 - void - left}
    told = Figures(
        **counts, void=void, open=left, rate=0.8, low=0.64, high=0.9, turns=3.0, turns_solved=2.0,
        prompt_tokens=1, completion_tokens=1, model_s=1.0, cell_s=1.0, wall_s=1.0,
    )  # fmt: skip
    shown = cells("all", told)
    assert [shown[3], shown[4], shown[7]] == said


def test_only_the_tasks_asked_for_count(tmp_path: Path) -> None:
    rows = [row("double", 1, True), row("greet", 1, False)]
    figures = summarise(small_suite(tmp_path), ["double"], 1, rows, 10)
    assert [(title, f.passed, f.tasks) for title, f in figures] == [("Maths", 1, 1), ("all", 1, 1)]


def test_the_table_lines_up(tmp_path: Path) -> None:
    rows = [row("double", 1, True), row("greet", 1, None)]
    lines = table(summarise(small_suite(tmp_path), ["double", "greet"], 1, rows, 10)).splitlines()
    assert lines[0].split()[:2] == ["category", "tasks"]
    assert lines[-1].split()[0] == "all"
    assert len({line.index("/") for line in lines if "/" in line}) == 1
