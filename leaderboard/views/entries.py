"""One entry: its facts, its runs, and its latest figures down to the replays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from leaderboard.board.entry_means import join_runs
from leaderboard.board.queries import count_attempts
from leaderboard.board.records import make_record
from leaderboard.board.repeats import add_repeats
from leaderboard.board.rows import BoardRow, build_rows, choose_current
from leaderboard.models import Attempt, Run, RunSummary, Suite
from leaderboard.money.lookup import with_prices
from leaderboard.sharing.badge import say_run
from leaderboard.views.runs import ATTEMPT_FIELDS, MAX_ATTEMPTS, group_attempts
from runner.contract import Status

MAX_RUNS = 100  # newest first


def entry(request: HttpRequest, slug: str) -> HttpResponse:
    rows = load_entry(request, slug)
    current = choose_current(rows)
    [joined] = add_repeats(join_runs([current]))
    attempts = load_attempts(current)
    context = {
        "entry": current.run.entry,
        "suite": current.run.suite,
        "rows": rows,
        "is_cut": len(rows) == MAX_RUNS,
        "current": joined,
        "card_words": say_run(joined),
        "groups": group_attempts(current, attempts),
    }
    return render(request, "entry/entry.html", context)


def entry_json(request: HttpRequest, slug: str) -> JsonResponse:
    """The entry's facts and runs, for programs."""
    rows = add_repeats(join_runs(load_entry(request, slug)))
    found = rows[0].run.entry
    facts = {
        "slug": found.slug,
        "name": found.name,
        "organisation": found.organisation,
        "size_b": found.parameters_b,
        "weights": found.weights,
        "provenance": found.provenance,
        "format": found.action_format,
        "description": found.description,
    }
    return JsonResponse({"entry": facts, "runs": [record_run(row) for row in rows]})


def record_run(row: BoardRow) -> dict[str, object]:
    suite = row.run.suite
    return {"suite": suite.reference, **make_record(group_of(row), row)}


def group_of(row: BoardRow) -> str:
    if row.run.entry.is_scripted:
        return "scripted"
    if row.run.entry.is_human:
        return "human"
    return "ranked" if row.standing else "unranked"


def load_entry(request: HttpRequest, slug: str) -> list[BoardRow]:
    """The entry's runs that the reader may see, newest first; 404 without one. Five queries."""
    visible = Run.objects.visible_to(request.user).filter(entry__slug=slug)
    runs: list[Run] = list(
        with_prices(visible.select_related("entry", "suite", "standing", "review"))
        .defer("environment", "preflight")
        .order_by("-pk")[:MAX_RUNS]
    )
    if not runs:
        raise Http404(f"There is no model “{slug}” with a published run.")
    summaries = RunSummary.objects.filter(run__in=runs)
    tallies = count_attempts([run.pk for run in runs if not run.is_over])
    mark_withdrawals(runs)
    return mark_counted(build_rows(runs, summaries, tallies), count_tasks(runs))


def mark_withdrawals(runs: Sequence[Run]) -> None:
    """Set `withdrawn_since` of an entry's runs, as `list_unplaced` of the board does."""
    gone = Run.objects.filter(
        entry=runs[0].entry_id, status=Status.DONE, withdrawn_at__isnull=False
    )
    facts = gone.order_by("withdrawn_at").values_list("suite_id", "seed", "withdrawn_at")
    last = {(suite, seed): at for suite, seed, at in facts}
    for run in runs:
        at = last.get((run.suite_id, run.seed))
        run.withdrawn_since = at is not None and at > run.created_at  # type: ignore[attr-defined]


def count_tasks(runs: Sequence[Run]) -> dict[int, int]:
    suites = Suite.objects.filter(pk__in={run.suite_id for run in runs})
    return dict(suites.values_list("pk").annotate(Count("tasks")))


def mark_counted(rows: Sequence[BoardRow], tasks: dict[int, int]) -> list[BoardRow]:
    """The rows with how many tasks their suite has, and with which ranked run they count."""
    counted_with = {pk: row.run.pk for row in rows if row.standing for pk in row.standing.runs}
    return [
        replace(
            row,
            suite_tasks=tasks[row.run.suite_id],
            ranked_with=counted_with.get(row.run.pk, 0),
        )
        for row in rows
    ]


def load_attempts(row: BoardRow) -> list[Attempt]:
    attempts = row.run.attempts.select_related("task").only(*ATTEMPT_FIELDS)
    return list(attempts.order_by("task__position", "number")[:MAX_ATTEMPTS])
