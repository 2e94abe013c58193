"""The attempts that a filter names, by plain conditions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.db.models import F, Q

from leaderboard.models import Attempt, Entry, FailureTag, Run, Step
from leaderboard.models.querysets import AttemptQuerySet
from leaderboard.search.filters import NOT_PASSED, STATES, Filter
from runner.contract import Status

NONE = Q(pk=None)


def find(wanted: Filter, user: Any, ignoring: str = "") -> AttemptQuerySet:
    """The attempts that `user` may see and that `wanted` names, one field of it aside."""
    given = replace(wanted, **{ignoring: ""}) if ignoring else wanted
    found = Attempt.objects.filter(
        status=Status.DONE, run__in=Run.objects.visible_to(user).values("pk")
    )
    if not (given.entry or given.run or given.baselines):
        found = found.exclude(run__entry__provenance=Entry.Provenance.SCRIPTED)
    if ignoring != "state":
        any_but_passed = {NOT_PASSED: Q(passed=None) | Q(passed=False)}
        found = found.filter({**STATES, **any_but_passed}[given.state or "failed"])
    for condition in conditions_of(given):
        found = found.filter(condition)
    result: AttemptQuerySet = found
    return result


def conditions_of(given: Filter) -> Iterator[Q]:
    if given.tag:
        yield Q(pk__in=FailureTag.objects.filter(tag=given.tag).values("attempt"))
    if given.exception:
        raised = Step.objects.filter(error_name=given.exception, try_number=F("attempt__tries"))
        yield Q(pk__in=raised.values("attempt"))
    if given.outcome:
        yield Q(outcome=given.outcome)
    if given.step:
        yield Q(pk__in=[pk for pk, value in first_steps().items() if value == given.step])
    if given.turns:
        is_number = given.turns.isdigit() and int(given.turns) < 10
        yield (
            Q(turns__gte=10)
            if given.turns == "10+"
            else Q(turns=given.turns)
            if is_number
            else NONE
        )
    if given.category:
        yield Q(category=given.category)
    if given.task:
        yield Q(task__key=given.task)
    if given.entry:
        yield Q(run__entry__slug=given.entry)
    if given.suite:
        name, _, version = given.suite.partition("@")
        yield Q(run__suite__name=name, run__suite__version=version)
    if given.run:
        yield Q(run=given.run_id) if given.run_id is not None else Q(pk=None)
    for word in given.words if given.q else ():  # somewhere in what is stored, in any case
        yield Q(text__body__icontains=word)


def first_steps() -> dict[int, str]:
    """By attempt the first step of its last try that failed, one after the other."""
    found = {}
    for attempt in Attempt.objects.all():
        steps = attempt.steps.filter(try_number=attempt.tries).order_by("index")
        failed = [s.index for s in steps if s.status in ("error", "timeout", "killed")]
        found[attempt.pk] = "none" if not failed else str(failed[0]) if failed[0] < 10 else "10+"
    return found
