"""Usual work of attempts at a task, passed and failed ones apart: steps, errors and libraries."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from django.db.models import BinaryField, Case, F, QuerySet, When
from django.db.models.functions import Length

from leaderboard.failures.facts import FAILED_STATUSES
from leaderboard.models import Attempt, Step, Task, unpack
from leaderboard.process_cache import Shelf

MAX_ATTEMPTS = 20  # of each kind, the newest
MAX_STEPS = 300  # of all of them
MAX_BODY_BYTES = 64 * 1024  # packed; larger steps are counted, and their code is not read
MAX_CODE_CHARS = 20_000  # of a step
MAX_LIBRARIES = 8  # shown
MAX_NAME_CHARS = 40


@dataclass(frozen=True)
class Library:
    """A library, and how many of the attempts imported it."""

    name: str
    attempts: int


@dataclass(frozen=True)
class Work:
    """Usual work of some attempts."""

    attempts: int = 0
    steps: float = 0.0  # median
    with_errors: int = 0  # attempts with a step that failed
    libraries: tuple[Library, ...] = ()


WORK: Shelf[tuple[Work, Work]] = Shelf(size=200)


def describe_work(task: Task, attempts: QuerySet[Attempt]) -> tuple[Work, Work]:
    """The work of passed and of failed ones of these attempts, which are newest first.

    Two queries where it is known, else three.
    """
    chosen = [list_newest(attempts, passed) for passed in (True, False)]
    key = (task.pk, *((tuple(ids)) for ids in chosen))
    return WORK.get(key, lambda: read_work(chosen), lambda known: True)


def list_newest(attempts: QuerySet[Attempt], passed: bool) -> list[tuple[int, int]]:
    """Ids, and the try that counts, which moves when an attempt is played again."""
    rows = attempts.filter(passed=passed).values_list("pk", "tries")
    return list(rows[:MAX_ATTEMPTS])


def read_work(chosen: Sequence[Sequence[tuple[int, int]]]) -> tuple[Work, Work]:
    ids = [pk for rows in chosen for pk, _ in rows]
    steps = (
        Step.objects.filter(attempt__in=ids, try_number=F("attempt__tries"))
        .annotate(size=Length("body"))
        .order_by("-attempt_id", "index")
    )
    counts: Counter[int] = Counter()
    failed: set[int] = set()
    libraries: dict[int, set[str]] = defaultdict(set)
    small = Case(When(size__lte=MAX_BODY_BYTES, then=F("body")), output_field=BinaryField())
    rows = steps.annotate(small=small).values_list("attempt_id", "status", "small")
    for attempt_id, status, body in rows[:MAX_STEPS]:
        counts[attempt_id] += 1
        if status in FAILED_STATUSES:
            failed.add(attempt_id)
        if body:
            libraries[attempt_id] |= set(imported(code_in(body)))
    first, second = (sum_up([pk for pk, _ in rows], counts, failed, libraries) for rows in chosen)
    return first, second


def code_in(body: bytes | memoryview) -> str:
    stored = unpack(body)
    return str(stored.get("code") or "")[:MAX_CODE_CHARS] if isinstance(stored, dict) else ""


def sum_up(
    ids: Sequence[int], counts: Counter[int], failed: set[int], libraries: dict[int, set[str]]
) -> Work:
    """Attempts without stored steps say nothing, and are not counted."""
    known = [pk for pk in ids if counts[pk]]
    if not known:
        return Work()
    used = Counter(name for pk in known for name in libraries.get(pk, ()))
    ordered = sorted(used.items(), key=lambda one: (-one[1], one[0]))[:MAX_LIBRARIES]
    return Work(
        len(known),
        median(counts[pk] for pk in known),
        sum(pk in failed for pk in known),
        tuple(Library(name, count) for name, count in ordered),
    )


def imported(code: str) -> Iterator[str]:
    """Libraries that a cell imports, of those that Python does not bring; linear in the code."""
    for line in code.splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "import":
            names = [part.split() for part in rest.split(",")]
            found = [part[0] for part in names if part]
        elif word == "from":
            found = rest.split(maxsplit=1)[:1]
        else:
            continue
        for name in found:
            top = name.partition(".")[0].rstrip(";")
            if top.isidentifier() and len(top) <= MAX_NAME_CHARS and is_foreign(top):
                yield top


def is_foreign(name: str) -> bool:
    return name not in sys.stdlib_module_names
