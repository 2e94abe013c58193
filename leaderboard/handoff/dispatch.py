"""Who plays next: sends as many attempts to the workers as they have free places.

A free place goes to the account with the fewest attempts in flight, there to its oldest run. A run
has at most as many in flight as its owner allowed, an endpoint at most as many as it bears.
"""

from __future__ import annotations

import heapq
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Exists, OuterRef

from leaderboard.handoff.claims import name_pace, unsend
from leaderboard.models import Attempt, Run, TaskLock, Worker, WorkerPace
from leaderboard.models.querysets import OPEN, is_ready
from leaderboard.queue import clock
from leaderboard.queue.messages import send_attempt
from runner.contract import Status

SENT = timedelta(seconds=30)  # then an attempt that no worker took is ready again
RENEWALS = 4  # of a worker's row during a lease
MISSED = 3  # of them; then it has no places
NAME = "dispatch"


@dataclass
class Contender:
    """A run that has attempts to play."""

    run_id: int
    account: int | None  # runs without an owner are the operator's, and share one
    endpoint: str  # runs with the same one share its width
    room: int  # attempts that it may have in flight beside those that it has
    width: int  # attempts that its endpoint is given before it is known


@dataclass
class InFlight:
    """Attempts that are running, or on their way to a worker."""

    accounts: Counter[int | None] = field(default_factory=Counter)
    endpoints: Counter[str] = field(default_factory=Counter)
    runs: Counter[int] = field(default_factory=Counter)
    workers: Counter[str] = field(default_factory=Counter)  # "" for those on their way
    # Of endpoints, as far as their workers have found out, and where they found an end.
    widths: Counter[str] = field(default_factory=Counter)
    bounds: dict[str, int] = field(default_factory=dict)


def dispatch() -> bool:
    """Send what there are free places for; False if another process is deciding at this moment."""
    now = clock.now()
    ready = Attempt.objects.ready(now).filter(run__status__in=OPEN)
    if not ready.exists():  # before others are kept waiting
        return True
    with transaction.atomic():
        if not TaskLock.objects.select_for_update(skip_locked=True).filter(name=NAME):
            return TaskLock.objects.get_or_create(name=NAME)[1] and dispatch()
        send_all(clock.now())
        return True


def send_all(now: datetime) -> int:
    in_flight = count_in_flight(now)
    free = count_places(now, in_flight)
    contenders = find_contenders(now, in_flight) if free > 0 else []
    left = free
    while chosen := choose(contenders, in_flight, left):
        for run in contenders:
            asked = chosen[run.run_id]
            got = send(run.run_id, asked, now) if asked else 0
            run.room = run.room - got if got == asked else 0  # with fewer it has none left
            in_flight.accounts[run.account] += got
            in_flight.endpoints[run.endpoint] += got
            left -= got
    return free - left


def choose(contenders: Sequence[Contender], in_flight: InFlight, free: int) -> Counter[int]:
    """The rule: how many of the free places each run gets. `contenders` come oldest first."""
    room = Counter({run.run_id: run.room for run in contenders})
    width: Counter[str] = Counter()
    for run in contenders:
        width[run.endpoint] = max(width[run.endpoint], run.width)
    width |= in_flight.widths  # the wider one
    dict.update(width, in_flight.bounds)
    width.subtract(in_flight.endpoints)
    runs_of: defaultdict[int | None, list[Contender]] = defaultdict(list)
    for run in reversed(contenders):
        runs_of[run.account].append(run)
    turns = [(in_flight.accounts[a], runs[-1].run_id, a) for a, runs in runs_of.items()]
    heapq.heapify(turns)
    chosen: Counter[int] = Counter()
    while turns and free > 0:
        held, _, account = heapq.heappop(turns)
        runs = runs_of[account]
        while runs and (room[runs[-1].run_id] <= 0 or width[runs[-1].endpoint] <= 0):
            runs.pop()
        if not runs:
            continue
        run = runs[-1]
        chosen[run.run_id] += 1
        room[run.run_id] -= 1
        width[run.endpoint] -= 1
        free -= 1
        heapq.heappush(turns, (held + 1, run.run_id, account))
    return chosen


def send(run_id: int, most: int, now: datetime) -> int:
    """Send the run's next attempts that are ready, once this is committed; how many."""
    ready = Attempt.objects.ready(now).filter(run=run_id).order_by("void_tries", "pk")
    ids = list(ready.select_for_update(skip_locked=True).values_list("pk", flat=True)[:most])
    if ids:
        token = uuid.uuid4()
        Attempt.objects.filter(pk__in=ids).update(token=token, lease_until=now + SENT)
        transaction.on_commit(lambda: send_messages(ids, str(token)))
    return len(ids)


def send_messages(ids: Iterable[int], token: str) -> None:
    for attempt_id in ids:
        if not send_attempt(attempt_id, token):
            unsend(attempt_id, token)


def is_anyone_waiting() -> bool:
    """True while an attempt could be played if there were a place."""
    now = clock.now()
    return any(run.room > 0 for run in find_contenders(now, count_in_flight(now)))


def find_contenders(now: datetime, in_flight: InFlight) -> list[Contender]:
    ready = Attempt.objects.filter(is_ready(now), run=OuterRef("pk"))
    runs = (
        Run.objects.open()
        .filter(Exists(ready), cancel_requested=False)
        .order_by("pk")
        .values_list(
            "pk", "entry__owner", "entry__endpoint__base_url", "concurrency", "endpoint_failures"
        )
    )
    return [
        Contender(
            pk,
            owner,
            name_pace(owner, base_url),
            (1 if failures else lanes) - in_flight.runs[pk],  # one asks whether it is back
            lanes,
        )
        for pk, owner, base_url, lanes, failures in runs
    ]


def count_in_flight(now: datetime) -> InFlight:
    found = InFlight()
    groups = (
        Attempt.objects.in_flight(now)
        .values_list(
            "run", "run__entry__owner", "run__entry__endpoint__base_url", "status", "worker"
        )
        .annotate(count=Count("pk"))
        .order_by()
    )
    at_work: dict[tuple[int, str], str] = {}  # endpoints of runs by their workers
    for run_id, owner, base_url, status, worker, count in groups:
        endpoint = name_pace(owner, base_url)
        found.accounts[owner] += count
        found.endpoints[endpoint] += count
        found.runs[run_id] += count
        found.workers[worker if status == Status.RUNNING else ""] += count
        if status == Status.RUNNING:
            at_work[run_id, worker] = endpoint
    paces = WorkerPace.objects.filter(run__in=found.runs.keys())
    for run_id, worker, limit, reason in paces.values_list("run", "worker", "limit", "reason"):
        if (run_id, worker) not in at_work:
            continue
        endpoint = at_work[run_id, worker]
        if reason:
            found.bounds[endpoint] = min(limit, found.bounds.get(endpoint, limit))
        else:
            found.widths[endpoint] = max(limit, found.widths[endpoint])
    return found


def count_places(now: datetime, in_flight: InFlight) -> int:
    """Free places of the workers that renewed their row lately."""
    lately = now - clock.lease() * MISSED / RENEWALS
    places = Worker.objects.filter(seen_at__gt=lately).values_list("name", "places")
    free = sum(max(0, count - in_flight.workers[name]) for name, count in places)
    return free - in_flight.workers[""]


def note_worker(name: str, places: int) -> None:
    """Renew a worker's row."""
    Worker.objects.update_or_create(
        name=name[:120], defaults={"places": places, "seen_at": clock.later()}
    )


def forget_worker(name: str) -> None:
    Worker.objects.filter(name=name[:120]).delete()
