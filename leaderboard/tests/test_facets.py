"""What is counted from the sheets is what the rows say, whatever changed and whoever asks."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard import failure_sheets, handoff, search, submissions
from leaderboard.facets import Found, list_facets, look
from leaderboard.failure_sheets import join, places_in
from leaderboard.models import Attempt, AttemptText, Entry, FailureTag, Run, Suite
from leaderboard.search import STATES, Filter, find
from leaderboard.tagging import conclude
from leaderboard.tests.factories import (
    add_step,
    end_void,
    finish_run,
    make_entry,
    make_run,
    make_step,
    make_suite,
    raised,
    tell_failure,
)
from leaderboard.tests.queue_rows import claim_one, judged
from leaderboard.tests.queue_rows import make_run as make_queued_run
from runner.contract import StepStatus

pytestmark = pytest.mark.django_db

ANYBODY = AnonymousUser()
WORDS = ["KeyError", "bad rate", "nowhere", "xy", "totals"]


@pytest.fixture
def owner() -> Any:
    return get_user_model().objects.create_user("owner")


@pytest.fixture
def board(owner: Any) -> list[Run]:
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
                step = make_step(1, outputs=outputs, status=StepStatus.ERROR)
                if attempt.pk != told.pk:
                    add_step(attempt, step)
            conclude(attempt.pk)
        runs.append(run)
    return runs


def random_filter(chance: random.Random) -> Filter:
    def some(values: list[str]) -> str:
        return chance.choice(values) if chance.random() < 0.2 else ""

    return Filter(
        q=some(WORDS),
        tag=some([*FailureTag.objects.order_by("tag").values_list("tag", flat=True).distinct()]),
        exception=some(["KeyError", "ValueError", "OSError"]),
        category=some(["chart", "image"]),
        task=some(["rotate-photo", "quarterly-sales"]),
        entry=some([*Entry.objects.values_list("slug", flat=True)]),
        suite=some(["starter@1", "second@1", "gone@1"]),
        run=some([*map(str, Run.objects.values_list("pk", flat=True)), "x"]),
        state=some([*STATES]),
        baselines=some(["1"]),
    )


def rows_of(wanted: Filter, user: Any) -> list[int]:
    """The attempts as the database finds them."""
    rows = find(wanted, user).order_by("-run_id", "pk")
    return list(rows.values_list("pk", flat=True))


def expected_counts(wanted: Filter, user: Any, key: str) -> Counter[str]:
    """A facet's counts, one attempt after the other, from the rows that the database finds."""
    counts: Counter[str] = Counter()
    for attempt in find(wanted, user, key).select_related("run__entry", "run__suite", "task"):
        errors = attempt.steps.filter(try_number=attempt.tries).exclude(error_name="")
        counts.update(
            {
                "tag": {row.tag for row in attempt.tags.all()},
                "exception": {step.error_name for step in errors},
                "category": {attempt.category},
                "task": {attempt.task.key},
                "entry": {attempt.run.entry.slug},
                "suite": {str(attempt.run.suite).replace(" v", "@")},
            }[key]
        )
    return counts


def test_whatever_is_asked_the_sheets_say_what_the_rows_say(board: list[Run], owner: Any) -> None:
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
        for key in ("tag", "exception", "category", "task", "entry"):
            assert found.count(key) == expected_counts(wanted, user, key), (wanted, key)
        hits += bool(rows)
    assert hits > 10


def test_the_suite_is_a_facet_too(board: list[Run]) -> None:
    counts = look(Filter(), ANYBODY).count("suite")
    assert counts == {
        f"{suite.name}@{suite.version}": find(
            Filter(suite=f"{suite.name}@{suite.version}"), ANYBODY
        ).count()
        for suite in Suite.objects.all()
    }


def test_every_page_of_what_was_found_is_the_same_stretch_of_the_rows(board: list[Run]) -> None:
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


def total(**parts: str) -> int:
    return look(Filter(**parts), ANYBODY).total


def test_what_changes_through_the_door_is_counted_at_the_next_look() -> None:
    run = make_queued_run(3)
    assert total(state="failed") == 0
    handoff.record_result(claim_one(run), judged(False))
    assert total(state="failed") == 1
    attempt = run.attempts.get(passed=False)
    FailureTag.objects.filter(attempt=attempt).delete()
    assert total(tag="wrong-value") + total(tag="wrong-shape") in (0, 1)
    tags = [*FailureTag.objects.filter(attempt=attempt).values_list("tag", flat=True)]
    conclude(attempt.pk)  # writes tags and text again
    tags = [*FailureTag.objects.filter(attempt=attempt).values_list("tag", flat=True)]
    assert dict(look(Filter(), ANYBODY).count("tag")) == dict.fromkeys(tags, 1)
    submissions.withdraw(run.pk)
    assert total(state="failed") == 0
    submissions.publish(run.pk)
    assert total(state="failed") == 1
    run.delete()
    assert total(state="failed") == 0


def test_an_attempt_that_is_played_again_leaves_its_sheet() -> None:
    run = make_run(make_suite())
    finish_run(run, 7, void=1)
    assert total(state="void") == 1
    submissions.retry(run.pk)
    assert total(state="void") == 0


def test_a_private_runs_attempts_are_their_owners_alone(board: list[Run], owner: Any) -> None:
    private = next(run for run in board if not run.is_public)
    assert look(Filter(), owner).total > look(Filter(), ANYBODY).total  # and now its sheet is kept
    stranger = get_user_model().objects.create_user("stranger")
    for user in (ANYBODY, stranger):
        found = look(Filter(baselines="1"), user)
        assert private.pk not in {one.run.pk for one in found.looked}
        assert not set(found.list_ids(0, 10_000)) & {*private.attempts.values_list("pk", flat=True)}
        assert look(Filter(run=str(private.pk)), user).total == 0


@pytest.mark.parametrize("words", [["KeyError"], ["bad rate", "KeyError"], ["xy"], ["or", "bad"]])
def test_words_find_the_texts_that_hold_them(
    board: list[Run], owner: Any, words: list[str]
) -> None:
    for user in (ANYBODY, owner):
        texts = search.find_texts(words, user)
        seen = AttemptText.objects.filter(attempt__run__in=Run.objects.visible_to(user))
        right = {
            text.pk
            for text in seen
            if all(word.casefold() in text.body.casefold() for word in words)
        }
        assert texts == search.Texts(frozenset(right))


def test_a_word_that_too_many_hold_is_told_of_the_newest_and_the_page_says_so(
    board: list[Run], owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = search.find_texts(["totals"], ANYBODY).ids
    monkeypatch.setattr(search, "MAX_TEXTS", 3)
    newest = search.find_texts(["totals"], ANYBODY).ids
    assert sorted(newest) == sorted(everything)[-3:]  # none that is private is among the three
    words = "More than 3 attempts hold these words; the newest 3 are counted and listed."
    assert words in Client().get("/failures/?q=totals").content.decode()
    assert Client().get("/failures.json?q=totals").json()["notes"] == [words]
    assert Client().get("/failures.json?q=nowhere").json()["notes"] == []


def test_older_runs_than_the_newest_so_many_are_left_out_in_words(
    board: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("failure_sheets", "facets"):
        monkeypatch.setattr(f"leaderboard.{module}.MAX_RUNS", 2)
    found = look(Filter(baselines="1"), ANYBODY)
    assert [one.run.pk for one in found.looked] == [board[7].pk, board[6].pk]
    assert "Only the newest 2 runs are looked at." in Client().get("/failures/").content.decode()
    assert look(Filter(run=str(board[0].pk)), ANYBODY).notes == []  # one that is named is there


def test_a_run_that_did_not_change_is_not_read_again(
    board: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[list[int]] = []
    real = failure_sheets.read_sheets

    def noted(run_ids: list[int]) -> dict[int, failure_sheets.Sheet]:
        read.append(run_ids)
        return real(run_ids)

    monkeypatch.setattr(failure_sheets, "read_sheets", noted)
    look(Filter(), ANYBODY)
    look(Filter(tag="format", state="failed"), ANYBODY)
    assert len(read) == 1
    end_void(board[0].attempts.all()[0])
    conclude(board[0].attempts.all()[0].pk)
    look(Filter(), ANYBODY)
    assert read[1:] == [[board[0].pk]]


@pytest.mark.parametrize("query", ["", "?q=KeyError", "?tag=wrong-column", "?entry=entry-1"])
def test_a_look_costs_few_queries_when_nothing_changed(board: list[Run], query: str) -> None:
    client = Client()
    client.get("/failures/")
    with CaptureQueriesContext(connection) as queries:
        client.get(f"/failures/{query}")
    assert len(queries) <= 7


def test_an_empty_site_has_nothing_to_find() -> None:
    found: Found = look(Filter(), ANYBODY)
    assert (found.total, found.list_ids(0, 50), [f.options for f in list_facets(found)]) == (
        0,
        [],
        [()] * 6,
    )


def test_bits_and_places_are_the_same_thing() -> None:
    places = [0, 3, 64, 143, 500]
    assert list(places_in(join(places))) == places
    assert list(places_in(0)) == []
