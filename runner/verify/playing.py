"""Stored code of a run played again here, in the sandbox, and what it leaves judged anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from runner.contract import Output, OutputKind, Step, StepStatus
from runner.evidence.statement import trajectory_name
from runner.recorded_attempt import Recording, Replayed, replay_all
from runner.suite.reader import Suite
from runner.verify.bundle import Bundle
from runner.verify.claims import ClaimedAttempt, ClaimedRun, bad_manifest
from runner.verify.scoring import JudgedAgain, why_unscored

MAX_STEPS = 1_000
KINDS = frozenset(OutputKind)


@dataclass(frozen=True)
class PlayedAgain:
    """Verdicts on what the code left here, and how many observations came out as recorded."""

    judged: list[JudgedAgain]
    same: int
    played: int


def play_again(
    suite: Suite,
    run: ClaimedRun,
    bundle: Bundle,
    scratch: Path,
    jobs: int,
    report: Callable[[Replayed], None],
) -> PlayedAgain:
    """Every attempt with a verdict, in the manifest's order; no model is asked."""
    judged = [one for one in run.attempts if one.passed is not None]
    reasons = {one.key: why_unscored(suite, one) for one in judged}
    playable = [one for one in judged if not reasons[one.key]]
    recordings = [read_recording(suite, one, bundle) for one in playable]
    replayed = replay_all(replace(suite, seed=run.seed), recordings, scratch, jobs, report)
    found = {one.key: again for one, again in zip(playable, replayed, strict=True)}
    return PlayedAgain(
        [tell(one, reasons[one.key], found.get(one.key)) for one in judged],
        same=sum(again.same for again in replayed),
        played=sum(again.played for again in replayed),
    )


def tell(claim: ClaimedAttempt, why_not: str, again: Replayed | None) -> JudgedAgain:
    if again is None or again.verdict is None:
        return JudgedAgain(claim, None, why_not=why_not or (again.problem if again else ""))
    if {file.path: file.sha256 for file in again.inputs} != claim.inputs:
        return JudgedAgain(claim, None, why_not="its inputs are other ones here")
    return JudgedAgain(claim, again.verdict.passed, again.verdict.sentence)


def read_recording(suite: Suite, one: ClaimedAttempt, bundle: Bundle) -> Recording:
    """The attempt's code and answer. ProblemError for a malformed trajectory."""
    trajectory = bundle.read_json(trajectory_name(one.task, one.number))
    try:
        steps = trajectory["steps"][:MAX_STEPS]
        answer = (trajectory["closing"] or {}).get("answer")
        return Recording(
            suite.task(one.task),
            tuple(read_step(place, step) for place, step in enumerate(steps, 1)),
            answer if isinstance(answer, str) else None,
        )
    except (KeyError, TypeError, AttributeError, ValueError):
        raise bad_manifest(f"the trajectory of {one.name} is not one") from None


def read_step(index: int, facts: Mapping[str, Any]) -> Step:
    code = facts.get("code")
    outputs = facts.get("outputs") or ()
    return Step(
        index=index,
        status=StepStatus.OK,
        reply="",
        code=code if isinstance(code, str) else None,
        outputs=tuple(read_output(one) for one in outputs if one.get("kind") in KINDS),
    )


def read_output(facts: Mapping[str, Any]) -> Output:
    data = {str(mime): str(value) for mime, value in (facts.get("data") or {}).items()}
    return Output(
        OutputKind(facts["kind"]),
        text=str(facts.get("text", "")),
        data=data,
        error_name=str(facts.get("error_name", "")),
        error_value=str(facts.get("error_value", "")),
    )
