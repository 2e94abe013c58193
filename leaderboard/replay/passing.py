"""Attempts that passed the task of a failed one: the steps that wrote the files in question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from leaderboard.models import Attempt, Entry, Run, Step, unpack
from leaderboard.replay.files import address_of
from leaderboard.replay.step_windows import MAX_FILES, address_of_step, is_written
from runner.contract import Status, StepStatus

MAX_LOOKED_AT = 100  # newest passing attempts, of which one per entry is taken
MAX_SHOWN = 3


@dataclass(frozen=True)
class WrittenFile:
    """A file as a passing attempt left it, and the step that wrote it last."""

    path: str
    step: int
    step_address: str
    address: str  # of its bytes, "" where they were not kept


@dataclass(frozen=True)
class PassingAttempt:
    """An attempt that passed, and what it did about the files that the failed one got wrong."""

    attempt: Attempt
    files: tuple[WrittenFile, ...] = ()
    answer_address: str = ""  # of the step that answered; "" where the answer is not in question

    @property
    def is_scripted(self) -> bool:
        return self.attempt.run.entry.provenance == Entry.Provenance.SCRIPTED


def find_passing(attempt: Attempt, user: Any, files: Sequence[str]) -> tuple[PassingAttempt, ...]:
    """Up to MAX_SHOWN attempts of different entries that passed, models before baselines.

    `files` are those that failed assertions looked at, "" for the answer. Three queries at most.
    """
    chosen = choose(attempt, user) if files else []
    return look_into(chosen, files) if chosen else ()


def count_not_reached(passing: Attempt | None, checked: int) -> int:
    """Checks that an attempt which passed has more than the `checked` ones of a failed attempt.

    Those are what its task's code did not come to. 0 where no attempt passed. One query.
    """
    if passing is None:
        return 0
    verdicts = passing.verdicts.filter(kind="strict").order_by("-pk")
    body = verdicts.values_list("body", flat=True).first()
    return max(0, len(unpack(body)) - checked) if body else 0


def choose(attempt: Attempt, user: Any) -> list[Attempt]:
    """The newest passing attempt of each entry."""
    passing = (
        Attempt.objects.filter(
            task=attempt.task_id,
            passed=True,
            status=Status.DONE,
            run__in=Run.objects.visible_to(user).filter(withdrawn_at=None),
        )
        .order_by("-run_id", "number")
        .select_related("task", "run__entry")
        .only("number", "tries", "task__key", "run__entry__name", "run__entry__provenance")
    )
    is_scripted = Q(run__entry__provenance=Entry.Provenance.SCRIPTED)
    newest = list(passing[:MAX_LOOKED_AT])
    models = [one for one in newest if not PassingAttempt(one).is_scripted]
    if not models and len(newest) == MAX_LOOKED_AT:  # baselines hide what is older
        models = list(passing.exclude(is_scripted)[:MAX_LOOKED_AT])
    by_entry = {one.run.entry_id: one for one in reversed(models or newest)}
    return sorted(by_entry.values(), key=lambda one: (-one.run_id, one.number))[:MAX_SHOWN]


def look_into(attempts: Sequence[Attempt], files: Sequence[str]) -> tuple[PassingAttempt, ...]:
    """The last version of each of the files, and the step that answered where that is asked for."""
    tries = {one.pk: one for one in attempts}
    paths = {f"output/{file.removeprefix('output/')}" for file in files if file}
    wanted = Q(files__path__in=paths) | (Q(status=StepStatus.ANSWER) if "" in files else Q())
    rows = (
        Step.objects.filter(wanted, attempt__in=attempts)
        .order_by("index")
        .values_list(
            "attempt_id", "try_number", "index", "status",
            "files__path", "files__kind", "files__blob_id",
        )[:MAX_FILES]
    )  # fmt: skip
    written: dict[int, dict[str, WrittenFile]] = {pk: {} for pk in tries}
    answers: dict[int, str] = {}
    for pk, try_number, index, status, path, kind, sha256 in rows:
        if try_number != tries[pk].counted_try:
            continue
        place = address_of_step(tries[pk], index)
        if status == StepStatus.ANSWER:
            answers[pk] = place
        if path in paths and is_written(kind):
            address = address_of(sha256, path) if sha256 else ""
            written[pk][path] = WrittenFile(path, index, place, address)
    return tuple(
        PassingAttempt(one, tuple(written[one.pk].values()), answers.get(one.pk, ""))
        for one in attempts
    )
