"""Executes recorded code here: in the sandbox on a suite's real inputs, through the queue."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from leaderboard.accounts import quotas
from leaderboard.models import (
    AccountUse,
    Attempt,
    Entry,
    RecordedAttempt,
    Run,
    Suite,
    Task,
    pack,
    unpack,
)
from leaderboard.scoring.summaries import summarise
from leaderboard.submissions.run_actions import brought_entry, start
from leaderboard.uploads.same_tasks import find_task, list_installed
from runner.contract import refusal
from runner.submission_fields import ATTEMPTS_PER_TASK


@dataclass(frozen=True)
class Executable:
    """Recorded attempts at tasks of one installed suite."""

    suite: Suite
    attempts: tuple[tuple[int, Task], ...]  # id of the recorded attempt, and its task here


def find_executable(run: Run, only: str = "") -> Executable | None:
    """Of several suites, or of the one called `only`, the one that most attempts are at.

    None if there is none. An upload's attempts know their task; those of a file that maintainers
    imported are looked for by their query.
    """
    at: dict[str, list[tuple[int, str]]] = defaultdict(list)
    rows = Attempt.objects.filter(run=run).order_by("pk").values_list("pk", "task__key", "opening")
    installed = None if run.suite.is_private else list_installed()
    for pk, key, opening in rows.iterator(1):  # each may be large
        recorded = unpack(opening)
        if installed is None:
            same = recorded.get("same_task")
        else:
            found = find_task(str(recorded.get("query", "")), key, {}, installed)
            same = found.facts if found else None
        if same and only in ("", same["suite"]):
            at[same["suite"]].append((pk, same["key"]))
    playable = Suite.objects.shown().filter(is_recorded=False)
    for name in sorted(at, key=lambda name: -len(at[name])):
        suite = playable.filter(name=name).order_by("-pk").first()
        if suite is not None:
            tasks = {task.key: task for task in suite.tasks.all()}
            attempts = tuple((pk, tasks[key]) for pk, key in at[name] if key in tasks)
            if attempts:
                return Executable(suite, attempts)
    return None


def execute_upload(owner: AbstractBaseUser, run: Run) -> Run:
    """Queue a private run that plays the upload's code again. Raises ProblemError.

    It counts as a submission, and waits for its turn as any other run of its owner.
    """
    if not run.suite.is_private:
        raise refusal("not_an_upload", f"Run {run.pk} is no upload.", "Choose one of yours.")
    found = find_executable(run)
    if found is None:
        raise refusal(
            "nothing_to_execute",
            "No attempt of this upload is at a task of an installed suite.",
            "A task is recognised by its query.",
        )
    with transaction.atomic():
        use = quotas.use(owner, AccountUse.Kind.SUBMISSION)
        executed = queue_execution(run, found, owner)
        quotas.note_run(use, executed)
    return executed


@transaction.atomic
def queue_execution(recorded: Run, found: Executable, owner: AbstractBaseUser | None) -> Run:
    """Queue a run that plays the recorded attempts again: private if it has an owner, else as the
    recorded run is."""
    executed = write_run(owner, recorded, found)
    write_recordings(executed, found.attempts)
    return executed


def recording_of(attempt: Attempt) -> bytes:
    """The attempt's steps, for a worker; steps too large to be read are left out."""
    steps = [step for step in attempt.steps_that_count() if "left_out" not in step]
    messages = unpack(attempt.opening).get("messages") or []
    answer = unpack(attempt.closing).get("answer")
    return pack({"steps": steps, "answer": answer, "messages": messages})


def write_run(owner: AbstractBaseUser | None, recorded: Run, found: Executable) -> Run:
    """Queue a run of the tasks, in as many attempts as were recorded at most."""
    counts = Counter(task.pk for _, task in found.attempts)
    entry = brought_entry(
        owner,
        Entry.Provenance.RE_EXECUTED,
        recorded.entry.name,
        recorded.entry.model_name,
        "Code of recorded conversations, run again here on the suite's own inputs. "
        "No model was called: each step says if its observation came out as recorded.",
    )
    run = start(
        entry,
        found.suite,
        attempts_per_task=min(max(counts.values()), ATTEMPTS_PER_TASK.most),
        is_public=owner is None and recorded.is_public,
        tasks={task.key for _, task in found.attempts},
    )
    run.provider, run.environment = "", {"replayed from run": str(recorded.pk)}
    run.save(update_fields=["provider", "environment"])
    return run


def write_recordings(run: Run, attempts: Sequence[tuple[int, Task]]) -> None:
    """Give each attempt what it plays; those for which nothing was recorded are not played.

    One recording is in memory at a time.
    """
    queued = {(a.task_id, a.number): a for a in run.attempts.all()}
    numbers: Counter[int] = Counter()
    for pk, task in attempts:
        numbers[task.pk] += 1
        attempt = queued.pop((task.pk, numbers[task.pk]), None)
        if attempt is not None:
            body = recording_of(Attempt.objects.get(pk=pk))
            RecordedAttempt.objects.create(attempt=attempt, body=body)
    Attempt.objects.filter(pk__in=[attempt.pk for attempt in queued.values()]).delete()
    summarise(run)
