"""An owner of several runs who chooses which to show: what ranks, and what the rest leaves."""

from __future__ import annotations

import csv
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.html import strip_tags

from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import (
    BoardSnapshot,
    Endpoint,
    Entry,
    Run,
    RunSummary,
    Standing,
    Suite,
    unpack,
)
from leaderboard.scoring.ranking import competition_ranks
from leaderboard.scoring.summaries import summarise
from leaderboard.sharing.cards.facts import card_of_run
from leaderboard.sharing.public_rows import load_public, load_public_of
from leaderboard.submissions.pauses import pause, resume
from leaderboard.submissions.run_actions import publish, withdraw
from leaderboard.tests.support.recomputed import recompute
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db

SOLVED = (6, 21, 9, 15, 3)  # of 24 tasks, run by run


@pytest.fixture
def suite() -> Suite:
    return make_suite(tasks=24)


@pytest.fixture
def entry(suite: Suite) -> Entry:
    """Of an owner with five private runs, beside another entry with one."""
    finish_run(make_run(suite, make_entry("Other")), 12)
    found = make_entry("Chosen")
    own(found, User.objects.create_user("owner", password="a long password"))
    for solved in SOLVED:
        finish_run(make_run(suite, found, is_public=False), solved)
    sweep_queue()
    return found


def own(entry: Entry, owner: User) -> None:
    Entry.objects.filter(pk=entry.pk).update(owner=owner, model_name="chosen")
    Endpoint.objects.create(entry=entry, base_url="https://chosen.example/v1")


def runs_of(entry: Entry) -> list[Run]:
    return list(entry.runs.order_by("pk"))


def show(run: Run) -> None:
    publish(run.pk)
    sweep_queue()


def board_row(client: Client, name: str = "Chosen") -> dict[str, object]:
    rows = client.get("/board.json").json()["rows"]
    return next(row for row in rows if row["entry"] == name and row["group"] == "ranked")


def test_one_run_picked_from_five_says_so_everywhere(client: Client, entry: Entry) -> None:
    best = runs_of(entry)[1]
    show(best)
    words = "1 of 5 runs, 4 not shown"
    assert words in client.get("/").content.decode()
    assert words in client.get(f"/models/{entry.slug}/").content.decode()
    row = board_row(client)
    assert (row["runs_counted"], row["runs_not_shown"], row["run_ids"]) == (1, 4, str(best.pk))
    table = csv.DictReader(client.get("/board.csv").content.decode().splitlines())
    assert {r["entry"]: r["runs_not_shown"] for r in table} == {"Chosen": "4", "Other": "0"}
    standing = client.get(f"/api/v1/runs/{best.pk}/").json()["standing"]
    assert (standing["runs"], standing["not_shown"]) == ([best.pk], 4)
    kept = unpack(BoardSnapshot.objects.latest("pk").body)
    assert [record["runs_not_shown"] for record in kept] == [4, 0]
    assert "of 5 runs" not in client.get("/models/entry-1/").content.decode()


def test_nothing_of_the_private_runs_is_told_but_their_number(client: Client, entry: Entry) -> None:
    shown, *hidden = runs_of(entry)
    show(shown)

    def look() -> list[bytes]:
        addresses = ("/board.json", "/board.csv", f"/models/{entry.slug}.json", "/changes.json")
        return [client.get(address).content for address in addresses]

    before = look()
    assert not any(f"/runs/{run.pk}/".encode() in page for run in hidden for page in before)
    for run in hidden:
        run.attempts.update(passed=True)
        finish_run(run, 24)
        Run.objects.filter(pk=run.pk).update(is_public=False)  # files it anew
    sweep_queue()
    assert look() == before


def test_shown_runs_count_by_their_mean_whatever_is_published_last(
    client: Client, entry: Entry
) -> None:
    first, second, third, *_ = runs_of(entry)
    for run in (second, third, first):  # the best first, the worst last
        show(run)
    row = board_row(client)
    assert row["ut_strict"] == pytest.approx((6 + 21 + 9) / 72)
    assert (row["run"], row["passed"], row["runs_not_shown"]) == (third.pk, 36, 2)
    assert row["ut_strict_low"] < row["ut_strict"] < row["ut_strict_high"]  # type: ignore[operator]
    assert board_row(client, "Other")["rank"] == 1
    page = client.get("/").content.decode()
    assert "mean of 3 of 5 runs, 2 not shown" in page
    assert "<b>50.0</b>" in page
    assert recompute("--dry-run").count("place") == 0


@pytest.mark.parametrize("worst", [0, 2])
def test_withdrawing_a_bad_run_gains_nothing(client: Client, entry: Entry, worst: int) -> None:
    shown = runs_of(entry)[:3]
    for run in shown:
        show(run)
    withdraw(shown[worst].pk)
    sweep_queue()
    assert not Standing.objects.filter(run__entry=entry).exists()
    page = client.get("/").content.decode()
    assert "another run of this model was withdrawn since" in page
    later = finish_run(make_run(shown[0].suite, entry), 1)
    sweep_queue()
    row = board_row(client)
    assert (row["run_ids"], row["runs_not_shown"]) == (str(later.pk), 3)
    publish(shown[worst].pk)
    sweep_queue()
    assert board_row(client)["runs_counted"] == 4


def test_a_cancelled_or_reconfigured_private_run_is_counted(client: Client, entry: Entry) -> None:
    first, second, *_ = runs_of(entry)
    show(first)
    second.attempts.filter(task__position__gt=3).update(passed=None, status="cancelled")
    Run.objects.filter(pk=second.pk).update(status="cancelled")
    summarise(second)
    warmer = make_entry("Warmer")
    own(warmer, User.objects.get(username="owner"))
    Endpoint.objects.filter(entry=warmer).update(base_url="https://www.foo.example:8443/v1/")
    finish_run(make_run(first.suite, warmer, is_public=False), 8)
    sweep_queue()
    assert board_row(client)["runs_not_shown"] == 5
    Run.objects.filter(pk=second.pk).update(is_public=True)
    sweep_queue()
    row = board_row(client)
    assert (row["runs_not_shown"], row["runs_incomplete"]) == (4, 1)
    assert "1 of 6 runs, 4 not shown, 1 incomplete" in client.get("/").content.decode()


def test_a_private_run_is_counted_while_it_pauses(client: Client, entry: Entry) -> None:
    """Else a bad run that is paused before its last task would never be seen."""
    first, second, *_ = runs_of(entry)
    show(first)
    last = second.attempts.get(task__position=24)
    last.passed, last.status, last.outcome = None, "queued", ""
    last.save()
    Run.objects.filter(pk=second.pk).update(status="running", finished_at=None)
    summarise(second)
    counts = []
    for act in (pause, resume):
        act(second.pk)
        sweep_queue()
        counts.append(board_row(client)["runs_not_shown"])
        assert "place" not in recompute("--dry-run")
    assert counts == [4, 3]


def test_efforts_are_those_of_all_attempts(client: Client, entry: Entry) -> None:
    first, second, *_ = runs_of(entry)
    first.attempts.update(turns=2)
    second.attempts.update(turns=4)
    for run in (first, second):
        run.attempts.update(passed=True)
        summarise(run)
        show(run)
    row = board_row(client)
    assert (row["turns"], row["passed"], row["ut_strict"]) == (3.0, 48, 1.0)


def test_what_is_cited_of_a_run_is_its_own_rate_and_the_rank_of_the_mean(
    client: Client, entry: Entry
) -> None:
    first, second, *_ = runs_of(entry)
    show(first)
    words = "rank 2 (1 of 5 runs, 4 not shown)"
    for door in ("cite.bib", "badge.svg", ""):
        assert words in client.get(f"/runs/{first.pk}/{door}").content.decode()
    assert "1 of 5 runs, 4 not shown" in card_of_run(load_public(first.pk)).foot
    show(second)
    one = "one of 2 runs (3 not shown)"
    for run, rate, has_row in ((first, "25.0", False), (second, "87.5", True)):
        cited = client.get(f"/runs/{run.pk}/cite.bib").content.decode()
        assert rate in cited
        assert f"{one} whose mean has rank 1–2" in cited
        assert ("pybench-row" in cited) is has_row
        page = client.get(f"/runs/{run.pk}/").content.decode()
        assert f"<dd>{one} whose mean has rank 1–2</dd>" in page
        assert cited in unescape(page)
        badge = client.get(f"/runs/{run.pk}/badge.svg").content.decode().split("<g")[1]
        assert "rank" not in badge
        assert one in badge
        card = card_of_run(load_public(run.pk))
        assert not card.rates[0].note
        assert one in card.foot
        for record in ("eval-results.yaml", "every-eval-ever.json"):
            assert one in client.get(f"/runs/{run.pk}/{record}").content.decode()
    assert card_of_run(load_public_of(entry.slug)).rates[0].note == "rank 1–2"
    assert "rank 1–2 (mean of 2 of 5 runs" in client.get(f"/models/{entry.slug}/").content.decode()


def test_charts_and_the_tasks_that_split_the_best_follow_the_mean(
    client: Client, entry: Entry
) -> None:
    for run in runs_of(entry)[:2]:  # 6 and 21 of 24
        show(run)
    turns = {
        row[0]: row[1:] for row in client.get("/charts/success-within-turns.json").json()["rows"]
    }
    assert turns["Chosen"][-2:] == [pytest.approx(27 / 48), 48]
    assert turns["Other"][-2:] == [0.5, 24]
    rows = csv.DictReader(client.get("/charts/matrix.csv").content.decode().splitlines())
    shares = {row["task"]: float(row["1. Chosen"]) for row in rows}
    assert [shares[f"task-{n}"] for n in (1, 7, 21, 22)] == [1, 0.5, 0.5, 0]
    page = " ".join(strip_tags(client.get("/").content.decode()).split())
    assert "They disagree most on Task 7 and Task 8." in page


def test_of_few_tasks_too_a_run_says_that_it_is_one_of_several(client: Client) -> None:
    suite, few = make_suite("few", tasks=8), make_entry("Few")
    for solved in (3, 7):
        run = finish_run(make_run(suite, few), solved)
    sweep_queue()
    for address in (f"/runs/{run.pk}/", f"/runs/{run.pk}/cite.bib", f"/runs/{run.pk}/badge.svg"):
        page = client.get(address).content.decode()
        assert "one of 2 runs" in page
        assert "rank 1" not in page


def test_categories_and_order_follow_the_mean(client: Client, entry: Entry) -> None:
    first, second, *_ = runs_of(entry)
    show(first)
    show(second)
    ranked = [r for r in client.get("/board.json").json()["rows"] if r["group"] == "ranked"]
    rates = [row["ut_strict"] for row in ranked]
    own = client.get(f"/runs/{second.pk}.json").json()  # its rates beside the rank of the mean
    assert (own["rates_of"], own["run_ids"]) == (str(second.pk), f"{second.pk} {first.pk}")
    assert (own["ut_strict"], own["rank"]) == (SOLVED[1] / 24, board_row(client)["rank"])
    assert board_row(client)["rates_of"] == own["run_ids"]
    assert competition_ranks(rates) == [row["rank"] for row in ranked]
    row = board_row(client)
    for category in first.suite.categories:
        both = RunSummary.objects.filter(run__in=[first, second], category=category["key"])
        expected = [summary.rate * summary.tasks for summary in both]  # fewer than 20 tasks
        assert row[category["key"]] is None
        passed = row[f"{category['key']}_passed"]
        assert passed == pytest.approx(sum(expected) / 2 if expected else None)


def test_several_entries_of_one_model_say_so(client: Client, suite: Suite, entry: Entry) -> None:
    """Each setting of a model, shown as an entry of its own, is one draw more for its owner."""
    entry.refresh_from_db()
    warmer = make_entry("Chosen, warmer")
    Entry.objects.filter(pk=warmer.pk).update(owner=entry.owner, model_name="chosen")
    finish_run(make_run(suite, warmer), 18)
    show(runs_of(entry)[0])
    sweep_queue()
    page = client.get("/").content.decode()
    assert page.count("one of 2 settings of this model") == 2
    assert "of 5 runs, 4 not shown, one of 2 settings of this model" in " ".join(page.split())


def test_a_run_with_a_limit_of_its_own_is_counted_though_it_ranks_nowhere(
    client: Client, entry: Entry
) -> None:
    """Else four bad runs whose longest reply was changed in a pause would count as none."""
    show(runs_of(entry)[3])
    for run in runs_of(entry)[:3]:
        Run.objects.filter(pk=run.pk).update(changed_sampling={"max_tokens": 4095})
    sweep_queue()
    row = board_row(client)
    assert (row["runs_counted"], row["runs_not_shown"]) == (1, 4)


def test_corrected_verdicts_move_ranges_without_ranks(suite: Suite, entry: Entry) -> None:
    run = runs_of(entry)[1]
    show(run)
    sweep_queue()
    before = Standing.objects.get(run=run)
    attempt = run.attempts.filter(passed=False).order_by("pk").first()
    assert attempt is not None
    other = run.attempts.filter(passed=True).order_by("pk").first()
    assert other is not None
    run.attempts.filter(pk=attempt.pk).update(passed=True)
    run.attempts.filter(pk=other.pk).update(passed=False)
    summarise(run)
    assert Standing.objects.get(run=run).lead_needed is None
    Run.objects.filter(pk=run.pk).update(is_filed=False)
    sweep_queue()
    assert Standing.objects.get(run=run).lead_needed is not None
    assert before.lead_needed is not None
