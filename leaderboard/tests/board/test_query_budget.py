"""A board of 500 entries: pages, filters and twins at a bounded price; and what is kept of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.board.queries import BEST, BOARDS
from leaderboard.models import Attempt, Entry, Run, RunSummary, Standing, Suite
from leaderboard.scoring import filing, standings
from leaderboard.scoring.figures import summarise
from leaderboard.scoring.summaries import scored
from leaderboard.submissions.run_actions import publish, withdraw
from leaderboard.tests.support.rows import NOW, TASKS, finish_run, make_entry, make_run, make_suite
from runner.contract import Outcome, Status

pytestmark = pytest.mark.django_db

ENTRIES = 500
MAX_QUERIES = 12
MAX_BOARD_BYTES = 100_000


def fill_board(suite: Suite, entries: int = ENTRIES, first: int = 0) -> list[Run]:
    """A finished run of every entry, each with as many tasks solved as its number allows."""
    tasks = list(suite.tasks.all())
    made = Entry.objects.bulk_create(
        Entry(
            slug=f"model-{n}",
            name=f"Model {n} {'x' * 40}",
            organisation=f"Maker {n % 9}",
            model_name="m",
            parameters_b=float(n % 300 + 1),
            weights=("open", "closed")[n % 2],
        )
        for n in range(first, first + entries)
    )
    runs = Run.objects.bulk_create(
        Run(entry=e, suite=suite, seed=suite.seed, status=Status.DONE, finished_at=NOW)
        for e in made
    )
    attempts = [
        Attempt(
            run=run,
            task=task,
            category=task.category,
            status=Status.DONE,
            outcome=Outcome.FINISHED,
            passed=(n * 7 + position) % 11 < 6,
            sentence="It was as it was.",
            turns=3,
            tries=1,
        )
        for n, run in enumerate(runs)
        for position, task in enumerate(tasks)
    ]
    Attempt.objects.bulk_create(attempts, batch_size=1000)
    by_run: dict[int, list[Attempt]] = {}
    for attempt in attempts:
        by_run.setdefault(attempt.run_id, []).append(attempt)
    RunSummary.objects.bulk_create(
        RunSummary(run_id=pk, category=category, **asdict(figures))
        for pk, members in by_run.items()
        for category, figures in summarise(map(scored, members), 10).items()
    )
    standings.refresh(suite)
    return runs


@pytest.fixture
def suite() -> Suite:
    return make_suite(tasks=TASKS[:4])


def ask(path: str) -> tuple[Any, int]:
    with CaptureQueriesContext(connection) as queries:
        answer = Client().get(path)
    return answer, len(queries)


def names_on(page: str) -> list[str]:
    return re.findall(r'<th scope="row"[^>]*><a [^>]*><bdi>(Model \d+ x)', page)


@pytest.fixture(scope="class")
def filled(kept_rows: None) -> None:
    assert len(fill_board(make_suite(tasks=TASKS[:4]))) == ENTRIES


@pytest.mark.usefixtures("filled")
class TestFiveHundredEntries:
    def test_every_page_of_500_entries_is_there_within_its_budget(self) -> None:
        seen: list[str] = []
        page_count = 14  # of 36 rows
        for number in range(1, page_count + 1):
            answer, queries = ask(f"/?page={number}")
            text = answer.content.decode()
            assert f"page {number} of {page_count}" in text
            assert len(answer.content) <= MAX_BOARD_BYTES
            assert queries <= MAX_QUERIES
            seen += names_on(text)
        assert len(seen) == len(set(seen)) == ENTRIES
        beyond = Client().get("/?page=999").content.decode()
        assert f"page {page_count} of {page_count}" in beyond

    @pytest.mark.parametrize(
        ("path", "rows"),
        [
            ("/board.json", lambda answer: len(answer.json()["rows"])),
            ("/board.csv", lambda answer: len(answer.content.decode().splitlines()) - 1),
            ("/api/v1/board/", lambda answer: len(answer.json()["rows"])),
        ],
    )
    def test_the_twins_hold_all_500(self, path: str, rows: Callable[[Any], int]) -> None:
        answer, queries = ask(path)
        assert rows(answer) == ENTRIES
        assert queries <= MAX_QUERIES

    @pytest.mark.parametrize(
        ("query", "is_there"),
        [
            ("?weights=open", lambda entry: entry.weights == "open"),
            ("?weights=closed&sort=-turns", lambda entry: entry.weights == "closed"),
            ("?sort=name&page=3", lambda entry: True),
            ("?category=chart", lambda entry: True),
        ],
    )
    def test_filters_over_500_entries(self, query: str, is_there: Callable[[Entry], bool]) -> None:
        answer, queries = ask(f"/{query}")
        assert answer.status_code == 200
        assert queries <= MAX_QUERIES
        assert len(answer.content) <= MAX_BOARD_BYTES
        records = Client().get(f"/board.json{query}").json()["rows"]
        assert len(records) == sum(is_there(entry) for entry in Entry.objects.all())
        assert names_on(answer.content.decode())

    @pytest.mark.parametrize(
        "path",
        [
            "/charts/",
            "/charts/list/",
            "/failures/",
            "/failures.json",
            "/compare/",
            "/tasks/starter/",
        ],
    )
    def test_the_pages_about_500_entries_are_bounded(self, path: str) -> None:
        Client().get(path)  # the first look reads the failures' sheets
        answer, queries = ask(path)
        assert answer.status_code == 200
        assert queries <= MAX_QUERIES
        assert len(answer.content) < 400_000


@pytest.mark.parametrize(
    "path",
    [
        "/?weights=gone&size=gone&provenance=gone&date=gone&category=gone&sort=gone&page=gone",
        "/?columns=gone,rate,gone&since=2026-99-99",
        "/charts/?weights=gone",
        "/failures/?entry=gone&task=gone&tag=gone&run=999999",
    ],
)
def test_a_stale_filter_link_gives_a_page(suite: Suite, path: str) -> None:
    finish_run(make_run(suite), 3)
    standings.refresh(suite)
    answer = Client().get(path)
    assert answer.status_code == 200
    assert "Internal" not in answer.content.decode()


def test_a_deleted_run_is_gone_from_every_page_that_named_it(suite: Suite) -> None:
    kept = finish_run(make_run(suite, make_entry("Kept")), 3)
    gone = finish_run(make_run(suite, make_entry("Gone")), 2)
    standings.refresh(suite)
    paths = ["/", "/board.json", "/charts/", "/failures/", "/compare/", "/tasks/starter/"]
    before = {path: Client().get(path).content.decode() for path in paths}
    assert "Gone" in before["/"]
    assert "Gone" in before["/failures/"]
    address, pk = gone.get_absolute_url(), gone.pk
    gone.delete()
    standings.refresh(suite)
    for path in paths:
        answer = Client().get(path)
        assert answer.status_code == 200
        assert "Gone" not in answer.content.decode(), path
    assert Client().get(address).status_code == 404
    assert Client().get(f"{address}progress/").status_code == 404
    assert Client().get(f"/runs/{pk}/tasks/quarterly-sales/").status_code == 404
    compared = Client().get(f"/compare/?runs={pk},{kept.pk}")
    assert compared.status_code == 404
    assert f"There is no run {pk}." in compared.content.decode()


def test_a_board_is_read_again_when_its_rows_changed_and_only_then(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.board.queries.KEEP_S", 1000.0)
    runs = fill_board(suite, 5)
    _, first = ask("/")
    _, again = ask("/")
    assert (first, again) == (7, 3)
    assert len(names_on(Client().get("/").content.decode())) == 5
    withdraw(runs[0].pk)
    assert len(names_on(Client().get("/").content.decode())) == 4
    publish(runs[0].pk)
    standings.refresh(suite)
    assert len(names_on(Client().get("/").content.decode())) == 5
    runs[1].delete()
    assert len(names_on(Client().get("/").content.decode())) == 4
    finish_run(make_run(suite, make_entry("Model 77 x")), 3)
    assert len(names_on(Client().get("/").content.decode())) == 5


def test_a_board_of_filed_runs_is_read_again_when_one_of_them_changes(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sweep files what changed: its counters tell, or the run is not filed yet."""
    monkeypatch.setattr("leaderboard.board.queries.KEEP_S", 1000.0)
    runs = fill_board(suite, 4)

    def shown() -> int:
        counts = []
        for _ in range(2):
            counts.append(len(names_on(Client().get("/").content.decode())))
            filing.file_runs()
        assert counts[0] == counts[1] == len(names_on(Client().get("/").content.decode()))
        return counts[0]

    assert shown() == 4
    withdraw(runs[0].pk)
    assert shown() == 3
    publish(runs[0].pk)
    standings.refresh(suite)
    assert shown() == 4
    for gone, left in ((1, 3), (2, 2)):
        runs[gone].delete()
        assert len(names_on(Client().get("/").content.decode())) == left
    assert shown() == 2


def test_what_no_run_knows_of_is_seen_a_little_later(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = fill_board(suite, 2)
    now_s = 50.0
    monkeypatch.setattr("leaderboard.board.queries.KEEP_S", 10.0)
    monkeypatch.setattr("leaderboard.board.queries.time.monotonic", lambda: now_s)
    Client().get("/")
    Entry.objects.filter(pk=runs[0].entry_id).update(name="Renamed")
    assert "Renamed" not in Client().get("/").content.decode()
    now_s = 60.0
    assert "Renamed" in Client().get("/").content.decode()


def test_board_with_too_many_entries_shows_the_best_and_says_so(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first that came may be the best of all."""
    best = finish_run(make_run(suite, make_entry("Model 1000 x")), 4)
    runs = fill_board(suite, 12)
    monkeypatch.setattr("leaderboard.board.queries.MAX_RUNS", 5)
    places = dict(Standing.objects.values_list("run_id", "rank"))
    right = sorted(places, key=lambda pk: (places[pk], pk))[:5]
    assert best.pk == right[0] < runs[0].pk
    words = "13 models are ranked. The table, its order and its filters take the best 5."
    answer = Client().get("/board.json").json()
    assert [row["run"] for row in answer["rows"]] == right
    assert answer["notes"] == [words]
    answer = Client().get("/api/v1/board/").json()
    assert [row["run"] for row in answer["rows"]] == right
    assert answer["notes"] == [words]
    page = Client().get("/?sort=name").content.decode()
    assert words in page
    assert "<dt>models</dt><dd>5 of 13</dd>" in page
    assert len(names_on(page)) == 5
    monkeypatch.setattr("leaderboard.board.queries.MAX_RUNS", 13)
    BOARDS.clear()
    BEST.clear()
    assert Client().get("/board.json").json()["notes"] == []
    assert "have a place" not in Client().get("/").content.decode()


GROWING = (
    "/",
    "/?sort=turns",
    "/charts/",
    "/charts/list/",
    "/compare/",
    "/failures/",
    "/failures/?tag=wrong-column",
    "/tasks/starter/",
    "/tasks/starter/quarterly-sales/",
    "/models/model-3/",
    "/api/v1/runs/",
)
FEW, MANY = 60, 200  # runs
MAX_GROWTH = 1.3
ROUNDING = {"calls": 0, "steps": 15}  # a query of a few steps says little


def count_work(path: str) -> dict[str, int]:
    """Calls of Python functions and tens of SQLite's steps for a page that was asked before."""
    counts = {"calls": 0, "steps": 0}

    def note_call(frame: object, event: str, argument: object) -> None:
        counts["calls"] += event == "call"

    def note_step() -> int:
        counts["steps"] += 1
        return 0

    client = Client()
    for _ in range(2):
        assert client.get(path).status_code == 200
    raw: Any = connection.connection
    is_sqlite = connection.vendor == "sqlite"
    if is_sqlite:
        raw.set_progress_handler(note_step, 10)
    sys.setprofile(note_call)
    try:
        client.get(path)
    finally:
        sys.setprofile(None)
        if is_sqlite:
            raw.set_progress_handler(None, 0)
    return counts


def test_no_page_costs_more_for_more_runs_than_it_shows(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """3.3 times the runs, with bounds on lists that the fewer runs reach already."""
    monkeypatch.setattr("leaderboard.board.queries.KEEP_S", 1000.0)
    monkeypatch.setattr("leaderboard.views.tasks.PAGE_ROWS", 30)
    monkeypatch.setattr("leaderboard.views.tasks.MAX_RESULTS", 50)
    monkeypatch.setattr("leaderboard.views.tasks.MAX_TYPICAL", 20)
    monkeypatch.setattr("leaderboard.views.compare.MAX_CHOICES", 30)
    work = []
    for first, entries in ((0, FEW), (FEW, MANY - FEW)):
        fill_board(suite, entries, first)
        while filing.file_runs():
            pass
        work.append({path: count_work(path) for path in GROWING})
    few, many = work
    grown = [
        f"{path}: {few[path][unit]} and {many[path][unit]} {unit}"
        for path in GROWING
        for unit in few[path]
        if many[path][unit] > MAX_GROWTH * few[path][unit] + ROUNDING[unit]
    ]
    assert grown == []
