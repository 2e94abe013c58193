"""Random histories of the queue: every count stays what the attempts say, and nothing is lost."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Q

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Attempt, Entry, Run, StatusChange, Suite, Task
from leaderboard.models.querysets import OVER, UNFINISHED
from leaderboard.scoring.filing import file_runs, unfile_entry
from leaderboard.scoring.standings import refresh_changed
from leaderboard.search.filters import NOT_PASSED, Filter
from leaderboard.search.results import look
from leaderboard.submissions import pauses, run_actions
from leaderboard.tests.support.jobs import UNAUTHORISED, claim, judged, lose, step, void
from leaderboard.tests.support.recomputed import recompute
from leaderboard.tests.support.rows import make_suite
from runner.contract import Fenced, Job, Outcome, ProblemError, Status, Usage

pytestmark = pytest.mark.django_db

ACTS = 70
READERS = ("nobody", "ann", "ben")


@dataclass
class History:
    """Acts of owners, workers, operators and the sweep, drawn by chance."""

    chance: random.Random
    suites: list[Suite]
    owners: list[User | None]
    held: list[Job] = field(default_factory=list)  # by workers that live
    stale: list[Job] = field(default_factory=list)  # whose tokens are worthless
    made: int = 0

    def act(self) -> None:
        acts: dict[Callable[[], None], int] = {
            self.start: 3,
            self.claim: 9,
            self.end: 10,
            self.end_late: 2,
            self.lose_one: 2,
            self.cancel: 1,
            self.retry: 3,
            self.pause: 3,
            self.resume: 5,
            self.show: 2,
            self.delete: 1,
            self.change_provenance: 1,
            self.sweep: 2,
            self.file: 2,
            self.wait: 3,
        }
        [chosen] = self.chance.choices(list(acts), list(acts.values()))
        chosen()

    def start(self) -> None:
        self.made += 1
        entry = run_actions.register(
            name=f"Model {self.chance.randrange(6)}",
            base_url="http://127.0.0.1:1/v1",
            model="m",
            provenance=self.chance.choice(["", "", Entry.Provenance.SCRIPTED]),
        )
        unfile_entry(entry)  # it may have another provenance now
        Entry.objects.filter(pk=entry.pk).update(owner=self.chance.choice(self.owners))
        entry.refresh_from_db()
        run_actions.start(
            entry,
            self.chance.choice(self.suites),
            attempts_per_task=self.chance.randrange(1, 4),
            concurrency=self.chance.choice([1, 2, 64]),
            is_public=self.chance.random() < 0.7,
        )

    def any_run(self) -> int | None:
        ids = list(Run.objects.order_by("pk").values_list("pk", flat=True))
        return self.chance.choice(ids) if ids else None

    def claim(self) -> None:
        run = self.any_run() if self.chance.random() < 0.6 else None
        jobs = claim(run, self.chance.randrange(1, 9), f"w{self.chance.randrange(2)}")
        claimed = [job.attempt_id for job in jobs]
        assert len(set(claimed)) == len(claimed)
        self.held = [job for job in self.held if job.attempt_id not in claimed] + jobs

    def pop(self) -> Job | None:
        return self.held.pop(self.chance.randrange(len(self.held))) if self.held else None

    def end(self) -> None:
        job = self.pop()
        if job is None:
            return
        if self.chance.random() < 0.5:
            attempts.step(job, step(1))
        results = [
            judged(True, turns=self.chance.randrange(1, 9)),
            judged(False, usage=Usage(7, None)),
            void(Outcome.KERNEL_LOST),
            void(),
            void(problem=UNAUTHORISED),
            void(Outcome.CANCELLED),
        ]
        match self.chance.randrange(8):
            case 0:
                attempts.release(job)
            case n:
                attempts.record_result(job, results[min(n - 1, 5)])
        self.stale.append(job)

    def end_late(self) -> None:
        """A worker that lost its attempt writes all the same."""
        if not self.stale:
            return
        job = self.chance.choice(self.stale)
        before = list(Attempt.objects.filter(pk=job.attempt_id).values())
        with pytest.raises(Fenced):
            attempts.step(job, step(1))
        for result in (judged(True), void()):
            with pytest.raises(Fenced):
                attempts.record_result(job, result)
        attempts.release(job)
        assert attempts.renew([job]) == set()
        assert list(Attempt.objects.filter(pk=job.attempt_id).values()) == before

    def lose_one(self) -> None:
        if job := self.pop():
            lose(job)
            sweep_queue()
            self.stale.append(job)

    def cancel(self) -> None:
        if run := self.any_run():
            run_actions.cancel(run)

    def retry(self) -> None:
        if run := self.any_run():
            with contextlib.suppress(ProblemError):  # cancelled, or nothing is void
                run_actions.retry(run)

    def pause(self) -> None:
        """A living worker gives back what it holds, sooner or later."""
        if run := self.any_run():
            with contextlib.suppress(ProblemError):  # cancelled, or over
                pauses.pause(run)
                assert claim(run, 9, "w0") == []

    def resume(self) -> None:
        if run := self.any_run():
            with contextlib.suppress(ProblemError):  # cancelled by nobody, or still stopping
                pauses.resume(run)

    def show(self) -> None:
        if run := self.any_run():
            with contextlib.suppress(ProblemError):  # what is carried on stays private
                self.chance.choice([run_actions.publish, run_actions.withdraw])(run)

    def delete(self) -> None:
        run = self.any_run()
        if run and self.chance.random() < 0.5:
            gone = set(Attempt.objects.filter(run=run).values_list("pk", flat=True))
            self.held = [job for job in self.held if job.attempt_id not in gone]
            self.stale = [job for job in self.stale if job.attempt_id not in gone]
            Run.objects.get(pk=run).delete()

    def change_provenance(self) -> None:
        entry = Entry.objects.order_by("?").first()
        if entry:
            entry.provenance = self.chance.choice([*Entry.Provenance])
            entry.save()
            unfile_entry(entry)

    def sweep(self) -> None:
        sweep_queue()

    def file(self) -> None:
        file_runs(limit=self.chance.randrange(1, 4))

    def wait(self) -> None:
        Attempt.objects.filter(status=Status.QUEUED).update(not_before=None)

    def drain(self) -> None:
        """Play all to the end."""
        for run in Run.objects.filter(status=Status.PAUSED, cancel_requested=False):
            pauses.resume(run.pk)
        for job in self.held:
            attempts.record_result(job, judged(True))
        for _ in range(200):
            self.wait()
            jobs = claim(None, 64, "last")
            for job in jobs:
                attempts.record_result(job, judged(self.chance.random() < 0.5))
            sweep_queue()
            if not jobs and not Run.objects.filter(status__in=UNFINISHED).exists():
                return
        pytest.fail(
            "runs are stuck: " + str(list(Run.objects.filter(status__in=UNFINISHED).values()))
        )


def sound() -> str:
    return f"{Run.objects.count()} runs, 0 with figures that differed\n"


def count_by_hand(reader: User | AnonymousUser) -> dict[str, Counter[str]]:
    """Count the attempts for /failures/ from their rows, with baselines."""
    counts: dict[str, Counter[str]] = {key: Counter() for key in ("task", "tag", "entry", "states")}
    runs = Run.objects.visible_to(reader)
    for attempt in Attempt.objects.filter(run__in=runs, status=Status.DONE).select_related(
        "run__entry", "task"
    ):
        counts["states"][attempt.state] += 1
        if attempt.state != "passed":
            counts["task"][attempt.task.key] += 1
            counts["entry"][attempt.run.entry.slug] += 1
            counts["tag"].update(attempt.tags.values_list("tag", flat=True))
    return counts


def assert_counts(readers: list[User | AnonymousUser]) -> None:
    for reader in readers:
        seen = look(Filter(baselines="1", state=NOT_PASSED), reader)
        right = count_by_hand(reader)
        assert seen.is_exact
        for key in ("task", "tag", "entry"):
            assert seen.count(key) == right[key], (reader, key)
        assert Counter(seen.states) == right["states"] + Counter()


def assert_tasks() -> None:
    """/tasks/ once the sweep has filed what is over."""
    while file_runs():
        pass
    refresh_changed()
    is_counted = Q(
        attempts__run__is_public=True,
        attempts__run__status__in=OVER,
        attempts__status=Status.DONE,
        attempts__passed__isnull=False,
    )
    kinds = Entry.Provenance
    for kind in (kinds.SCRIPTED, kinds.RE_EXECUTED, kinds.RE_SCORED, kinds.FORKED, kinds.HUMAN):
        is_counted &= ~Q(attempts__run__entry__provenance=kind)
    for task in Task.objects.annotate(
        right=Count("attempts", is_counted),
        right_solved=Count("attempts", is_counted & Q(attempts__passed=True)),
    ):
        assert (task.decided, task.solved) == (task.right, task.right_solved)


def assert_diary() -> None:
    """Each attempt's moves follow each other, from queued to where it is."""
    for attempt in Attempt.objects.all():
        at = str(Status.QUEUED)
        for change in attempt.status_changes.order_by("pk"):
            assert change.before == at, (attempt, list(attempt.status_changes.values()))
            at = change.after
        assert at == attempt.status
    for run in Run.objects.all():
        last = StatusChange.objects.filter(run=run, attempt=None).latest("pk")
        assert last.after == run.status


@pytest.fixture
def owners() -> list[User]:
    return [User.objects.create(username=name) for name in ("ann", "ben")]


@pytest.mark.parametrize("seed", range(12))
def test_random_history_leaves_every_count_right(seed: int, owners: list[User]) -> None:
    chance = random.Random(seed)
    history = History(chance, [make_suite("small", 4), make_suite("other", 3)], [None, *owners])
    readers: list[User | AnonymousUser] = [*owners, AnonymousUser()]
    history.start()
    for number in range(ACTS):
        history.act()
        if number % 10 == 9:
            assert recompute("--dry-run") == sound()
            assert_counts(readers)
    assert_diary()
    history.drain()
    assert_tasks()
    refresh_changed()
    assert recompute("--dry-run") == sound()
    assert_counts(readers)
    assert_diary()
