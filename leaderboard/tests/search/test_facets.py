"""Counts from the sheets equal those from the rows, whatever changed and whoever asks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import F, Q
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.failures.tagging import conclude
from leaderboard.handoff import attempts
from leaderboard.models import Attempt, Entry, FailureTag, Run, Suite
from leaderboard.models.querysets import AttemptQuerySet
from leaderboard.search import visible_sheets
from leaderboard.search.facets import list_facets
from leaderboard.search.filing import file_runs, read_runs
from leaderboard.search.filters import NOT_PASSED, STATES, Filter
from leaderboard.search.results import Found, Looked, look
from leaderboard.search.sheet_books import Book, decode, encode
from leaderboard.search.sheet_rows import errors_of_tries_that_count, read_sheets
from leaderboard.search.sheets import CARRIED, join, places_in
from leaderboard.search.visible_sheets import VIEWS
from leaderboard.submissions import run_actions
from leaderboard.tests.support.jobs import claim_one, judged
from leaderboard.tests.support.rows import (
    end_judged,
    end_void,
    finish_run,
    make_run,
    make_suite,
    make_varied_runs,
    start_run,
)
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
        yield Q(
            pk__in=errors_of_tries_that_count().filter(error_name=given.exception).values("attempt")
        )
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


pytestmark = pytest.mark.django_db

ANYBODY = AnonymousUser()
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
        for key in (*CARRIED, "entry"):
            assert found.count(key) == expected_counts(wanted, user, key), (wanted, key)
        hits += bool(rows)
    assert hits > 10


def count_all(wanted: Filter, user: Any) -> tuple[Any, ...]:
    found = look(wanted, user)
    facets = [found.count(key) for key in (*CARRIED, "entry")]
    return found.total, found.states, facets, found.list_ids(0, 20)


def test_counts_are_kept_of_every_book_that_did_not_change(
    board: list[Run], owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each run in a book of its own: a look after one changed counts in that one."""
    for module in ("sheet_books", "visible_sheets"):
        monkeypatch.setattr(f"leaderboard.search.{module}.RUNS_SHIFT", 0)
    VIEWS.clear()
    counted: list[int] = []
    count_now = Looked.count_now

    def count(one: Looked, key: str) -> Any:
        counted.append(one.part.runs[0].pk)
        return count_now(one, key)

    monkeypatch.setattr(Looked, "count_now", count)
    wanted = Filter(state=NOT_PASSED)
    first = count_all(wanted, owner)
    assert len(set(counted)) == len(board)
    counted.clear()
    assert count_all(wanted, owner) == first
    assert not counted
    Run.objects.filter(pk=board[1].pk).update(sequence=F("sequence") + 1)
    assert count_all(wanted, owner) == first
    assert set(counted) == {board[1].pk}


def test_kept_counts_are_those_of_the_same_filter_and_reader(board: list[Run], owner: Any) -> None:
    chance = random.Random(12)
    filters = [random_filter(chance) for _ in range(12)]
    asked = [(wanted, user) for wanted in filters for user in (ANYBODY, owner)]
    fresh = {}
    for wanted, user in asked:
        VIEWS.clear()
        fresh[wanted, user] = count_all(wanted, user)
    VIEWS.clear()
    for _ in range(60):  # more filters than are kept, some of them again and again
        pair = chance.choice(asked)
        assert count_all(*pair) == fresh[pair]


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


def test_an_attempt_that_is_played_again_leaves_its_sheet() -> None:
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
        assert private.pk not in {run.pk for one in found.looked for run in one.part.runs}
        assert not set(found.list_ids(0, 10_000)) & {*private.attempts.values_list("pk", flat=True)}
        assert look(Filter(run=str(private.pk)), user).total == 0


def file_all() -> None:
    while file_runs():
        pass


def test_what_was_filed_is_counted_as_what_was_read(board: list[Run], owner: Any) -> None:
    """Whatever part of the runs is filed, and whatever changed since."""
    wanted = [Filter(), Filter(baselines="1", state="failed"), Filter(tag="wrong-column")]

    def counts() -> list[tuple[int, list[int], dict[str, int]]]:
        found = [look(one, owner) for one in wanted]
        return [(f.total, f.list_ids(0, 10_000), dict(f.count("task"))) for f in found]

    loose = counts()
    assert file_runs(3) == 3
    assert counts() == loose
    file_all()
    VIEWS.clear()  # as after a start
    assert counts() == loose
    attempt = board[1].attempts.filter(passed=True)[0]
    end_judged(attempt, passed=False)
    conclude(attempt.pk)
    changed = counts()
    assert changed != loose
    VIEWS.clear()
    assert counts() == changed
    file_all()
    assert counts() == changed
    assert changed[0][1] == rows_of(wanted[0], owner)


def test_the_first_look_after_a_start_reads_no_attempts(board: list[Run]) -> None:
    file_all()
    VIEWS.clear()
    with CaptureQueriesContext(connection) as queries:
        assert look(Filter(), ANYBODY).total
    assert len(queries) <= 5
    assert not [q for q in queries if "leaderboard_attempt" in q["sql"]]


def test_unfiled_runs_are_read_a_few_at_a_time_with_a_note(
    board: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = look(Filter(baselines="1"), ANYBODY).total
    VIEWS.clear()
    monkeypatch.setattr("leaderboard.search.visible_sheets.MAX_LOOSE", 3)
    found = look(Filter(baselines="1"), ANYBODY)
    newest = [run.pk for run in reversed(board) if run.is_public][:3]
    assert {run.pk for one in found.looked for run in one.part.runs} == set(newest)
    assert not found.is_exact
    assert found.notes == [
        "4 runs that came or changed lately are still being counted and left out here."
    ]
    assert "left out here" in Client().get("/failures/").content.decode()  # three more
    assert look(Filter(baselines="1"), ANYBODY).total == everything


def test_two_who_look_first_do_not_wait_for_each_other(
    board: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No lock is held while sheets are read: a look inside a look ends."""
    totals: list[int] = []

    def nested(run_ids: list[int]) -> Any:
        if not totals:
            totals.append(0)
            totals.append(look(Filter(), ANYBODY).total)
        return read_sheets(run_ids)

    monkeypatch.setattr(visible_sheets, "read_sheets", nested)
    assert look(Filter(), ANYBODY).total == totals[1] > 0


def test_a_run_that_did_not_change_is_not_read_again(
    board: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[list[int]] = []

    def noted(run_ids: list[int]) -> Any:
        read.append(run_ids)
        return read_sheets(run_ids)

    monkeypatch.setattr(visible_sheets, "read_sheets", noted)
    look(Filter(), ANYBODY)
    look(Filter(tag="format", state="failed"), ANYBODY)
    assert len(read) == 1
    end_void(board[0].attempts.all()[0])
    conclude(board[0].attempts.all()[0].pk)
    look(Filter(), ANYBODY)
    assert read[1:] == [[board[0].pk]]


def test_a_sheet_is_the_same_after_its_book(board: list[Run]) -> None:
    sheets = read_runs([run.pk for run in board])
    book = Book().filed({})
    for run, sheet in sheets.items():
        book = book.filed({run: sheet})
    kept = decode(encode(book))
    assert kept == book
    filed = {run.pk: kept.of(run) for run in kept.runs}
    assert filed == {run.pk: sheet for run, sheet in sheets.items()}
    assert decode(b"") == Book()


@pytest.mark.parametrize("query", ["", "?q=KeyError", "?tag=wrong-column", "?entry=entry-1"])
def test_a_look_costs_few_queries_when_nothing_changed(board: list[Run], query: str) -> None:
    client = Client()
    client.get("/failures/")
    with CaptureQueriesContext(connection) as queries:
        client.get(f"/failures/{query}")
    asked = [query for query in queries if "SAVEPOINT" not in query["sql"]]  # of the test
    assert len(asked) <= 10  # three of them for words


def test_an_empty_site_has_nothing_to_find() -> None:
    found: Found = look(Filter(), ANYBODY)
    assert (found.total, found.list_ids(0, 50), [f.options for f in list_facets(found)]) == (
        0,
        [],
        [()] * 9,
    )


def test_bits_and_places_are_the_same_thing() -> None:
    places = [0, 3, 64, 143, 500]
    assert list(places_in(join(places))) == places
    assert list(places_in(0)) == []
