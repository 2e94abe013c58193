"""Suites, entries, runs and results for the tests of the queue."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from leaderboard import handoff
from leaderboard.models import Attempt, Entry, Run, Suite, Task
from leaderboard.submissions import register, start
from runner.contract import (
    Assertion,
    AttemptResult,
    ChangeKind,
    Fault,
    FileChange,
    Harvest,
    Job,
    Outcome,
    Output,
    OutputKind,
    Problem,
    Step,
    StepStatus,
    Usage,
    Verdict,
)

CATEGORIES = ("chart", "text", "image")
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)
FLAKY = Problem(Fault.SUBMITTER, "endpoint_overloaded", "The endpoint answered 503.", "Wait.")
UNAUTHORISED = Problem(
    Fault.SUBMITTER, "endpoint_unauthorised", "The endpoint refused the key.", "Give another."
)


def make_suite(tasks: int = 6, name: str = "small") -> Suite:
    suite = Suite.objects.create(
        name=name,
        version="1",
        title="Small",
        digest="d" * 64,
        seed=7,
        categories=[{"key": c, "title": c.title()} for c in CATEGORIES],
        limits={"max_turns": 10},
    )
    for position in range(1, tasks + 1):
        Task.objects.create(
            suite=suite,
            key=f"task-{position}",
            position=position,
            title=f"Task {position}",
            category=CATEGORIES[position % len(CATEGORIES)],
            query="Do it.",
            digest="e" * 64,
        )
    return suite


def make_entry(name: str = "Model", api_key: str = "") -> Entry:
    return register(name=name, base_url="http://127.0.0.1:1/v1", model="model", api_key=api_key)


def make_run(tasks: int = 6, *, attempts_per_task: int = 1, concurrency: int = 2) -> Run:
    return start(
        make_entry(),
        make_suite(tasks),
        attempts_per_task=attempts_per_task,
        concurrency=concurrency,
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
    return AttemptResult(
        outcome=outcome,
        verdict=None,
        answer=None,
        turns=0,
        usage=Usage(),
        model_s=0.0,
        cell_s=0.0,
        wall_s=1.0,
        problem=problem,
    )


def claim_one(run: Run) -> Job:
    [job] = handoff.claim(run.pk, 1, "worker")
    return job


def attempt_of(job: Job) -> Attempt:
    return Attempt.objects.get(pk=job.attempt_id)


def lose(job: Job) -> None:
    """The worker of this job stopped renewing long ago."""
    past = timezone.now() - timedelta(seconds=1)
    Attempt.objects.filter(pk=job.attempt_id).update(lease_until=past)


def skip_back_off(run: Run) -> None:
    run.attempts.update(not_before=timezone.now() - timedelta(seconds=1))


def step(index: int = 1, status: StepStatus = StepStatus.OK) -> Step:
    return Step(
        index=index,
        status=status,
        reply="Let me look.\n```python\nprint(1)\n```",
        thought="Let me look.",
        code="print(1)",
        outputs=(
            Output(OutputKind.STDOUT, "1\n\x00\ud800"),
            Output(OutputKind.DISPLAY, data={"image/png": PIXEL, "text/plain": "<Figure>"}),
        ),
        observation="1",
        changes=(
            FileChange("output/a.csv", ChangeKind.CREATED, 3, sha256="x", content=b"a,b"),
            FileChange("output/gone.csv", ChangeKind.DELETED, size_before_bytes=9),
        ),
        usage=Usage(50, 10),
        model_s=1.0,
        cell_s=0.1,
        started_at=1_800_000_000.0,
        messages=({"role": "assistant", "content": "Let me look."},),
    )
