"""Boards: several runs that differ in what pages show and filter by."""

from __future__ import annotations

import random
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from leaderboard.failures.tagging import conclude
from leaderboard.models import Attempt, Entry, Run, Suite
from leaderboard.scoring.summaries import summarise
from leaderboard.tests.support.rows.failure import tell_failure
from leaderboard.tests.support.rows.runs import finish_run, make_entry, make_run
from leaderboard.tests.support.rows.steps import add_step, make_step, raised
from leaderboard.tests.support.rows.suites import make_suite
from runner.contract import Outcome, StepStatus


@transaction.atomic
def make_board() -> list[Run]:
    """A public run with a replay full of things, one with void attempts, and one that waits."""
    suite = make_suite()
    told = finish_run(make_run(suite, make_entry("Foo 70B", organisation="Foo")), 5)
    tell_failure(told.attempts.order_by("pk")[0])
    summarise(told)
    void = finish_run(make_run(suite, make_entry("Bar")), 3, void=2)
    waiting = make_run(suite, make_entry("Baz"))
    return [told, void, waiting]


def make_private_run(owner: User, suite_name: str = "starter") -> Run:
    suite = Suite.objects.filter(name=suite_name).first() or make_suite(suite_name)
    entry = make_entry("Private model")
    Entry.objects.filter(pk=entry.pk).update(owner=owner)
    run = finish_run(make_run(suite, entry, is_public=False), 4, void=1)
    tell_failure(run.attempts.order_by("pk")[0])
    return run


@transaction.atomic
def make_varied_runs(owner: Any) -> list[Run]:
    """Runs of two suites, of three entries and a baseline; one private; errors, tags and texts."""
    chance = random.Random(7)
    suites = [make_suite("starter"), make_suite("second")]
    entries = [make_entry("Foo"), make_entry("Bar"), make_entry("silent", is_scripted=True)]
    Entry.objects.filter(pk=entries[1].pk).update(owner=owner)
    runs = []
    for number in range(8):
        run = make_run(suites[number % 2], entries[number % 3], is_public=number != 4)
        finish_run(run, chance.randint(1, 6), void=number % 2)
        told = run.attempts.select_related("task", "run").filter(passed=False)[0]
        tell_failure(told)
        for attempt in run.attempts.all():
            if attempt.passed is False and chance.random() < 0.5:
                name = chance.choice(["ValueError", "KeyError"])
                outputs = [raised(text="", name=name, value="bad rate")]
                index = 1 + attempt.pk % 12
                step = make_step(index, outputs=outputs, status=StepStatus.ERROR)
                if attempt.pk != told.pk:
                    add_step(attempt, step)
                    add_step(attempt, make_step(index + 1, status=StepStatus.TIMEOUT))
                    add_step(attempt, make_step(index + 2), try_number=attempt.tries)
                    Attempt.objects.filter(pk=attempt.pk).update(
                        outcome=Outcome.OUT_OF_TURNS, turns=index + 2
                    )
            conclude(attempt.pk)
        runs.append(run)
    return runs
