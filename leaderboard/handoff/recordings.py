"""Recordings that claimed attempts play again: from their rows, as the runner takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from leaderboard.models import Entry, RecordedAttempt, Run, unpack
from runner.contract import Output, OutputKind, RecordedPlay, Step, StepStatus, Usage

RECITED = (Entry.Provenance.RE_EXECUTED, Entry.Provenance.FORKED)


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
