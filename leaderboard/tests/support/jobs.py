"""Jobs that a test claims as a worker does, and their results."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta

from django.utils import timezone

from leaderboard.handoff import attempts
from leaderboard.handoff.dispatch import SENT, count_in_flight, find_contenders
from leaderboard.models import Attempt, Run
from leaderboard.queue import clock
from leaderboard.tests.support.rows import make_step
from runner.contract import (
    Assertion,
    AttemptResult,
    ChangeKind,
    EndpointSpec,
    Fault,
    FileChange,
    Harvest,
    Job,
    Limits,
    Outcome,
    Output,
    OutputKind,
    Problem,
    Step,
    StepStatus,
    Usage,
    Verdict,
)
from runner.unplayed import unplayed

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)
FLAKY = Problem(Fault.SUBMITTER, "endpoint_unreachable", "No connection to it.", "Wait.")
UNAUTHORISED = Problem(
    Fault.SUBMITTER, "endpoint_unauthorised", "The endpoint refused the key.", "Give another."
)


def judged(
    passed: bool, *, turns: int = 3, usage: Usage | None = None, harvest: Harvest | None = None
) -> AttemptResult:
    """A finished attempt with its verdict."""
    assertion = Assertion("rows", passed, expected="4", actual="4" if passed else "3")
    return AttemptResult(
        outcome=Outcome.FINISHED,
        verdict=Verdict(passed, (assertion,), "As asked." if passed else "A row is missing.", "v1"),
        answer="Done.",
        turns=turns,
        usage=usage or Usage(prompt_tokens=100, completion_tokens=20),
        model_s=1.5,
        cell_s=0.5,
        wall_s=2.5,
        harvest=harvest or Harvest(),
        environment={"sandbox": "bwrap"},
    )


def void(outcome: Outcome = Outcome.ENDPOINT_FAILED, problem: Problem = FLAKY) -> AttemptResult:
    """A try that says nothing about the model."""
    return unplayed(outcome, problem)


def claim(run_id: int | None, limit: int, worker: str) -> list[Job]:
    """Up to `limit` attempts of a run, or of any run, sent to and claimed by a worker at once."""
    jobs: list[Job] = []
    now = clock.now()
    for run in find_contenders(now, count_in_flight(now)):
        wanted = min(limit - len(jobs), run.room)
        if run_id in (None, run.run_id) and wanted > 0:
            ready = Attempt.objects.ready(now).filter(run=run.run_id).order_by("pk")
            ids = list(ready.values_list("pk", flat=True)[:wanted])
            token = uuid.uuid4()
            Attempt.objects.filter(pk__in=ids).update(token=token, lease_until=clock.now() + SENT)
            jobs += filter(None, [attempts.claim(pk, str(token), worker) for pk in ids])
    return jobs


def claim_one(run: Run) -> Job:
    [job] = claim(run.pk, 1, "worker")
    return job


def job_of(attempt: Attempt) -> Job:
    """The job of whoever holds the attempt, as far as writes need it."""
    spec, limits = EndpointSpec("http://127.0.0.1:1/v1", "m"), Limits()
    key, token = attempt.task.key, str(attempt.token)
    return Job(attempt.pk, token, "small", key, 1, attempt.number, spec, limits, attempt.run_id)


def attempt_of(job: Job) -> Attempt:
    return Attempt.objects.get(pk=job.attempt_id)


def lose(job: Job) -> None:
    """The worker of this job stopped renewing long ago."""
    past = timezone.now() - timedelta(seconds=1)
    Attempt.objects.filter(pk=job.attempt_id).update(lease_until=past)


def skip_back_off(run: Run) -> None:
    run.attempts.update(not_before=timezone.now() - timedelta(seconds=1))


def step(index: int = 1, status: StepStatus = StepStatus.OK) -> Step:
    made = make_step(
        index,
        status=status,
        thought="Let me look.",
        code="print(1)",
        outputs=(
            Output(OutputKind.STDOUT, "1\n\x00\ud800"),
            Output(OutputKind.DISPLAY, data={"image/png": PIXEL, "text/plain": "<Figure>"}),
        ),
        changes=(
            FileChange("output/a.csv", ChangeKind.CREATED, 3, sha256="x", content=b"a,b"),
            FileChange("output/gone.csv", ChangeKind.DELETED, size_before_bytes=9),
        ),
    )
    messages = ({"role": "assistant", "content": "Let me look."},)
    return replace(made, observation="1", messages=messages)
