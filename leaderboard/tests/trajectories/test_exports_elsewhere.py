"""Exports for other tools: read back, and valid whatever the text."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from leaderboard.tests.support.trajectories import (
    CALLED,
    FACTS,
    PLAYED,
    answered,
    ran,
    trajectory,
)
from leaderboard.trajectories.formats.inspect_log import inspect_log
from leaderboard.trajectories.readers.any_format import read_any
from runner.suite.canary import CANARY


@pytest.mark.parametrize("steps", [PLAYED, (CALLED, answered(2, "One."))], ids=["text", "calls"])
def test_what_goes_out_comes_in_again_but_for_outputs(steps: Any) -> None:
    told = trajectory(*steps, facts=FACTS, answer=steps[-1].reply)
    reading = read_any(inspect_log(told).encode())
    assert reading.errors == ()
    [row] = reading.rows
    assert (row.index, row.query, row.inputs) == (told.task, told.query, tuple(told.inputs))
    assert (row.answer, row.outcome, row.model) == (told.answer, "finished", "Foo-70B")
    for was, step in zip(told.steps, row.steps, strict=True):
        now = asdict(step)
        for field in ("code", "reply", "observation", "status", "model_s", "cell_s", "usage"):
            assert now[field] == was[field], (field, was["index"])


def test_hostile_text_goes_out_as_json(subtests: pytest.Subtests) -> None:
    for text in ["\x00\x1b[31m", "\ud800", "</script>", "é" * 100_000, "", "{0} %s", "\u2028"]:
        with subtests.test(text=text):
            steps = (ran(1, text, text, thought=text), answered(2, text))
            told = trajectory(
                *steps, title=text, query=text, answer=text, facts={**FACTS, "entry": text}
            )
            for line in inspect_log(told).encode("utf-8").splitlines():
                json.loads(line)


def test_an_attempt_without_steps_or_facts_goes_out() -> None:
    text = inspect_log(trajectory(facts={}, answer=None))
    assert CANARY in text
