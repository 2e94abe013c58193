"""Entries, runs and finished attempts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import transaction

from leaderboard.models import Attempt, Entry, Run, Suite, pack
from leaderboard.scoring.summaries import summarise
from leaderboard.submissions.run_actions import register, start
from leaderboard.tests.support.rows.suites import make_suite
from runner.contract import Fault, Outcome, Status

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
LONG_NAME = "Extraordinarily-Verbose-Research-Preview-70B-Instruct-v2.1-x"  # 60 characters


def make_entry(
    name: str = "Foo 70B", *, is_scripted: bool = False, organisation: str = ""
) -> Entry:
    return Entry.objects.create(
        slug=f"entry-{Entry.objects.count() + 1}",
        name=name,
        organisation=organisation,
        model_name=name.lower(),
        provenance=Entry.Provenance.SCRIPTED if is_scripted else Entry.Provenance.RUN_HERE,
    )


def make_run(suite: Suite, entry: Entry | None = None, *, is_public: bool = True) -> Run:
    """A queued run with one queued attempt for each task."""
    run = Run.objects.create(
        entry=entry or make_entry(),
        suite=suite,
        seed=suite.seed,
        limits={"max_turns": 10, "cell_timeout_s": 60.0},
        environment={"sandbox": "bwrap", "kernel environment": "ef" * 32},
        is_public=is_public,
    )
    Attempt.objects.bulk_create(
        Attempt(run=run, task=task, category=task.category) for task in suite.tasks.all()
    )
    return run


@transaction.atomic
def finish_run(run: Run, solved: int, void: int = 0) -> Run:
    """The first `solved` tasks passed, the last `void` void, the rest failed."""
    attempts = list(run.attempts.select_related("task").order_by("task__position"))
    for index, attempt in enumerate(attempts):
        if index >= len(attempts) - void:
            end_void(attempt)
        else:
            end_judged(attempt, passed=index < solved)
    run.status = Status.DONE
    run.started_at, run.finished_at = NOW, NOW + timedelta(minutes=7)
    run.save()
    summarise(run)
    return run


def end_judged(attempt: Attempt, *, passed: bool, sentence: str = "") -> Attempt:
    attempt.status, attempt.outcome = Status.DONE, Outcome.FINISHED
    attempt.passed, attempt.tries, attempt.turns = passed, 1, 3
    attempt.sentence = sentence or (
        "Passed: all 4 checks passed."
        if passed
        else "Failed: quarters.csv has 5 rows, the query asks for 4."
    )
    attempt.prompt_tokens, attempt.completion_tokens = 4210, 612
    attempt.model_s, attempt.cell_s, attempt.wall_s = 9.4, 1.2, 11.9
    attempt.started_at, attempt.finished_at = NOW, NOW + timedelta(seconds=12)
    attempt.closing = pack({"answer": "The totals are saved.", "environment": {}})
    attempt.save()
    return attempt


def end_void(attempt: Attempt) -> Attempt:
    attempt.status, attempt.outcome = Status.DONE, Outcome.ENDPOINT_FAILED
    attempt.tries, attempt.void_tries = 4, 4
    attempt.fault, attempt.problem_code = Fault.SUBMITTER, "endpoint_overloaded"
    attempt.problem = "The endpoint answered 503 to every request for 3 minutes."
    attempt.next_step = "Start the run again when the endpoint is up."
    attempt.save()
    return attempt


def register_entry(name: str = "Model", api_key: str = "") -> Entry:
    """An entry with an endpoint, as the site registers it."""
    return register(name=name, base_url="http://127.0.0.1:1/v1", model="model", api_key=api_key)


def start_run(tasks: int = 6, *, attempts_per_task: int = 1, concurrency: int = 2) -> Run:
    """A run on a suite of so many tasks, as the site starts it."""
    return start(
        register_entry(),
        make_suite("small", tasks),
        attempts_per_task=attempts_per_task,
        concurrency=concurrency,
    )
