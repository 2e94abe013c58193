"""Two to four attempts at one task, side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.safestring import SafeString

from leaderboard.models import Attempt, Run, Task
from leaderboard.process_cache import Shelf
from leaderboard.rendering.text import strip_invisible
from leaderboard.replay.step_windows import WINDOW_STEPS, start_of
from leaderboard.side_by_side.drawing import compare_assertions, draw_rows, make_marks, window_of
from leaderboard.side_by_side.rows import Alignment, RowDifference, lay_out
from leaderboard.views.access import read_number
from leaderboard.views.tasks import Results, find_suite, find_task
from runner.contract import Status

MOST = 4  # attempts at a time
MAX_CHOICES = 60  # attempts offered
NAMED = re.compile(r"(\d{1,9})(?:\.(\d{1,4}))?", re.ASCII)  # run, attempt
DIFFERENCES = {
    "results": (RowDifference.RESULT, "files or results"),
    "files": (RowDifference.FILES, "files"),
    "code": (RowDifference.CODE, "anything"),
}
ALIGNED: Shelf[Alignment] = Shelf(size=24)
DRAWN: Shelf[SafeString] = Shelf(size=48, measure=len, most=6_000_000)  # characters


class Refused(Exception):
    """The comparison cannot be shown; says why in a sentence."""

    def __init__(self, sentence: str, status: HTTPStatus) -> None:
        super().__init__(sentence)
        self.sentence, self.status = sentence, status


@dataclass(frozen=True)
class Column:
    """One of the attempts, as the page calls it."""

    attempt: Attempt
    letter: str
    name: str
    others: str  # query of the page without it; "" when too few would be left
    left_out: int = 0  # steps after the last that is aligned


@csp_update({"media-src": ["'self'"]})  # type: ignore[arg-type]
def side_by_side(request: HttpRequest, suite: str, key: str) -> HttpResponse:
    """Rows of steps that correspond, a window at a time; who names no attempts can choose some."""
    task = find_task(find_suite(request, suite), key)
    context: dict[str, object] = {"task": task, "suite": task.suite, "most": MOST}
    asked = list(dict.fromkeys(word for word in request.GET.getlist("a") if word))
    try:
        attempts = find_attempts(request, task, asked)
    except Refused as refused:
        context |= {"refusal": refused.sentence, "choices": list_choices(task), "asked": asked}
        return render(request, "side_by_side/choose.html", context, status=refused.status)
    if len(attempts) < 2:
        context |= {"choices": list_choices(task), "asked": asked}
        return render(request, "side_by_side/choose.html", context)
    return show(request, attempts, context)


def show(
    request: HttpRequest, attempts: Sequence[Attempt], context: dict[str, object]
) -> HttpResponse:
    stamp = tuple(
        (a.pk, a.tries, a.status, a.passed, a.finished_at, a.steps.count() if is_open(a) else 0)
        for a in attempts
    )
    alignment = ALIGNED.get(stamp, lambda: lay_out(attempts), always)
    wanted = request.GET.get("differ", "")
    wanted = wanted if wanted in DIFFERENCES else "results"
    differing = alignment.differing(DIFFERENCES[wanted][0])
    begin = differing[0] if differing else 1
    first = start_of(read_number(request, "from", begin))
    rows = window_of(alignment, first)
    if not rows and first > 1:
        raise Http404(f"These attempts have no row {first}.")
    folded = 0 if "from" in request.GET else begin - first
    names = name_each(attempts)
    last = rows[-1].number if rows else 0
    marks = make_marks(alignment)
    context |= {
        "columns": list_columns(attempts, names, alignment.left_out, request.GET),
        "seeds_differ": len({attempt.run.seed for attempt in attempts}) > 1,
        "assertions": compare_assertions(attempts),
        "count": len(alignment.rows),
        "first": first,
        "last": last,
        "previous": max(1, first - WINDOW_STEPS) if first > 1 else None,
        "next": last + 1 if last < len(alignment.rows) else None,
        "final": start_of(len(alignment.rows)),
        "marks": marks,
        "differing": differing,
        "first_divergence": row_address(request.GET, differing[0]) if differing else "",
        "divergence_before": next((n for n in reversed(differing) if n < first), None),
        "divergence_after": next((n for n in differing if n > last), None),
        "all_differences": [difference.value for difference in RowDifference],
        "wanted": wanted,
        "differences": [(name, words) for name, (_, words) in DIFFERENCES.items()],
        "kept": query_without(request.GET, "from"),
        "kept_differ": query_without(request.GET, "from", "differ"),
        "drawn": DRAWN.get(
            (stamp, first, folded), lambda: draw_rows(attempts, names, rows, folded), always
        ),
    }
    return render(request, "side_by_side/side_by_side.html", context)


def always(value: object) -> bool:
    """A kept value is good: its key has everything that it depends on."""
    return True


def is_open(attempt: Attempt) -> bool:
    return attempt.status in (Status.QUEUED, Status.RUNNING)


def find_attempts(request: HttpRequest, task: Task, asked: Sequence[str]) -> list[Attempt]:
    """The attempts that the address names, in its order. Raises Refused."""
    if len(asked) > MOST:
        raise Refused(
            f"Up to {MOST} attempts stand side by side; {len(asked)} were named.",
            HTTPStatus.BAD_REQUEST,
        )
    return list(dict.fromkeys(find_one(request, task, word) for word in asked))


def find_one(request: HttpRequest, task: Task, word: str) -> Attempt:
    named = NAMED.fullmatch(word)
    if named is None:
        shown = strip_invisible(word)[:40]
        raise Refused(
            f"“{shown}” names no attempt. Give the number of a run, such as 12, or of a run and "
            "one of its attempts, such as 12.2.",
            HTTPStatus.BAD_REQUEST,
        )
    run, number = int(named[1]), int(named[2] or 1)
    visible = Run.objects.visible_to(request.user)
    found: Attempt | None = (
        Attempt.objects.filter(run__in=visible, run_id=run, number=number)
        .filter(task__key=task.key, task__suite__name=task.suite.name)
        .select_related("run__entry", "run__suite", "task__suite")
        .first()
    )
    if found is None:
        raise Refused(
            f"There is no attempt {number} of run {run} at this task, or it is not public.",
            HTTPStatus.NOT_FOUND,
        )
    return found


def list_choices(task: Task) -> list[Attempt]:
    """Attempts to choose from: models before scripted baselines, newest run first."""
    return list(Results(task)[:MAX_CHOICES])


def name_each(attempts: Sequence[Attempt]) -> list[str]:
    """The entries' names; with run and attempt where one name stands for several."""
    names = [strip_invisible(attempt.run.entry.name) or "?" for attempt in attempts]
    return [
        name if names.count(name) == 1 else f"{name} (run {a.run_id}, attempt {a.number})"
        for name, a in zip(names, attempts, strict=True)
    ]


def list_columns(
    attempts: Sequence[Attempt], names: Sequence[str], left_out: Sequence[int], asked: QueryDict
) -> list[Column]:
    def without(attempt: Attempt) -> str:
        if len(attempts) <= 2:
            return ""
        kept = asked.copy()
        kept.pop("from", None)
        kept.setlist("a", [other.run_and_number for other in attempts if other != attempt])
        return kept.urlencode()

    parts = zip(attempts, "ABCD", names, left_out, strict=False)
    return [Column(a, letter, name, without(a), more) for a, letter, name, more in parts]


def query_without(asked: QueryDict, *names: str) -> str:
    """Query of the address for links to other windows, ready for one more parameter."""
    kept = asked.copy()
    for name in names:
        kept.pop(name, None)
    return f"{kept.urlencode()}&" if kept else ""


def row_address(asked: QueryDict, number: int) -> str:
    start = start_of(number)
    window = f"from={start}" if start > 1 else ""
    return f"?{query_without(asked, 'from')}{window}#row-{number}"
