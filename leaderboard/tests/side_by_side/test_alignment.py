"""Alignment of steps by their contents: made sequences, and recorded ones that were changed."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations

import pytest

from leaderboard.side_by_side.alignment import Row, align
from leaderboard.side_by_side.content import StepContent
from leaderboard.side_by_side.step_contents import load_steps
from leaderboard.tests.support.recorded import recorded
from leaderboard.trajectories.import_file import import_file, names_for

READ = StepContent("import pandas as pd\nsales = pd.read_csv('data/sales.csv')", "")
LOOK = StepContent("print(sales.dtypes)", "quarter object amount float64")
SUM = StepContent("totals = sales.groupby('quarter').amount.sum()", "Q1 12 Q2 15")
PLOT = StepContent("totals.plot.bar(); plt.savefig('output/a.png')", "", "output/a.png 3f2a")
SAVE = StepContent("totals.to_csv('output/totals.csv')", "", "output/totals.csv 77aa")
SAY = StepContent("The totals are saved.", is_answer=True)
STORY = [READ, LOOK, SUM, PLOT, SAVE, SAY]


def pairs(rows: Sequence[Row]) -> set[tuple[int | None, ...]]:
    return {row for row in rows if None not in row}


def assert_whole(rows: Sequence[Row], *lengths: int) -> None:
    """Each step once, in its order, and no empty row."""
    for place, length in enumerate(lengths):
        assert [row[place] for row in rows if row[place] is not None] == list(range(length))
    assert all(any(step is not None for step in row) for row in rows)


def test_equal_attempts_stand_step_by_step() -> None:
    assert align([STORY, STORY, STORY]) == [(n, n, n) for n in range(6)]


def test_a_missing_step_leaves_a_gap_and_nothing_moves(subtests: pytest.Subtests) -> None:
    for gone in range(5):
        with subtests.test(gone=gone):
            other = STORY[:gone] + STORY[gone + 1 :]
            rows = align([STORY, other])
            assert rows == [(n, None if n == gone else n - (n > gone)) for n in range(6)]


def test_the_same_work_in_other_words_is_found() -> None:
    other = [
        StepContent("df = pd.read_csv('data/sales.csv')\nimport pandas as pd", ""),
        StepContent("totals = df.groupby(['quarter'])['amount'].sum()\nprint(totals)", "Q1 12"),
        StepContent("totals.plot(kind='bar')\nplt.savefig('output/a.png')", "", "output/a.png 9c"),
        StepContent("I have saved the totals.", is_answer=True),
    ]
    assert {(0, 0), (2, 1), (3, 2), (5, 3)} <= pairs(align([STORY, other]))


def test_steps_that_resemble_nothing_stand_beside_each_other() -> None:
    a = [READ, StepContent("alpha = beta + gamma", "one two"), SAY]
    b = [READ, StepContent("while True: break", "seven"), SAY]
    assert align([a, b]) == [(0, 0), (1, 1), (2, 2)]


def test_an_answer_never_resembles_code() -> None:
    code = replace(SAY, is_answer=False)
    rows = align([[READ, code, LOOK], [READ, LOOK, SAY]])
    assert (1, 2) not in rows
    assert (2, 1) in rows


def test_a_third_attempt_joins_the_rows_of_both(subtests: pytest.Subtests) -> None:
    for order in list(permutations(range(3))):
        with subtests.test(order=order):
            stories = [[READ, SUM, SAY], [READ, LOOK, SUM, PLOT, SAY], [LOOK, SUM, PLOT]]
            rows = align([stories[at] for at in order])
            assert_whole(rows, *(len(stories[at]) for at in order))
            named = [
                {stories[at][step] for at, step in zip(order, row, strict=True) if step is not None}
                for row in rows
            ]
            assert named == [{READ}, {LOOK}, {SUM}, {PLOT}, {SAY}]


def test_no_attempt_is_too_odd(subtests: pytest.Subtests) -> None:
    odd: list[list[list[StepContent]]] = [
        [[], []],
        [STORY, []],
        [[], STORY],
        [[], [], STORY, []],
        [[StepContent()], [StepContent()]],
        [[StepContent()] * 9, [StepContent("x")] * 4],
        [[SAY], [READ]],
        [[READ] * 5, [READ] * 3, [READ] * 7, [READ]],
        [[StepContent("\x00\ud800 \u202e" * 50)], [StepContent("ａ" * 90_000, "b" * 90_000)]],
    ]
    for stories in odd:
        with subtests.test(stories=stories):
            assert_whole(align(stories), *map(len, stories))


def test_a_thousand_steps_align_with_a_thousand() -> None:
    chance = random.Random(7)
    names = [f"name{n}" for n in range(2_000)]

    def step() -> StepContent:
        code, outputs = chance.choices(names, k=60), chance.choices(names, k=40)
        return StepContent(" ".join(code), " ".join(outputs))

    first = [step() for _ in range(1_000)]
    second = [step() if chance.random() < 0.3 else same for same in first]
    started_s = time.process_time()
    rows = align([first, second])
    took_s = time.process_time() - started_s
    assert_whole(rows, 1_000, 1_000)
    kept = sum(a == b for a, b in zip(first, second, strict=True))
    assert sum(a == b for a, b in rows) >= kept
    # What a plain loop over as many pairs takes on this machine is far more.
    started_s = time.process_time()
    sum(a < b for a in range(1_000) for b in range(1_000))
    assert took_s < 40 * (time.process_time() - started_s)


def recorded_stories() -> list[list[StepContent]]:
    """The steps of each recorded attempt with at least four of them."""
    run = import_file(recorded(), names_for("trajectory.jsonl")).run
    assert run is not None
    loaded = [load_steps(attempt)[0] for attempt in run.attempts.all()]
    return [[step.content for step in steps] for steps in loaded if len(steps) >= 4]


def without(steps: list[StepContent], chance: random.Random) -> dict[int, StepContent]:
    gone = chance.sample(range(len(steps)), max(1, len(steps) // 4))
    return {n: step for n, step in enumerate(steps) if n not in gone}


def renamed(steps: list[StepContent], chance: random.Random) -> dict[int, StepContent]:
    """Another name for the variables, other quotes, and an import more."""

    def other(code: str) -> str:
        code = re.sub(r"\b(df|data|result|img|text)\b", r"\1_new", code)
        return "import os\n" + code.replace('"', "'")

    return {n: replace(step, code=other(step.code)) for n, step in enumerate(steps)}


@pytest.mark.django_db
@pytest.mark.parametrize("change", [without, renamed])
def test_recorded_attempts_are_found_again_when_they_were_changed(
    change: Callable[[list[StepContent], random.Random], dict[int, StepContent]],
) -> None:
    """At least 95 of 100 steps that are left stand beside themselves, or an equal one."""
    chance, right, total = random.Random(11), 0, 0
    stories = recorded_stories()
    assert len(stories) > 50
    for steps in stories:
        left = change(steps, chance)
        rows = align([steps, list(left.values())])
        assert_whole(rows, len(steps), len(left))
        beside = {b: a for a, b in rows}
        at = ((beside[place], n) for place, n in enumerate(left))
        right += sum(other is not None and steps[other] == steps[n] for other, n in at)
        total += len(left)
    assert right / total >= 0.95, f"{right} of {total}"
