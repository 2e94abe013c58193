"""Cost of runs: from the sums of tokens and the price of the run's date, down to the pages."""

from __future__ import annotations

import csv
from datetime import date, timedelta
from decimal import Decimal
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.board.columns import show_cost
from leaderboard.board.rows import BoardRow, Tally
from leaderboard.models import Attempt, Entry, ModelPrice, Run, RunSummary
from leaderboard.money.cost import Cost, TokenPrice, cost_of, why_unpriced
from leaderboard.money.lookup import find_price
from leaderboard.rendering.numbers import show_money
from leaderboard.scoring.standings import refresh_changed
from leaderboard.scoring.summaries import note_end, summarise
from leaderboard.scoring.usage import TokenParts, UsageSums
from leaderboard.submissions.run_actions import register, start
from leaderboard.tests.support.rows import (
    NOW,
    end_judged,
    finish_run,
    make_entry,
    make_run,
    make_suite,
    register_entry,
    set_price,
)

DOLLAR = TokenPrice(Decimal(1), Decimal(10), cached=Decimal("0.1"), reasoning=Decimal(20))


def sums_of(*attempts: TokenParts) -> UsageSums:
    sums = UsageSums()
    for parts in attempts:
        sums.add(parts, is_solved=True)
    return sums


def known_cost(usage: UsageSums, price: TokenPrice) -> Cost:
    cost = cost_of(usage, price)
    assert cost is not None
    return cost


def show(cost: Cost) -> str:
    """A model's cost per task as its cell of the board has it."""
    return show_cost(BoardRow(Run(entry=Entry()), Tally(), (), cost=cost), cost.per_task)


def test_each_part_of_tokens_has_its_own_price() -> None:
    cost = known_cost(sums_of(TokenParts(1_000_000, 100_000, 400_000, 50_000)), DOLLAR)
    # 600k at $1, 400k cached at $0.10, 50k at $10, 50k reasoning at $20
    assert cost.total == Decimal("0.6") + Decimal("0.04") + Decimal("0.5") + 1
    assert not cost.is_at_most


def test_parts_without_a_price_cost_as_what_they_are_part_of() -> None:
    plain = TokenPrice(Decimal(1), Decimal(10))
    cost = known_cost(sums_of(TokenParts(1_000_000, 100_000, 400_000, 50_000)), plain)
    assert cost.total == 2
    assert not cost.is_at_most


def test_reasoning_beyond_completion_is_counted_beside_it() -> None:
    cost = known_cost(sums_of(TokenParts(0, 100_000, 0, 300_000)), DOLLAR)
    assert cost.total == 1 + 6


def test_unknown_cached_tokens_make_the_cost_an_upper_bound() -> None:
    cost = known_cost(sums_of(TokenParts(1_000_000, 0)), DOLLAR)
    assert cost.total == 1
    assert cost.is_at_most
    assert show(cost) == "≤ $1.00"


@pytest.mark.parametrize(
    "parts",
    [TokenParts(None, 5), TokenParts(5, None), TokenParts(-5, 5), TokenParts(5, -1)],
)
def test_unknown_and_negative_tokens_are_unpriced_and_never_zero(parts: TokenParts) -> None:
    usage = sums_of(parts)
    assert cost_of(usage, DOLLAR) is None
    assert why_unpriced(usage, DOLLAR) == "Unpriced: the endpoint did not count tokens."
    cost = known_cost(sums_of(parts, TokenParts(1_000_000, 0, 0, 0)), DOLLAR)
    assert (cost.priced, cost.replied) == (1, 2)
    assert cost.total == 1
    assert show(cost) == "$1.00 (1 of 2)"


def test_impossible_parts_stay_within_their_wholes() -> None:
    usage = sums_of(TokenParts(100, 10, 500, -7))
    assert (usage.cached, usage.reasoning, usage.beside) == (100, 0, 0)


def test_money_in_words(subtests: pytest.Subtests) -> None:
    for dollars, words in [
        (0.0, "$0"),
        (0.00000004, "<$0.000001"),
        (0.0000213, "$0.000021"),
        (0.00214, "$0.0021"),
        (0.154, "$0.15"),
        (0.9996, "$1.00"),
        (12.345, "$12.35"),
        (1204.2, "$1,204"),
        (None, "–"),
    ]:
        with subtests.test(dollars=dollars, words=words):
            assert show_money(dollars) == words


@pytest.fixture
def run() -> Run:
    """Eight attempts of 4210 and 612 tokens, five of them solved."""
    return finish_run(make_run(make_suite(), make_entry("Foo")), 5)


PER_TASK = (4210 + 612 * 10) / 1e6


def record_of(run: Run) -> dict[str, Any]:
    refresh_changed()
    rows: list[dict[str, Any]] = Client().get("/board.json").json()["rows"]
    return next(row for row in rows if row["run"] == run.pk)


@pytest.mark.django_db
def test_board_run_and_entry_show_cost_and_coverage(run: Run) -> None:
    set_price("foo")
    record = record_of(run)
    assert record["cost_per_task"] == pytest.approx(PER_TASK)
    assert record["cost_per_solved"] == pytest.approx(PER_TASK * 8 / 5)
    assert (record["priced_attempts"], record["replied_attempts"]) == (8, 8)
    page = Client().get("/").content.decode()
    assert "<span>$ per passed task</span>" in page
    assert "$0.017" in page
    page = Client().get("/?columns=rate,cost").content.decode()
    assert "<span>$ per task</span>" in page
    assert "$0.010" in page
    for address in (run.get_absolute_url(), f"/models/{run.entry.slug}/"):
        page = Client().get(address).content.decode()
        assert "cost per passed task" in page
        assert "$1 prompt, $10 completion per million tokens, from 2026-11-01. a test." in page
    for address in (f"/runs/{run.pk}.json", f"/models/{run.entry.slug}.json"):
        answer = Client().get(address).json()
        record = answer["runs"][0] if "runs" in answer else answer
        assert record["cost_per_task"] == pytest.approx(PER_TASK)
        assert record["cost_currency"] == "USD"
    row = next(csv.DictReader(Client().get("/board.csv").content.decode().splitlines()))
    assert float(row["cost_per_solved"]) == pytest.approx(PER_TASK * 8 / 5)


@pytest.mark.django_db
def test_unpriced_is_a_word_and_never_zero(run: Run) -> None:
    other = finish_run(make_run(run.suite, make_entry("Bar")), 2)
    set_price("foo")
    record = record_of(other)
    assert record["cost_per_task"] is None
    assert record["priced_attempts"] == 0
    page = Client().get("/?sort=cost").content.decode()
    assert page.index(">Foo<") < page.index(">Bar<")  # the unknown stays last
    assert "unpriced" in page
    page = Client().get(other.get_absolute_url()).content.decode()
    assert "Unpriced: the price book has no price for this model" in page
    assert "$0" not in page


@pytest.mark.django_db
def test_board_without_any_price_has_no_cost_columns(run: Run) -> None:
    record_of(run)
    page = Client().get("/").content.decode()
    assert "<span>$ per passed task</span>" not in page
    assert "unpriced" in Client().get("/?columns=rate,cost").content.decode()


@pytest.mark.django_db
def test_price_is_that_of_the_runs_date(run: Run) -> None:
    set_price("foo", day="2026-11-21")  # a day after the run
    assert record_of(run)["cost_per_task"] is None
    set_price("foo", day="2026-11-10", prompt=0, completion=1)
    set_price("foo", day="2026-11-20", prompt=0, completion=2)
    assert record_of(run)["cost_per_task"] == pytest.approx(612 * 2 / 1e6)


@pytest.mark.django_db
def test_providers_own_price_goes_before_everybodys(run: Run) -> None:
    set_price("foo", provider="openrouter", day="2026-11-02", prompt=0, completion=3)
    set_price("foo", provider="groq", prompt=0, completion=7)
    set_price("foo", day="2026-11-19", prompt=0, completion=1)
    assert record_of(run)["cost_per_task"] == pytest.approx(612 / 1e6)
    Run.objects.filter(pk=run.pk).update(provider="openrouter")
    assert record_of(run)["cost_per_task"] == pytest.approx(612 * 3 / 1e6)
    assert "OpenRouter: $0 prompt" in Client().get(run.get_absolute_url()).content.decode()
    found = find_price("groq", "foo", date(2026, 11, 20))
    assert found is not None
    assert found.completion == 7


@pytest.mark.django_db
def test_submitters_own_host_is_shown_nowhere(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(provider="secret-host.example")
    set_price("foo", provider="secret-host.example")
    assert record_of(run)["cost_per_task"] == pytest.approx(PER_TASK)
    for address in ("/", "/board.json", run.get_absolute_url(), f"/runs/{run.pk}.json"):
        assert "secret-host" not in Client().get(address).content.decode()


@pytest.mark.django_db
def test_started_run_remembers_its_provider() -> None:
    entry = register(name="M", base_url="https://openrouter.ai/api/v1", model="m")
    assert start(entry, make_suite()).provider == "openrouter"
    other = start(register_entry("Other"), make_suite("other"))
    assert other.provider == "127.0.0.1"


@pytest.mark.django_db
def test_cost_takes_no_query_more_however_many_runs(run: Run) -> None:
    for n in range(12):
        finish_run(make_run(run.suite, make_entry(f"Foo {n}")), 3)
    refresh_changed()
    addresses = ["/board.json", f"/models/{run.entry.slug}.json", run.get_absolute_url()]
    before = [count_queries(address) for address in addresses]
    set_price("foo")
    for n in range(12):
        set_price(model=f"foo {n}")
    assert [count_queries(address) for address in addresses] == before
    assert all(row["cost_per_task"] for row in Client().get("/board.json").json()["rows"])


def count_queries(address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert Client().get(address).status_code == 200
    return len(queries)


@pytest.mark.django_db
def test_scripted_baselines_have_no_word_on_cost(run: Run) -> None:
    scripted = finish_run(make_run(run.suite, make_entry("silent", is_scripted=True)), 0)
    page = Client().get(scripted.get_absolute_url()).content.decode()
    assert "cost per" not in page
    assert "npriced" not in page


@pytest.mark.django_db
def test_recompute_proves_and_mends_usage(run: Run) -> None:
    summary = run.summaries.get(category="")
    right = dict(summary.usage or {})
    assert right["counted"] == right["talked"] == 8
    assert right["cached_known"] == 0  # not said is not 0
    call_command("recompute", "--dry-run")
    for wrong in ({**right, "prompt": 1}, None):
        RunSummary.objects.filter(run=run, category="").update(usage=wrong)
        with pytest.raises(CommandError):
            call_command("recompute", "--dry-run")
        call_command("recompute")
        assert run.summaries.get(category="").usage == right


@pytest.mark.django_db
def test_usage_that_an_older_worker_left_behind_is_counted_again() -> None:
    run = make_run(make_suite())
    summarise(run)
    first, second = run.attempts.order_by("pk")[:2]
    note_end(run, end_judged(first, passed=True))
    RunSummary.objects.filter(run=run).update(usage=None)
    note_end(run, end_judged(second, passed=False))
    usage = run.summaries.get(category="").usage or {}
    assert (usage["talked"], usage["solved"], usage["prompt"]) == (2, 1, 8420)


@pytest.mark.django_db
def test_migration_counts_stored_attempts_as_recompute_does(run: Run) -> None:
    Attempt.objects.filter(pk=run.attempts.latest("pk").pk).update(
        cached_tokens=100, reasoning_tokens=5, prompt_tokens=None
    )
    summarise(run)
    right = dict(run.summaries.values_list("category", "usage"))
    RunSummary.objects.update(usage=None)
    entry = register_entry()
    made = start(entry, make_suite("other"))
    Run.objects.update(provider="")
    migration = import_module("leaderboard.migrations.0021_money")
    migration.count_usage(apps, None)
    migration.name_providers(apps, None)
    assert dict(run.summaries.values_list("category", "usage")) == right
    assert (right[""] or {})["counted"] == 7
    made.refresh_from_db()
    assert made.provider == "127.0.0.1"


@pytest.mark.django_db
def test_cost_chart_draws_priced_models_and_counts_the_others(run: Run) -> None:
    finish_run(make_run(run.suite, make_entry("Bar")), 7)
    finish_run(make_run(run.suite, make_entry("silent", is_scripted=True)), 0)
    set_price("foo")
    refresh_changed()
    chart = Client().get("/charts/rate-against-cost.json").json()
    assert [row[0] for row in chart["rows"]] == ["Foo"]
    assert chart["rows"][0][2] == pytest.approx(PER_TASK)
    assert "Not drawn, because no price is known: 1." in chart["note"]
    ModelPrice.objects.all().delete()
    Run.objects.filter(pk=run.pk).update(sequence=99)
    assert Client().get("/charts/rate-against-cost.json").json()["rows"] == []
    assert "No price is known for these models" in Client().get("/charts/").content.decode()


@pytest.mark.django_db
def test_later_run_of_the_same_entry_has_a_later_price(run: Run) -> None:
    set_price("foo", day="2026-11-01", prompt=0, completion=1)
    set_price("foo", day="2026-11-22", prompt=0, completion=2)
    later = finish_run(make_run(run.suite, Entry.objects.get(pk=run.entry_id)), 5)
    Run.objects.filter(pk=later.pk).update(finished_at=NOW + timedelta(days=2))
    rows = Client().get(f"/models/{run.entry.slug}.json").json()["runs"]
    assert [row["cost_per_task"] for row in rows] == pytest.approx([1224e-6, 612e-6])
