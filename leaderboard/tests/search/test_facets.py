"""What a filter finds and counts is what the rows say, whatever changed and whoever asks."""

from __future__ import annotations

import random
from collections import Counter
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.failures.tagging import conclude
from leaderboard.handoff import attempts
from leaderboard.models import Attempt, Entry, FailureTag, Run, Suite
from leaderboard.search.facets import list_facets
from leaderboard.search.filters import NOT_PASSED, STATES, Filter
from leaderboard.search.results import COUNTED_BY, Found, look
from leaderboard.submissions import run_actions
from leaderboard.tests.support.failure_search import find, first_steps
from leaderboard.tests.support.jobs import claim_one, judged
from leaderboard.tests.support.rows import (
    add_step,
    end_judged,
    finish_run,
    make_run,
    make_step,
    make_suite,
    make_varied_runs,
    raised,
    start_run,
)
from runner.contract import StepStatus

pytestmark = pytest.mark.django_db

ANYBODY = AnonymousUser()
FACETS = [key for key in COUNTED_BY if key not in ("state", "suite")]
WORDS = ["KeyError", "bad rate", "nowhere", "xy", "totals"]


@pytest.fixture
def owner() -> Any:
    return get_user_model().objects.create_user("owner")


@pytest.fixture
def board(owner: Any) -> list[Run]:
    return make_varied_runs(owner)


def random_filter(chance: random.Random) -> Filter:
    def some(values: list[str]) -> str:
        return chance.choice(values) if chance.random() < 0.2 else ""

    return Filter(
        q=some(WORDS),
        tag=some([*FailureTag.objects.order_by("tag").values_list("tag", flat=True).distinct()]),
        exception=some(["KeyError", "ValueError", "OSError"]),
        outcome=some(["finished", "out_of_turns", "endpoint_failed", "gone"]),
        step=some(["none", "1", "2", "10+", "x"]),
        turns=some(["0", "3", "10+", "-1"]),
        category=some(["chart", "image"]),
        task=some(["rotate-photo", "quarterly-sales"]),
        entry=some([*Entry.objects.values_list("slug", flat=True)]),
        suite=some(["starter@1", "second@1", "gone@1"]),
        run=some([*map(str, Run.objects.values_list("pk", flat=True)), "x"]),
        state=some([*STATES, NOT_PASSED]),
        baselines=some(["1"]),
    )


def rows_of(wanted: Filter, user: Any) -> list[int]:
    """The attempts as the database finds them."""
    rows = find(wanted, user).order_by("-run_id", "pk")
    return list(rows.values_list("pk", flat=True))


def expected_counts(wanted: Filter, user: Any, key: str) -> Counter[str]:
    """A facet's counts, one attempt after the other, from the rows that the database finds."""
    counts: Counter[str] = Counter()
    steps = first_steps()
    for attempt in find(wanted, user, key).select_related("run__entry", "run__suite", "task"):
        errors = attempt.steps.filter(try_number=attempt.tries).exclude(error_name="")
        counts.update(
            {
                "tag": {row.tag for row in attempt.tags.all()},
                "exception": {step.error_name for step in errors},
                "category": {attempt.category},
                "outcome": {attempt.outcome} - {""},
                "step": {steps[attempt.pk]},
                "turns": {str(attempt.turns) if attempt.turns < 10 else "10+"},
                "task": {attempt.task.key},
                "entry": {attempt.run.entry.slug},
                "suite": {str(attempt.run.suite).replace(" v", "@")},
            }[key]
        )
    return counts


def test_it_finds_and_counts_what_the_rows_say(board: list[Run], owner: Any) -> None:
    chance = random.Random(11)
    hits = 0
    for _ in range(40):
        user = chance.choice([ANYBODY, owner])
        wanted = random_filter(chance)
        found, rows = look(wanted, user), rows_of(wanted, user)
        assert (found.total, found.list_ids(0, 10_000)) == (len(rows), rows), wanted
        by_state = find(wanted, user, "state")
        assert found.states == {
            state: by_state.filter(condition).count() for state, condition in STATES.items()
        }, wanted
        for key in FACETS:
            assert found.count(key) == expected_counts(wanted, user, key), (wanted, key)
        hits += bool(rows)
    assert hits > 10


def count_all(wanted: Filter, user: Any) -> tuple[Any, ...]:
    found = look(wanted, user)
    facets = [found.count(key) for key in FACETS]
    return found.total, found.states, facets, found.list_ids(0, 20)


def test_counts_of_a_large_site_are_kept_for_a_minute_for_the_same_filter_and_reader(
    board: list[Run], owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(12)
    filters = [Filter(), *(random_filter(chance) for _ in range(12))]
    asked = [(wanted, user) for wanted in filters for user in (ANYBODY, owner)]
    fresh = [count_all(wanted, user) for wanted, user in asked]
    monkeypatch.setattr("leaderboard.search.results.MANY_RUNS", len(board))
    for _ in range(2):
        assert [count_all(wanted, user) for wanted, user in asked] == fresh
    board[1].delete()
    was, now = fresh[0], count_all(Filter(), ANYBODY)
    assert was[:3] == now[:3]
    assert was[3] != now[3]  # what is listed is read
    caches["counts"].clear()
    assert count_all(Filter(), ANYBODY)[:3] != was[:3]
    with CaptureQueriesContext(connection) as queries:
        look(Filter(), ANYBODY).count("tag")
    assert len(queries) <= 4


def test_the_suite_is_a_facet_too(board: list[Run]) -> None:
    counts = look(Filter(), ANYBODY).count("suite")
    assert counts == {
        f"{suite.name}@{suite.version}": find(
            Filter(suite=f"{suite.name}@{suite.version}"), ANYBODY
        ).count()
        for suite in Suite.objects.all()
    }


def test_every_page_of_results_is_the_same_stretch_of_rows(board: list[Run]) -> None:
    found, rows = look(Filter(baselines="1"), ANYBODY), rows_of(Filter(baselines="1"), ANYBODY)
    for start in range(len(rows) + 3):
        assert found.list_ids(start, start + 3) == rows[start : start + 3]


def test_the_neighbours_of_an_attempt_are_those_of_the_rows(board: list[Run], owner: Any) -> None:
    wanted = Filter(state="failed", baselines="1")
    found, rows = look(wanted, owner), rows_of(wanted, owner)
    for attempt in Attempt.objects.all():
        around = found.look_around(attempt.run_id, attempt.pk)
        order = [(-a.run_id, a.pk) for a in Attempt.objects.in_bulk(rows).values()]
        place = (-attempt.run_id, attempt.pk)
        before = sorted(pair for pair in order if pair < place)
        after = sorted(pair for pair in order if pair > place)
        assert around.previous == (before[-1][1] if before else None)
        assert around.next == (after[0][1] if after else None)
        assert around.position == (rows.index(attempt.pk) + 1 if attempt.pk in rows else 0)
        assert around.total == len(rows)


def test_a_site_of_before_is_filled_in_as_conclusions_are(board: list[Run]) -> None:
    columns = "pk", "tag_list", "error_list", "first_failed_step"
    right = list(Attempt.objects.order_by("pk").values_list(*columns))
    assert {name for _, _, listed, _ in right for name in listed.split()} > {"KeyError"}
    Attempt.objects.update(tag_list="", error_list="", first_failed_step=None)
    migration = import_module("leaderboard.migrations.0068_facets_of_attempts")
    migration.fill(apps, SimpleNamespace(connection=connection))
    assert list(Attempt.objects.order_by("pk").values_list(*columns)) == right


def total(**parts: str) -> int:
    found: int = look(Filter(**parts), ANYBODY).total
    return found


def test_what_changes_through_the_door_is_counted_at_the_next_look() -> None:
    run = start_run(3)
    assert total(state="failed") == 0
    attempts.record_result(claim_one(run), judged(False))
    assert total(state="failed") == 1
    attempt = run.attempts.get(passed=False)
    FailureTag.objects.filter(attempt=attempt).delete()
    assert total(tag="wrong-value") + total(tag="wrong-shape") in (0, 1)
    tags = [*FailureTag.objects.filter(attempt=attempt).values_list("tag", flat=True)]
    conclude(attempt.pk)  # writes tags and text again
    tags = [*FailureTag.objects.filter(attempt=attempt).values_list("tag", flat=True)]
    assert dict(look(Filter(), ANYBODY).count("tag")) == dict.fromkeys(tags, 1)
    run_actions.withdraw(run.pk)
    assert total(state="failed") == 0
    run_actions.publish(run.pk)
    assert total(state="failed") == 1
    run.delete()
    assert total(state="failed") == 0


def test_an_attempt_that_is_played_again_is_not_found() -> None:
    run = make_run(make_suite())
    finish_run(run, 7, void=1)
    assert total(state="void") == 1
    run_actions.retry(run.pk)
    assert total(state="void") == 0


def test_a_private_runs_attempts_are_their_owners_alone(board: list[Run], owner: Any) -> None:
    private = next(run for run in board if not run.is_public)
    assert look(Filter(), owner).total > look(Filter(), ANYBODY).total  # and now its sheet is kept
    stranger = get_user_model().objects.create_user("stranger")
    for user in (ANYBODY, stranger):
        found = look(Filter(baselines="1"), user)
        assert not set(found.list_ids(0, 10_000)) & {*private.attempts.values_list("pk", flat=True)}
        assert look(Filter(run=str(private.pk)), user).total == 0


def test_an_attempt_that_is_judged_anew_is_counted_anew(board: list[Run]) -> None:
    wanted = Filter()
    before = look(wanted, ANYBODY).total
    attempt = board[1].attempts.filter(passed=True)[0]
    end_judged(attempt, passed=False)
    conclude(attempt.pk)
    after = look(wanted, ANYBODY)
    assert after.total == before + 1
    assert after.list_ids(0, 10_000) == rows_of(wanted, ANYBODY)


def test_endless_names_of_exceptions_are_counted_as_far_as_the_index_takes_them(
    board: list[Run],
) -> None:
    attempt = board[1].attempts.filter(passed=False)[0]
    for index in range(50, 90):
        name = f"{chr(0x4E00 + index)}" * 199 + "\n"
        add_step(attempt, make_step(index, outputs=[raised(name=name)], status=StepStatus.ERROR))
    conclude(attempt.pk)
    attempt.refresh_from_db()
    assert 0 < len(attempt.error_list.encode()) <= 1_500
    counts = look(Filter(run=str(board[1].pk)), ANYBODY).count("exception")
    assert sum(name[:1] > "z" for name in counts) == 2


@pytest.mark.parametrize("query", ["", "?q=KeyError", "?tag=wrong-column", "?entry=entry-1"])
def test_a_look_costs_few_queries_when_nothing_changed(board: list[Run], query: str) -> None:
    client = Client()
    client.get("/failures/")
    with CaptureQueriesContext(connection) as queries:
        client.get(f"/failures/{query}")
    asked = [query for query in queries if "SAVEPOINT" not in query["sql"]]  # of the test
    assert len(asked) <= 21  # three of them for words


def test_an_empty_site_has_nothing_to_find() -> None:
    found: Found = look(Filter(), ANYBODY)
    assert (found.total, found.list_ids(0, 50), [f.options for f in list_facets(found)]) == (
        0,
        [],
        [()] * 9,
    )


def test_a_chosen_tag_without_a_hit_keeps_its_title() -> None:
    tags = list_facets(look(Filter(tag="wrong-value"), ANYBODY))[0]
    assert [(option.title, option.count) for option in tags.options] == [("wrong value", 0)]
