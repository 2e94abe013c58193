"""Sheets made of the rows of attempts, their tags and their steps."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import CharField, F, Min, OuterRef, Subquery, Value
from django.db.models.functions import Cast

from leaderboard.failures.facts import FAILED_STATUSES
from leaderboard.models import Attempt, FailureTag, Step
from leaderboard.search.attempt_facets import count_value, first_step_value
from leaderboard.search.sheets import CARRIED, Bits, Sheet
from runner.contract import Outcome, Status

VOID = frozenset(outcome.value for outcome in Outcome if outcome.is_void)


def read_sheets(run_ids: Sequence[int]) -> dict[int, Sheet]:
    """The sheets of these runs: two queries."""
    over = Attempt.objects.filter(run__in=run_ids, status=Status.DONE).order_by("run_id", "pk")
    rows = over.values_list("run_id", "pk", "passed", "outcome", "category", "task__key", "turns")
    of_run = {run_id: list(group) for run_id, group in groupby(rows, itemgetter(0))}
    tags = FailureTag.objects.filter(attempt__run__in=run_ids).order_by()
    errors = errors_of_tries_that_count().filter(attempt__run__in=run_ids).order_by()
    found = gather(
        name_column(tags, "tag").union(
            name_column(errors, "error_name").distinct(),
            name_first_steps(run_ids),
            all=True,
        )
    )
    return {
        run_id: make_sheet(
            of_run.get(run_id, []),
            found["tag"][run_id],
            found["error_name"][run_id],
            found["step"][run_id],
        )
        for run_id in run_ids
    }


def errors_of_tries_that_count() -> Any:
    """The steps that raised, of the tries that count."""
    return Step.objects.exclude(error_name="").filter(try_number=F("attempt__tries"))


def steps_that_failed() -> Any:
    """The steps that raised, took too long or were ended, of the tries that count."""
    return Step.objects.filter(status__in=FAILED_STATUSES, try_number=F("attempt__tries"))


def first_failed_step() -> Subquery:
    """Number of the first step that failed, beside each row of attempts; None where none did."""
    failed = steps_that_failed().filter(attempt=OuterRef("pk")).order_by("index")
    return Subquery(failed.values("index")[:1])


def name_column(rows: Any, column: str) -> Any:
    """(the column's name, run, attempt, value): so that several of them fit into one query."""
    named = rows.annotate(column=Value(column))
    return named.values_list("column", "attempt__run_id", "attempt_id", column)


def name_first_steps(run_ids: Sequence[int]) -> Any:
    """The same with the number of the first step that failed of each attempt that has one."""
    failed = steps_that_failed().filter(attempt__run__in=run_ids).order_by()
    grouped = failed.annotate(column=Value("step")).values_list(
        "column", "attempt__run_id", "attempt_id"
    )
    return grouped.annotate(first=Cast(Min("index"), CharField()))


Pairs = list[tuple[int, str]]  # an attempt's id and a value


def gather(rows: Iterable[tuple[str, int, int, str]]) -> dict[str, dict[int, Pairs]]:
    """By column and run: the tags, the names of the errors, the first steps that failed."""
    found: dict[str, dict[int, Pairs]] = {
        column: defaultdict(list) for column in ("tag", "error_name", "step")
    }
    for column, run_id, attempt_id, value in rows:
        found[column][run_id].append((attempt_id, value))
    return found


def make_sheet(
    rows: Sequence[tuple[Any, ...]], tagged: Pairs, raised: Pairs, failed: Pairs
) -> Sheet:
    """`rows` as `read_sheets` asks for them, in order; `failed` with the first step's number."""
    place = {row[1]: n for n, row in enumerate(rows)}
    first = {attempt_id: int(index) for attempt_id, index in failed}
    pairs: dict[str, Iterable[tuple[int, str]]] = {
        "tag": tagged,
        "exception": raised,
        "category": ((row[1], row[4]) for row in rows),
        "task": ((row[1], row[5]) for row in rows),
        "outcome": ((row[1], row[3]) for row in rows if row[3]),
        "step": ((row[1], first_step_value(first.get(row[1]))) for row in rows),
        "turns": ((row[1], count_value(row[6])) for row in rows),
    }
    return Sheet(
        ids=array("q", place),
        states=mark(place, ((row[1], state_of(row[2], row[3])) for row in rows)),
        carried={kind: mark(place, pairs[kind]) for kind in CARRIED},
    )


def mark(place: Mapping[int, int], pairs: Iterable[tuple[int, str]]) -> dict[str, Bits]:
    """By value the bits of the attempts that carry it; an attempt without a place is not over."""
    bits: dict[str, Bits] = defaultdict(int)
    for attempt_id, value in pairs:
        if attempt_id in place:
            bits[value] |= 1 << place[attempt_id]
    return dict(bits)


def state_of(passed: bool | None, outcome: str) -> str:
    """State of an attempt that is over, as in `Attempt.state`."""
    if passed is None:
        return "void" if outcome in VOID else "unjudged"
    return "passed" if passed else "failed"
