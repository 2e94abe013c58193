"""Seasons: another seed is another board, and no comparison crosses it."""

from __future__ import annotations

import io
import re

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from leaderboard.models import Run, Standing, Suite
from leaderboard.scoring.filing import file_runs
from leaderboard.scoring.standings import refresh_changed
from leaderboard.submissions.run_actions import withdraw
from leaderboard.suites.seasons import MAX_SEED, draw_seed, find_season, list_seasons, open_season
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite
from runner.contract import ProblemError

pytestmark = pytest.mark.django_db


def play(suite: Suite, name: str, seed: int | None = None, passed: int = 1) -> Run:
    run = make_run(suite, make_entry(name))
    run.seed = suite.seed if seed is None else seed
    finish_run(run, passed)
    file_runs()
    refresh_changed()
    return run


def say(*arguments: str) -> str:
    said = io.StringIO()
    call_command(*arguments, stdout=said)
    return said.getvalue().strip()


def test_a_suite_begins_with_its_first_season() -> None:
    suite = make_suite()
    (season,) = list_seasons(suite)
    assert (season.number, season.seed, season.ended_on) == (1, suite.seed, "")


def test_a_maintainer_opens_a_season_with_a_seed_that_nobody_knew() -> None:
    suite = make_suite()
    before = suite.seed
    assert say("open_season", suite.name).startswith("season 2 of starter v1 is open: seed ")
    suite.refresh_from_db()
    now, past = list_seasons(suite)
    assert suite.seed == now.seed != before
    assert (past.number, past.seed) == (1, before)
    assert past.ended_on


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1])
def test_a_seed_out_of_bounds_opens_none(seed: int) -> None:
    with pytest.raises(CommandError, match=f"{seed} is not a valid seed"):
        say("open_season", make_suite().name, "--seed", str(seed))


def test_a_seed_has_one_season() -> None:
    suite = make_suite()
    with pytest.raises(ProblemError, match="already had seed"):
        open_season(suite, suite.seed)


def test_a_recorded_suite_has_no_seasons() -> None:
    suite = make_suite()
    Suite.objects.update(is_recorded=True)
    with pytest.raises(ProblemError, match="Choose another suite"):
        open_season(suite)


def test_an_unknown_suite_is_said_to_be_one() -> None:
    with pytest.raises(CommandError, match="is not installed here"):
        say("open_season", "absent")


def test_runs_of_other_seeds_share_no_board(client: Client) -> None:
    suite = make_suite()
    old = play(suite, "Old one")
    open_season(suite)
    suite.refresh_from_db()
    new = play(suite, "New one")
    fresh = play(suite, "Fresh one", seed=draw_seed(suite))
    ranks = dict(Standing.objects.values_list("run_id", "rank"))
    assert ranks == {old.pk: 1, new.pk: 1}
    now, past = client.get("/").content.decode(), client.get("/?season=1").content.decode()
    assert "New one" in now
    assert "Old one" not in now
    assert "Old one" in past
    assert "New one" not in past
    assert "Fresh one" not in now + past
    badge = client.get(f"/runs/{fresh.pk}/badge.svg").content.decode()
    assert "1 of 8 tasks" in badge
    assert "rank" not in badge
    entry = client.get(f"/models/{fresh.entry.slug}/").content.decode()
    assert "a seed of its own, on no board" in entry
    assert client.get("/?season=3").status_code == 404
    told = client.get("/board.json?season=1").json()
    assert [row["entry"] for row in told["rows"]] == ["Old one"]
    assert (told["suite"]["season"], told["suite"]["seed"]) == (1, old.seed)
    answer = client.get("/api/v1/board/?season=1").json()
    assert [row["entry"] for row in answer["rows"]] == ["Old one"]
    assert client.get("/api/v1/board/?season=9").status_code == 404


def test_runs_with_seeds_of_their_own_neither_enter_nor_leave_a_board(client: Client) -> None:
    suite = make_suite()
    runs = [play(suite, f"Model {seed}", seed=seed) for seed in range(1, 7)]
    assert [row["kind"] for row in client.get("/changes.json").json()["changes"]] == []
    withdraw(runs[0].pk)
    assert client.get("/changes.json").json()["changes"] == []
    bibtex = client.get(f"/runs/{runs[1].pk}/cite.bib").content.decode()
    assert "pybench-row" not in bibtex
    answer = client.get("/compare/", {"runs": ",".join(str(run.pk) for run in runs[1:])})
    assert answer.status_code == 400
    assert "another seed makes other instances" in answer.content.decode()


def test_row_of_a_past_season_is_cited_with_its_board(client: Client) -> None:
    suite = make_suite()
    old = play(suite, "Old one")
    open_season(suite)
    bibtex = client.get(f"/runs/{old.pk}/cite.bib").content.decode()
    address = re.search(r"pybench-row-.*?url{http://testserver(.*?)}", bibtex, re.DOTALL)
    assert address is not None
    assert "season=1" in address[1]
    assert "Old one" in client.get(address[1]).content.decode()


def test_the_filters_of_a_past_season_keep_to_it(client: Client) -> None:
    suite = make_suite()
    play(suite, "Old one")
    open_season(suite)
    page = client.get("/?season=1").content.decode()
    assert "season=1&amp;sort=" in page
    picker = page[page.index('aria-label="Suite"') :].partition("</nav>")[0]
    assert re.findall(r"<b>(Season \d)</b>", picker) == ["Season 2", "Season 1"]
    assert "ended on" in picker


def test_runs_of_other_seeds_are_not_compared(client: Client) -> None:
    suite = make_suite()
    one, other = play(suite, "One"), play(suite, "Other", seed=5)
    answer = client.get(f"/compare/?runs={one.pk},{other.pk}")
    assert answer.status_code == 400
    assert "another seed makes other instances" in answer.content.decode()


def test_a_run_says_its_season_or_that_its_instances_are_its_own(client: Client) -> None:
    suite = make_suite()
    one, other = play(suite, "One"), play(suite, "Other", seed=5)
    assert "season 1</a>" in client.get(one.get_absolute_url()).content.decode()
    page = client.get(other.get_absolute_url()).content.decode()
    assert re.search(r">\s*fresh</small>", page)
    assert find_season(suite, 5) is None


def test_a_tasks_solve_rate_is_of_the_season_under_way() -> None:
    suite = make_suite()
    play(suite, "Foo", passed=1)
    play(suite, "Own", seed=987, passed=1)
    first = suite.tasks.order_by("position")

    def rate() -> tuple[int, int]:
        task = first[0]
        return task.solved, task.decided

    assert rate() == (1, 1)
    open_season(suite, 11)
    suite.refresh_from_db()
    file_runs()
    refresh_changed()
    assert rate() == (0, 0)
    play(suite, "Foo again", passed=0)
    assert rate() == (0, 1)
    call_command("recompute", stdout=io.StringIO())
    assert rate() == (0, 1)


def test_seeds_are_drawn_anew() -> None:
    suite = make_suite()
    drawn = {draw_seed(suite) for _ in range(20)}
    assert len(drawn) == 20
    assert all(0 < seed <= MAX_SEED for seed in drawn)
