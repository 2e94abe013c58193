"""Runs that are compared: found for a reader, fit to be compared, each with its rate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from http import HTTPStatus
from typing import Self
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from leaderboard.board.entry_means import join_runs
from leaderboard.board.first_chart import FirstChart, draw_chosen
from leaderboard.board.repeats import add_repeats
from leaderboard.board.rows import BoardRow, Tally, build_row
from leaderboard.models import Attempt, Run, RunSummary, Standing, Suite
from leaderboard.rendering.csv_response import answer_csv
from leaderboard.rendering.numbers import count_passed
from leaderboard.rendering.text import strip_invisible
from leaderboard.scoring.comparison import ComparedTask, Share
from leaderboard.scoring.repeats import Estimate, Repeats
from leaderboard.suites.seasons import find_season

MAX_RUN_ID = 2**63 - 1


class Refusal(Exception):
    """A question that cannot be answered, in a sentence."""

    def __init__(self, sentence: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status


@dataclass(frozen=True)
class Side:
    """One of the compared runs, with its rate over all its tasks where every one has a verdict."""

    run: Run
    name: str
    rate: float | None
    low: float | None  # None of few tasks, or without a rate
    high: float | None
    tasks: int
    repeats: Repeats | None = None
    runs: int = 1  # that the rate is the mean of

    @classmethod
    def of(cls, row: BoardRow, name: str) -> Side:
        rates = (row.rate, row.low, row.high) if row.tally.is_complete else (None, None, None)
        return cls(row.run, name, *rates, row.tasks, row.repeats, max(1, len(row.runs)))

    @property
    def count_words(self) -> str:
        return count_passed(self.rate, self.tasks)

    @property
    def runs_words(self) -> str:
        return f" · mean of {self.runs} runs" if self.runs > 1 else ""


def find_runs(request: HttpRequest, words: list[str]) -> list[Run]:
    """The runs with these numbers that the reader may see, in their order. Raises Refusal."""
    for word in words:
        if not (word.isascii() and word.isdigit() and int(word) <= MAX_RUN_ID):
            raise Refusal(f"“{strip_invisible(word)[:40]}” is not the number of a run.")
    ids = [int(word) for word in words]
    if len(set(ids)) < len(ids):
        raise Refusal(f"Run {ids[0]} is compared with itself: choose another one.")
    found = (
        Run.objects.visible_to(request.user)
        .select_related("entry", "suite", "standing")
        .in_bulk(ids)
    )
    missing = [pk for pk in ids if pk not in found]
    if missing:
        raise Refusal(f"There is no run {missing[0]}.", HTTPStatus.NOT_FOUND)
    return [found[pk] for pk in ids]


def require_comparable(a: Run, b: Run) -> None:
    """Refuse runs of other tasks or other instances. Raises Refusal."""
    if a.suite_id != b.suite_id:
        raise Refusal(
            f"Run {a.pk} is on {a.suite}, run {b.pk} on {b.suite}: only runs on the same version"
            " of a suite have the same tasks to be compared on."
        )
    if a.seed != b.seed:
        raise Refusal(
            f"Run {a.pk} was played with seed {a.seed}, run {b.pk} with seed {b.seed}: another"
            " seed makes other instances of the tasks, which are not to be compared."
        )
    if mixed := [run.pk for run in (a, b) if run.is_mixed]:
        raise Refusal(
            f"The longest reply of run {mixed[0]} was changed while it ran: its attempts had"
            " different settings, so it is not comparable."
        )
    if a.own_limits != b.own_limits:
        words = "; ".join(a.own_limits or b.own_limits)
        raise Refusal(
            f"Run {a.pk if a.own_limits else b.pk} had time limits of its own ({words}), so the two"
            " are not comparable."
        )


def load_rows(runs: list[Run]) -> list[BoardRow]:
    summaries: dict[int, dict[str, RunSummary]] = defaultdict(dict)
    for summary in RunSummary.objects.filter(run__in=runs):
        summaries[summary.run_id][summary.category] = summary
    rows = [build_row(run, summaries[run.pk], Tally()) for run in runs]
    placed = [
        replace(row, standing=row.run.standing) if is_entry(row.run, runs) else row for row in rows
    ]
    return add_repeats(join_runs(placed))


def is_entry(run: Run, runs: Sequence[Run]) -> bool:
    """True if the run stands for its entry among `runs`: it is the one that has its place, and
    no other run of the entry is compared."""
    return hasattr(run, "standing") and [one.entry_id for one in runs].count(run.entry_id) == 1


def list_compared(runs: Sequence[Run]) -> dict[int, list[int]]:
    """Numbers of the runs that each of `runs` is compared by: all whose mean ranks, for one that
    stands for its entry, else its own."""
    ranked = {run.pk: run.standing.runs for run in runs if is_entry(run, runs)}
    others = [pk for each in ranked.values() for pk in each]
    shown = set(Run.objects.on_board().filter(pk__in=others).values_list("pk", flat=True))
    return {
        run.pk: [pk for pk in ranked.get(run.pk, ()) if pk in shown] or [run.pk] for run in runs
    }


def count_ranked_models(runs: Sequence[Run]) -> int:
    """Count the models that rank beside `runs`, if two of these stand for their entries; else 0."""
    if sum(is_entry(run, runs) for run in runs) < 2:
        return 0
    count: int = Standing.objects.filter(suite=runs[0].suite_id, run__seed=runs[0].seed).count()
    return count


def is_on_board(run: Run) -> bool:
    return run.is_public and (run.entry.is_scripted or hasattr(run, "standing"))


def share_of(passes: Sequence[Sequence[bool | None]], run: Run, key: str) -> Share:
    """The share of the attempts at a task that passed, as the mean over the runs that count."""
    known = [[passed for passed in each if passed is not None] for each in passes]
    is_judged = [len(each) for each in known] == [len(each) for each in passes] and all(known)
    share = sum(sum(each) / len(each) for each in known) / len(known) if is_judged else None
    url = reverse("replay", args=[run.pk, key])
    return Share(share, url, tuple(p for each in known for p in each) if is_judged else ())


def load_tasks(runs: Sequence[Run]) -> list[ComparedTask]:
    """The tasks that every run has, in the suite's order. Two queries."""
    compared = list_compared(runs)
    attempts = (
        Attempt.objects.filter(run__in=[pk for each in compared.values() for pk in each])
        .values_list("run_id", "task__key", "task__title", "category", "task__english", "passed")
        .order_by("task__position", "number")
    )
    passes: dict[tuple[int, str], list[bool | None]] = defaultdict(list)
    facts: dict[str, tuple[str, str, str]] = {}
    for run_id, key, title, category, english, passed in attempts:
        passes[run_id, key].append(passed)
        facts[key] = (title, category, english)

    def share(run: Run, key: str) -> Share:
        return share_of([passes[pk, key] for pk in compared[run.pk]], run, key)

    return [
        ComparedTask(key, title, category, tuple(share(run, key) for run in runs), english)
        for key, (title, category, english) in facts.items()
        if all((run.pk, key) in passes for run in runs)
    ]


def name_runs(runs: Sequence[Run]) -> list[str]:
    """Their entries' names, with the runs' numbers where those do not tell them apart."""
    names = [strip_invisible(run.entry.name) or "?" for run in runs]
    return [
        name if names.count(name) == 1 else f"{name} (run {run.pk})"
        for name, run in zip(names, runs, strict=True)
    ]


@dataclass(frozen=True)
class Compared:
    """Runs side by side: how they are called here, and the tasks that all of them have."""

    rows: list[BoardRow]
    names: list[str]
    tasks: list[ComparedTask]

    @classmethod
    def load(cls, request: HttpRequest, words: list[str]) -> Self:
        """Five queries, two more where an entry has several runs. Raises Refusal."""
        runs = find_runs(request, words)
        for other in runs[1:]:
            require_comparable(runs[0], other)
        return cls(load_rows(runs), name_runs(runs), load_tasks(runs))

    @cached_property
    def sides(self) -> list[Side]:
        """The runs with their rate on all their tasks."""
        return [Side.of(row, name) for row, name in zip(self.rows, self.names, strict=True)]

    @property
    def runs(self) -> list[Run]:
        return [row.run for row in self.rows]

    @property
    def suite(self) -> Suite:
        return self.runs[0].suite

    @cached_property
    def models(self) -> int:
        """How many rank beside them, if two of the runs stand for their entries; else 0."""
        return count_ranked_models(self.runs)

    @property
    def first_chart(self) -> FirstChart | None:
        return draw_chosen(self.rows)

    @property
    def query(self) -> str:
        return f"?runs={','.join(str(run.pk) for run in self.runs)}"

    @property
    def charts_query(self) -> str:
        """Address part that has the charts draw these runs alone; "" where a board lacks one."""
        season = find_season(self.suite, self.runs[0].seed)
        if season is None or not all(map(is_on_board, self.runs)):
            return ""
        asked = {
            "suite": self.suite.reference,
            "runs": ",".join(str(run.pk) for run in self.runs),
            **({"season": season.number} if season.ended_on else {}),
        }
        return urlencode(asked, safe="@,")

    @property
    def flipped(self) -> list[ComparedTask]:
        """The tasks whose attempts disagree in one of the runs."""
        return [task for task in self.tasks if any(share.is_flipped for share in task.shares)]

    @property
    def draws(self) -> tuple[int, list[tuple[Side, Estimate, Estimate]]]:
        """Attempts drawn, as many as each run with several has; pass@ and pass^ of each."""
        several = [(side, side.repeats) for side in self.sides if side.repeats]
        drawn = min((found.k for _, found in several), default=0)
        return drawn, [
            (side, found.at_k[drawn - 1], found.hat_k[drawn - 1]) for side, found in several
        ]

    def answer_csv(self) -> HttpResponse:
        """A row per task."""
        ids = [run.pk for run in self.runs]
        rows = (
            [task.key, task.category, *(share.share for share in task.shares)]
            for task in self.tasks
        )
        heading = ["task", "category", *(f"run_{pk}" for pk in ids)]
        return answer_csv(f"runs-{'-'.join(map(str, ids))}.csv", heading, rows)
