"""Kept pages are never shown for other rows that happen to add up to the same."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from leaderboard.board.queries import load_board
from leaderboard.handoff import attempts
from leaderboard.models import Attempt, Entry, Run, Suite
from leaderboard.scoring.filing import file_runs
from leaderboard.search import results
from leaderboard.search.filters import Filter
from leaderboard.submissions.run_actions import publish, register, start, withdraw
from leaderboard.tests.support.jobs import claim, judged
from leaderboard.tests.support.rows import make_suite, register_entry

pytestmark = pytest.mark.django_db


def played(entry: Entry, suite: Suite) -> Run:
    run = start(entry, suite, is_public=False)
    [job] = claim(run.pk, 1, "worker")
    attempts.record_result(job, judged(False))
    return run


def runs_seen() -> set[int]:
    found = results.look(Filter(), AnonymousUser())
    listed = Attempt.objects.filter(pk__in=found.list_ids(0, found.total))
    return set(listed.values_list("run", flat=True))


def test_withdrawn_runs_are_not_seen_in_place_of_others() -> None:
    """Four alike: the numbers and changes of the outer two add up to those of the inner two."""
    entry, suite = register_entry(), make_suite("small", 1)
    first, second, third, fourth = (played(entry, suite).pk for _ in range(4))
    file_runs()
    for run in (first, fourth):
        publish(run)
    file_runs()
    assert runs_seen() == {first, fourth}
    for run in (first, fourth):
        withdraw(run)
    for run in (second, third):
        publish(run)
    assert runs_seen() == {second, third}


def test_board_drops_a_withdrawn_run_when_another_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leaderboard.board.queries.KEEP_S", 1000.0)
    suite = make_suite("small", 1)
    entries = [register(name=name, base_url="http://127.0.0.1:1/v1", model="m") for name in "abc"]
    first, second, third = (played(entry, suite).pk for entry in entries)

    def list_runs() -> set[int]:
        return {row.run.pk for row in load_board(suite, 1).unranked}

    for run in (first, third):
        publish(run)
    assert list_runs() == {first, third}
    withdraw(first)
    publish(second)
    assert list_runs() == {second, third}
