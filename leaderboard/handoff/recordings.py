"""Recordings that claimed attempts play again: from their rows, as the runner takes them."""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.core.files.storage import default_storage

from leaderboard.models import Entry, RecordedAttempt, Run, unpack
from leaderboard.trajectories.readers.conversation import Unusable
from leaderboard.trajectories.readers.zip_archive import ZipMember, copy_member
from runner.contract import (
    Fault,
    Output,
    OutputKind,
    Problem,
    ProblemError,
    RecordedPlay,
    RefusedFile,
    Step,
    StepStatus,
    Usage,
)

RECITED = (Entry.Provenance.RE_EXECUTED, Entry.Provenance.FORKED, Entry.Provenance.RE_SCORED)
FULL = (errno.ENOSPC, errno.EDQUOT)  # our disk: no fault of whoever sent the file


def read_recordings(run: Run, attempt_ids: Sequence[int]) -> dict[int, RecordedPlay]:
    """By attempt; one query for a run that plays recorded steps, none for others."""
    if run.entry.provenance not in RECITED:
        return {}
    rows = RecordedAttempt.objects.filter(pk__in=attempt_ids).values_list("pk", "body")
    return {pk: recording_of(unpack(body)) for pk, body in rows}


def recording_of(body: Mapping[str, Any]) -> RecordedPlay:
    return RecordedPlay(
        steps=tuple(step_of(number, facts) for number, facts in enumerate(body["steps"], 1)),
        answer=body["answer"],
        messages=tuple(body["messages"]),
        typed=frozenset(body.get("typed", ())),
        goes_on=body.get("goes_on", False),
        bring_files=partial(unpack_files, body["archive"], body["files"])
        if "archive" in body
        else None,
    )


def unpack_files(
    storage_name: str, files: Sequence[Mapping[str, Any]], folder: Path
) -> tuple[RefusedFile, ...]:
    """Write files of a stored zip below `folder`, each from where it lay when the zip was read.

    No more bytes are written than the zip said then. Raises ProblemError when its bytes are gone,
    and OSError when the disk is full.
    """
    try:
        stored = default_storage.open(storage_name)
    except FileNotFoundError as error:
        raise ProblemError(bytes_are_gone(storage_name)) from error
    refused = []
    with stored:
        for member in (ZipMember(**facts) for facts in files):
            path, target = member.name, folder / member.name
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("xb") as file:
                    copy_member(stored, member, file)
            except Unusable:
                target.unlink(missing_ok=True)
                refused.append(RefusedFile(path, "is damaged in the archive"))
            except OSError as error:
                if error.errno in FULL:
                    raise
                refused.append(RefusedFile(path, "clashes with another, or its name is too long"))
    return tuple(refused)


def bytes_are_gone(storage_name: str) -> Problem:
    return Problem(
        Fault.US,
        "bytes_missing",
        f"The bytes of the archive ({storage_name}) are missing from storage.",
        "Bring it in again.",
    )


def step_of(number: int, facts: Mapping[str, Any]) -> Step:
    """A stored step, without the pictures that it showed: they are not compared."""
    outputs = tuple(
        Output(
            OutputKind(output["kind"]),
            text=output["text"],
            error_name=output["error_name"],
            error_value=output["error_value"],
        )
        for output in facts["outputs"]
    )
    return Step(
        index=number,
        status=StepStatus(facts["status"]),
        reply=facts["reply"],
        thought=facts["thought"],
        code=facts["code"],
        outputs=outputs,
        observation=facts["observation"],
        notes=tuple(facts["notes"]),
        usage=Usage(**facts["usage"]),
        finish_reason=facts["finish_reason"],
        messages=tuple(facts["messages"]),
    )
