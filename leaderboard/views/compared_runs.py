"""Runs that are compared: found for a reader, fit to be compared, each with its rate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from leaderboard.board.entry_means import join_runs
from leaderboard.board.repeats import add_repeats
from leaderboard.board.rows import BoardRow, Tally, build_row
from leaderboard.models import Run, RunSummary, Standing
from leaderboard.rendering.text import strip_invisible
from leaderboard.scoring.comparison import Share
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
    low: float
    high: float
    tasks: int
    repeats: Repeats | None = None
    runs: int = 1  # that the rate is the mean of

    @classmethod
    def of(cls, row: BoardRow, name: str) -> Side:
        rate = row.rate if row.tally.is_complete else None
        runs = max(1, len(row.runs))
        return cls(row.run, name, rate, row.low, row.high, row.tasks, row.repeats, runs)


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
    """Count the models that rank beside `runs`, if each of these stands for its entry; else 0."""
    if not all(is_entry(run, runs) for run in runs):
        return 0
    count: int = Standing.objects.filter(suite=runs[0].suite_id, run__seed=runs[0].seed).count()
    return count


def charts_query_of(runs: Sequence[Run]) -> str:
    """Address part that has the charts draw these runs alone; "" where a board lacks one."""
    suite, seed = runs[0].suite, runs[0].seed
    season = find_season(suite, seed)
    if season is None or not all(map(is_on_board, runs)):
        return ""
    asked = {
        "suite": suite.reference,
        "runs": ",".join(str(run.pk) for run in runs),
        **({"season": season.number} if season.ended_on else {}),
    }
    return urlencode(asked, safe="@,")


def is_on_board(run: Run) -> bool:
    return run.is_public and (run.entry.is_scripted or hasattr(run, "standing"))


def share_of(passes: Sequence[Sequence[bool | None]], run: Run, key: str) -> Share:
    """The share of the attempts at a task that passed, as the mean over the runs that count."""
    known = [[passed for passed in each if passed is not None] for each in passes]
    is_judged = [len(each) for each in known] == [len(each) for each in passes] and all(known)
    share = sum(sum(each) / len(each) for each in known) / len(known) if is_judged else None
    url = reverse("replay", args=[run.pk, key])
    return Share(share, url, tuple(p for each in known for p in each) if is_judged else ())


def list_draws(sides: Sequence[Side]) -> tuple[int, list[tuple[Side, Estimate, Estimate]]]:
    """Attempts that are drawn, as many as each run with several has; pass@ and pass^ of each."""
    several = [(side, side.repeats) for side in sides if side.repeats]
    drawn = min((found.k for _, found in several), default=0)
    return drawn, [(side, found.at_k[drawn - 1], found.hat_k[drawn - 1]) for side, found in several]
