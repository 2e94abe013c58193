"""A chart is drawn once for all who ask, and again as soon as what it shows has changed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.board.charts import DRAWINGS, Draw
from leaderboard.board.queries import BEST, BOARDS
from leaderboard.charts.chart import Chart
from leaderboard.models import Attempt, Entry, Run, Suite
from leaderboard.queue.transitions import touch
from leaderboard.scoring.standings import refresh
from leaderboard.scoring.summaries import summarise
from leaderboard.submissions import run_actions
from leaderboard.tests.support.rows import (
    finish_run,
    make_entry,
    make_run,
    make_suite,
    set_price,
)
from leaderboard.views.charts import WRITTEN

pytestmark = pytest.mark.django_db

BOARD_QUERIES = 2  # the suites, and whether the board is what it was
TWINS = [
    "/charts/list/",
    *(f"/charts/{key}.{kind}" for key in DRAWINGS for kind in ("json", "csv")),
]


@pytest.fixture(autouse=True)
def kept_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board is read again when its rows have changed, never because time has passed."""
    monkeypatch.setattr("leaderboard.board.queries.KEEP_S", 1000.0)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the charts that were really drawn, in order."""
    keys: list[str] = []

    def noting(key: str, draw: Draw) -> Draw:
        def note(*arguments: object) -> Chart:
            keys.append(key)
            return draw(*arguments)  # type: ignore[arg-type]

        return note

    watched = {key: noting(key, draw) for key, draw in DRAWINGS.items()}
    monkeypatch.setattr("leaderboard.board.charts.DRAWINGS", watched)
    return keys


def fill(suite: Suite) -> list[Run]:
    runs = [
        finish_run(make_run(suite, make_entry(name)), solved)
        for name, solved in (("Foo", 7), ("Bar", 5), ("Baz", 2))
    ]
    for name in ("foo", "bar", "baz", "new"):
        set_price(name)
    refresh(suite)
    return runs


def ask(path: str, known: str = "") -> tuple[int, bytes, str, int]:
    """The answer's status, content and tag, and what it cost in queries."""
    headers = {"If-None-Match": known} if known else {}
    with CaptureQueriesContext(connection) as queries:
        answer = Client().get(path, headers=headers)
    return answer.status_code, answer.content, answer.get("ETag", ""), len(queries)


@pytest.mark.parametrize("path", TWINS)
def test_a_repeated_request_draws_nothing(path: str, drawn: list[str]) -> None:
    fill(make_suite())
    _, content, tag, _ = ask(path)
    assert tag
    assert drawn
    drawn.clear()
    assert ask(path) == (200, content, tag, BOARD_QUERIES)
    for known in (tag, f"W/{tag}", f'"other", {tag}'):  # compression on the way weakens a tag
        assert ask(path, known) == (304, b"", tag, BOARD_QUERIES)
    assert ask(path, '"other"')[0] == 200
    assert drawn == []


def test_the_page_of_all_charts_draws_nothing_either(drawn: list[str]) -> None:
    fill(make_suite())
    Client().get("/charts/list/")
    assert drawn == list(DRAWINGS)
    _, content, tag, queries = ask("/charts/")
    assert b"Drawn: 3 models." in content
    assert (tag, queries) == ("", BOARD_QUERIES)  # its head is the reader's own: it has no tag
    assert drawn == list(DRAWINGS)


@pytest.mark.parametrize("path", ["/charts/list/", "/charts/pass-rates.json"])
def test_an_answer_is_asked_for_again_each_time(path: str) -> None:
    fill(make_suite())
    first = Client().get(path)
    again = Client().get(path, headers={"If-None-Match": first["ETag"]})
    assert first["Cache-Control"] == again["Cache-Control"] == "no-cache"


def judge_anew(run: Run) -> None:
    """An attempt of a finished run passes after all, and another one took a turn more."""
    touch(run.pk)
    lost, won = run.attempts.filter(passed=False)[0], run.attempts.filter(passed=True)[0]
    Attempt.objects.filter(pk=lost.pk).update(passed=True)
    Attempt.objects.filter(pk=won.pk).update(turns=won.turns + 1, prompt_tokens=90_000)
    summarise(run)


def rename(run: Run) -> None:
    """An entry's name moves no run: the board is read again after some seconds."""
    Entry.objects.filter(pk=run.entry_id).update(name="Renamed")
    BOARDS.clear()
    BEST.clear()


CHANGES: dict[str, Callable[[list[Run]], object]] = {
    "judged anew": lambda runs: judge_anew(runs[1]),
    "withdrawn": lambda runs: run_actions.withdraw(runs[1].pk),
    "deleted": lambda runs: runs[2].delete(),
    "another": lambda runs: finish_run(make_run(runs[0].suite, make_entry("New")), 6),
    "renamed": lambda runs: rename(runs[0]),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_changed_is_seen_at_once(change: Callable[[list[Run]], object]) -> None:
    """Every chart is another one, and what a process that kept nothing answers."""
    suite = make_suite()
    runs = fill(suite)
    before = {path: ask(path) for path in TWINS}
    change(runs)
    refresh(suite)
    after = {path: ask(path, known=before[path][2])[:3] for path in TWINS}
    assert [path for path in TWINS if after[path][0] != 200] == []
    assert [path for path in TWINS if after[path][1] == before[path][1]] == []
    BOARDS.clear()
    BEST.clear()
    WRITTEN.clear()
    assert {path: ask(path)[:3] for path in TWINS} == after


def test_each_choice_of_runs_has_drawings_of_its_own() -> None:
    runs = fill(make_suite())
    Entry.objects.filter(pk=runs[2].entry_id).update(weights="open")
    everything, few, none = (
        Client().get(f"/charts/pass-rates.json{query}").json()["rows"]
        for query in ("", "?weights=open", "?q=nobody")
    )
    assert [len(rows) for rows in (everything, few, none)] == [3, 1, 0]
    assert ask("/charts/list/")[2] != ask("/charts/list/?weights=open")[2]


def test_two_suites_are_never_taken_for_each_other() -> None:
    """Their boards have the same numbers, and the same version while they are empty."""
    first, second = make_suite("first"), make_suite("second")
    assert first.digest == second.digest
    second.categories = [{"key": "chart", "title": "Another title"}]
    second.save()
    for suite in (first, second):
        fill(suite)
    paths = [f"/charts/category-heatmap.json?suite={name}@1" for name in ("first", "second")]
    titles = [ask(path)[1].count(b"Another title") for path in paths]
    assert titles[0] == 0 < titles[1]
