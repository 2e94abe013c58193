"""One attempt, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render

from leaderboard.exporting import FORMATS
from leaderboard.failures import BY_KEY
from leaderboard.models import Attempt, Step, StepFile
from leaderboard.querysets import OPEN
from leaderboard.replay import tell
from leaderboard.stored import read_head
from leaderboard.views.attempts import find_attempt, read_number
from leaderboard.views.caching import has_copy
from leaderboard.views.tasks import category_of
from leaderboard.walking import find_neighbours

MAX_STEPS = 200
MAX_ARTIFACTS = 200
TOGGLES = ("thoughts", "code", "output", "files")


@dataclass(frozen=True)
class Try:
    """One claim of the attempt: the last one counts, earlier ones are evidence."""

    number: int
    steps: int
    is_current: bool
    is_last: bool


def replay(request: HttpRequest, run_id: int, key: str) -> HttpResponse:
    attempt = find_attempt(request, run_id, key)
    tag = live_tag(attempt)
    if tag and has_copy(request, tag):
        return HttpResponseNotModified(headers={"ETag": tag})
    files = Prefetch("files", StepFile.objects.select_related("blob"))
    steps = list(attempt.steps.prefetch_related(files)[:MAX_STEPS])
    last = max([1, attempt.tries, *(step.try_number for step in steps)])
    current = read_number(request, "try", last)
    tries = list_tries(steps, current, last)
    if current != last and current not in {t.number for t in tries}:
        raise Http404(f"This attempt has no try {current}.")
    verdicts = [v for v in attempt.verdicts.order_by("-pk")[:20] if v.try_number == current]
    artifacts = attempt.artifacts.select_related("blob").filter(try_number=current)
    _, category = category_of(attempt.task)
    context = {
        "attempt": attempt,
        "run": attempt.run,
        "task": attempt.task,
        "category": category,
        "is_last_try": current == last,
        "tries": tries,
        "state": attempt.state if current == last else "void",
        "story": tell(
            attempt,
            [step for step in steps if step.try_number == current],
            artifacts[:MAX_ARTIFACTS],
            next((v for v in verdicts if v.kind == "strict"), None),
            read_head,
        ),
        "near": find_neighbours(attempt, request.user, request.GET.get("in", "")),
        "tags": [BY_KEY[row.tag] for row in attempt.tags.all() if row.tag in BY_KEY],
        "formats": FORMATS,
        "toggles": TOGGLES,
        "chosen_attempt": f"?attempt={attempt.number}" if attempt.number > 1 else "",
        "etag": tag,
    }
    response = render(request, "replay.html", context)
    if tag:
        response["ETag"] = tag
        response["Cache-Control"] = "no-cache"
    return response


def live_tag(attempt: Attempt) -> str:
    """Changes with every step of an attempt that goes on; "" once it is over."""
    if attempt.status not in OPEN:
        return ""
    return f'"{attempt.status}-{attempt.tries}-{attempt.steps.count()}"'


def list_tries(steps: Sequence[Step], current: int, last: int) -> list[Try]:
    numbers = sorted({step.try_number for step in steps} | {last})
    counts = [sum(step.try_number == number for step in steps) for number in numbers]
    return [Try(n, c, n == current, n == last) for n, c in zip(numbers, counts, strict=True)]
