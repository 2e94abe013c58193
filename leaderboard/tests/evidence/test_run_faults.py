"""Rows of a sealed run that were changed, each sound by itself, are named by `verify`."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
import zstandard
from django.core.management import CommandError, call_command
from django.db import transaction

from leaderboard.evidence.run_faults import find_run_faults
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Artifact, Attempt, Run, RunSeal, Step, Verdict, pack, unpack
from leaderboard.submissions.run_actions import withdraw
from leaderboard.tests.support.rows import (
    finish_run,
    make_entry,
    make_run,
    make_suite,
    tell_failure,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    run = finish_run(make_run(make_suite(), make_entry("Foo")), 6)
    tell_failure(run.attempts.order_by("-task__position")[0])
    sweep_queue()
    return run


def change_step() -> None:
    step = Step.objects.earliest("pk")
    Step.objects.filter(pk=step.pk).update(body=pack({**unpack(step.body), "reply": "other"}))


def change_opening() -> None:
    Attempt.objects.filter(pk=Attempt.objects.earliest("pk").pk).update(
        opening=pack({"messages": [{"role": "user", "content": "other"}]})
    )


def change_stated_rate() -> None:
    seal = RunSeal.objects.get()
    statement = json.loads(zstandard.decompress(bytes(seal.statement)))
    statement["predicate"]["figures"][""]["rate"] = 1.0
    RunSeal.objects.update(statement=zstandard.compress(json.dumps(statement).encode()))


CHANGES: dict[str, tuple[Callable[[], object], str]] = {
    "a reply": (change_step, "steps not as in its manifest"),
    "no step": (lambda: Step.objects.earliest("pk").delete(), "steps not as in its manifest"),
    "the prompt": (change_opening, "prompt, steps not as in its manifest"),
    "an output": (
        lambda: Artifact.objects.filter(role=Artifact.Role.OUTPUT).update(path="x"),
        "output files not as in its manifest",
    ),
    "a sentence": (
        lambda: Verdict.objects.update(sentence="other"),
        "verdicts not as in the ledger",
    ),
    "a verdict": (
        lambda: Attempt.objects.filter(passed=False).update(passed=True),
        "outcomes, verdicts not as in the ledger",
    ),
    "the seal": (
        lambda: RunSeal.objects.update(sha256="0" * 64),
        "its seal is not the one in the ledger",
    ),
    "the manifest": (change_stated_rate, "its figures are not those of its manifest"),
    "its end": (lambda: RunSeal.objects.update(statement=b"x"), "its manifest cannot be read"),
}


def test_each_change_of_a_sealed_run_is_named(run: Run) -> None:
    assert list(find_run_faults()) == []
    for name, (change, fault) in CHANGES.items():
        with transaction.atomic():
            change()
            found = list(find_run_faults())
            transaction.set_rollback(True)
        assert any(fault in line for line in found), (name, found)
        assert all(line.startswith(f"run {run.pk}") for line in found), (name, found)
    change_step()
    with pytest.raises(CommandError, match="1 faults found"):
        call_command("verify")


def test_a_run_that_changed_by_itself_waits_for_the_sweep_and_has_no_fault(run: Run) -> None:
    withdraw(run.pk)
    assert list(find_run_faults()) == []
    sweep_queue()
    assert list(find_run_faults()) == []
    Run.objects.filter(pk=run.pk).update(status="cancelled")  # it is sealed anew
    assert list(find_run_faults()) == []
    sweep_queue()
    assert list(find_run_faults()) == []
