"""The list of changes: rows written with the change and never rewritten, and their pages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from leaderboard.models import Entry, ModelPrice, PublicChange, Run, RunReview, Suite
from leaderboard.scoring import standings
from leaderboard.submissions.run_actions import publish, withdraw
from leaderboard.suites.seasons import open_season
from leaderboard.tests.support.rows import (
    finish_run,
    make_entry,
    make_run,
    make_suite,
    set_price,
)
from leaderboard.views.changes import FEEDS
from runner.contract import ProblemError

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
VISITOR = "198.51.100.7"


@pytest.fixture(autouse=True)
def fresh_allowance() -> Iterator[None]:
    FEEDS.spent.clear()
    yield
    FEEDS.spent.clear()


def sentences() -> list[str]:
    return [one["sentence"] for one in Client().get("/changes.json").json()["changes"]]


def place(suite: Suite, name: str = "Foo", solved: int = 5) -> Run:
    run = finish_run(make_run(suite, make_entry(name)), solved)
    standings.refresh(suite)
    return run


def test_run_that_is_placed_is_noted_once(suite: Suite) -> None:
    place(suite)
    assert sentences() == ["Foo enters starter@1."]
    standings.refresh(suite)
    call_command("recompute")
    assert len(sentences()) == 1


def test_ranks_are_noted_on_suites_of_enough_tasks() -> None:
    suite = make_suite(tasks=20)
    first = place(suite)
    finish_run(make_run(suite, first.entry), 7)
    standings.refresh(suite)
    assert sentences() == [
        "Foo has another run on starter@1: rank 1, by the mean of its runs.",
        "Foo enters starter@1 at rank 1.",
    ]


def test_later_run_of_an_entry_is_noted_as_one_more_in_its_mean(suite: Suite) -> None:
    first = place(suite)
    finish_run(make_run(suite, first.entry), 7)
    standings.refresh(suite)
    assert sentences()[0] == "Foo has another run on starter@1: it counts by the mean of its runs."
    assert PublicChange.objects.filter(kind=PublicChange.Kind.WITHDRAWN).count() == 0


def test_earlier_run_that_leaves_with_a_withdrawn_one_is_noted(suite: Suite) -> None:
    first = place(suite)
    later = finish_run(make_run(suite, first.entry), 7)
    standings.refresh(suite)
    withdraw(first.pk)
    standings.refresh(suite)
    assert sentences()[0] == "Foo left starter@1: another run of this model was withdrawn."
    assert not Run.objects.filter(pk=later.pk, standing__isnull=False).exists()


def test_run_that_is_published_again_and_again_is_told_once_and_not_for_ever(
    suite: Suite,
) -> None:
    run = place(suite)
    for _ in range(3):
        withdraw(run.pk)
        standings.refresh(suite)
        publish(run.pk)
        standings.refresh(suite)
    assert PublicChange.objects.count() == 7
    assert sentences() == [
        "Foo enters starter@1.",
        "Foo left starter@1: withdrawn by its owner.",
    ]
    assert Client().get("/changes/").content.decode().count('id="change-') == 2
    withdraw(run.pk)
    with pytest.raises(ProblemError, match="3 times within a day"):
        publish(run.pk)
    run.status_changes.update(at=timezone.now() - timedelta(days=2))
    publish(run.pk)


def test_withdrawn_run_is_noted_with_its_reason_and_without_its_name(suite: Suite) -> None:
    run = place(suite)
    withdraw(run.pk)
    standings.refresh(suite)
    assert sentences() == [
        f"Run {run.pk} left starter@1: withdrawn by its owner.",
        f"Run {run.pk} enters starter@1.",
    ]
    for address in ("/changes/", "/changes.json", "/changes.atom"):
        assert "Foo" not in Client().get(address).content.decode()
    publish(run.pk)
    standings.refresh(suite)
    assert sentences()[0] == "Foo enters starter@1."


def test_maintainers_name_is_not_shown(suite: Suite) -> None:
    run = place(suite)
    withdraw(run.pk, "withdrawn by root-of-the-site")
    assert sentences()[0] == f"Run {run.pk} left starter@1: withdrawn by a maintainer."


def test_place_that_is_withheld_is_noted(suite: Suite) -> None:
    run = place(suite)
    RunReview.objects.create(run=run, ruling=RunReview.Ruling.UPHELD)
    standings.refresh(suite)
    assert sentences()[0] == "Foo left starter@1: its place is withheld after a review."


def test_deleted_run_stays_a_number(suite: Suite) -> None:
    run = place(suite)
    number = run.pk
    run.delete()
    assert sentences() == [f"Run {number} enters starter@1."]


def test_withdrawals_nobody_saw_are_not_noted(suite: Suite) -> None:
    withdraw(make_run(suite).pk)  # it was still queued
    withdraw(finish_run(make_run(suite, make_entry("silent", is_scripted=True)), 0).pk)
    withdraw(finish_run(make_run(suite, make_entry(), is_public=False), 3).pk)
    assert sentences() == []


def test_change_that_is_rolled_back_is_not_noted(suite: Suite) -> None:
    run = place(suite)
    with transaction.atomic():
        withdraw(run.pk)
        transaction.set_rollback(True)
    assert len(sentences()) == 1


def test_suites_seasons_and_prices_are_noted(suite: Suite) -> None:
    call_command("install_suite", "starter")
    open_season(suite)
    call_command("load_prices")
    prices, season, installed = sentences()
    assert prices.startswith("Prices: 87 added: LiteLLM 1.109.1")
    assert season == "Suite starter@1 begins season 2, with inputs that nobody has seen."
    assert installed.startswith("Suite starter@1")
    assert "tasks" in installed
    call_command("install_suite", "starter")
    call_command("load_prices")
    assert len(sentences()) == 3


def test_admin_notes_each_price_it_changes(admin_client: Client) -> None:
    form = {"provider": "openai", "model": "m", "valid_from": "2026-11-01", "source": "a page"}
    form |= {"prompt": "1", "completion": "2", "cached": "", "reasoning": ""}
    admin_client.post("/admin/leaderboard/modelprice/add/", form)
    price = ModelPrice.objects.get()
    address = f"/admin/leaderboard/modelprice/{price.pk}"
    admin_client.post(f"{address}/change/", {**form, "prompt": "3"})
    admin_client.post(f"{address}/delete/", {"post": "yes"})
    assert sentences() == [
        "Prices: 1 removed (OpenAI m): removed by a maintainer.",
        "Prices: 1 corrected (OpenAI m): a page.",
        "Prices: 1 added (OpenAI m): a page.",
    ]
    corrected = PublicChange.objects.order_by("pk")[1]
    assert corrected.facts["old"][0]["prompt"] == "1.000000"


def test_submitters_host_is_not_in_a_change_of_prices(admin_client: Client) -> None:
    set_price("m", provider="secret-host.example")
    price = ModelPrice.objects.get()
    admin_client.post(f"/admin/leaderboard/modelprice/{price.pk}/delete/", {"post": "yes"})
    assert "secret-host" not in str(PublicChange.objects.values())


def test_change_is_never_rewritten_or_deleted(suite: Suite) -> None:
    place(suite)
    change = PublicChange.objects.get()
    change.reason = "another"
    for act in (
        change.save,
        change.delete,
        PublicChange.objects.all().delete,
        lambda: PublicChange.objects.update(reason="another"),
    ):
        with pytest.raises(TypeError, match="never"):
            act()
    assert PublicChange.objects.get().reason == ""


def test_admin_only_shows_changes(suite: Suite, admin_client: Client) -> None:
    place(suite)
    change = PublicChange.objects.get()
    address = f"/admin/leaderboard/publicchange/{change.pk}"
    assert admin_client.get(f"{address}/change/").status_code == 200
    assert admin_client.post(f"{address}/delete/", {"post": "yes"}).status_code == 403
    assert admin_client.post(f"{address}/change/", {"reason": "x"}).status_code == 403


HOSTILE = "<script>alert(1)</script>\u202e&\x0b مرحبا " + "x" * 100


def test_hostile_names_are_escaped_on_page_and_feed(suite: Suite) -> None:
    run = place(suite)
    Entry.objects.filter(pk=run.entry_id).update(name=HOSTILE)
    page = Client().get("/changes/").content.decode()
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert "<bdi>&lt;script&gt;" in page
    feed = ElementTree.fromstring(Client().get("/changes.atom").content)  # well-formed
    title = feed.find(f"{ATOM}entry/{ATOM}title")
    assert title is not None
    assert (title.text or "").startswith("<script>alert(1)</script>& مرحبا x")
    assert title.get("type", "text") == "text"
    assert "…" in (title.text or "")
    summary = feed.find(f"{ATOM}entry/{ATOM}summary")
    assert summary is not None
    assert summary.get("type") == "html"  # so a reader of feeds decodes it once more
    assert (summary.text or "").startswith("&lt;script&gt;alert(1)&lt;/script&gt;&amp; مرحبا x")


def test_feed_has_stable_numbers_dates_and_absolute_addresses(suite: Suite) -> None:
    run = place(suite)
    answer = Client().get("/changes.atom")
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(answer.content)
    [entry] = feed.findall(f"{ATOM}entry")
    number = PublicChange.objects.get().pk
    assert entry.findtext(f"{ATOM}id") == f"http://testserver/changes/#change-{number}"
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert link.get("href") == f"http://testserver{run.get_absolute_url()}"
    assert entry.findtext(f"{ATOM}updated") == feed.findtext(f"{ATOM}updated")
    assert f'id="change-{number}"' in Client().get("/changes/").content.decode()


@pytest.mark.parametrize("path", ["/changes.atom", "/changes.json"])
def test_reader_that_has_the_news_gets_304(suite: Suite, path: str) -> None:
    place(suite)
    first = Client().get(path)
    again = Client().get(path, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    place(suite, "Bar")
    assert Client().get(path, headers={"If-None-Match": first["ETag"]}).status_code == 200


@pytest.mark.parametrize("path", ["/changes.atom", "/changes.json"])
def test_empty_feed_is_valid_and_cached(path: str) -> None:
    first = Client().get(path)
    assert first.status_code == 200
    again = Client().get(path, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert "Nothing has changed yet" in Client().get("/changes/").content.decode()


def test_reader_that_asks_every_second_is_limited(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    place(suite)
    now_s = 1000.0
    monkeypatch.setattr(FEEDS, "clock", lambda: now_s)
    seen = []
    for _ in range(120):
        now_s += 1
        answer = Client().get("/changes.atom", REMOTE_ADDR=VISITOR)
        seen.append(answer.status_code)
    assert set(seen) == {200, 429}
    assert seen.count(200) <= 25
    assert int(answer["Retry-After"]) >= 1
    assert Client().get("/changes.atom", REMOTE_ADDR="198.51.100.8").status_code == 200
    assert Client().get("/changes/", REMOTE_ADDR=VISITOR).status_code == 200
    now_s += 700
    tag = Client().get("/changes.atom", REMOTE_ADDR=VISITOR)["ETag"]
    polite = []
    for _ in range(120):
        now_s += 1
        asked: dict[str, Any] = {"headers": {"If-None-Match": tag}, "REMOTE_ADDR": VISITOR}
        polite.append(Client().get("/changes.atom", **asked).status_code)
    assert set(polite) == {304}


def test_pages_and_queries_stay_bounded(suite: Suite) -> None:
    run = place(suite)
    PublicChange.objects.bulk_create(
        PublicChange(
            kind=PublicChange.Kind.ADDED,
            suite="starter@1",
            run_number=run.pk + n,
            facts={"rank_low": n},
        )
        for n in range(120)
    )
    with CaptureQueriesContext(connection) as queries:
        page = Client().get("/changes/?page=2").content.decode()
    assert "page 2 of 3" in page
    assert len(queries) <= 4
    answer = Client().get("/changes.json").json()
    assert len(answer["changes"]) == 50
    rest = Client().get(f"/changes.json?before={answer['before']}").json()["changes"]
    assert rest[0]["number"] < answer["changes"][-1]["number"]


@pytest.mark.parametrize("query", ["?page=x", "?page=-1", "?page=9999", "?before=x"])
def test_impossible_queries_give_a_page(suite: Suite, query: str) -> None:
    place(suite)
    assert Client().get(f"/changes/{query}").status_code == 200
    assert Client().get(f"/changes.json{query}").status_code == 200


def test_every_page_leads_to_the_changes_and_their_feed(suite: Suite) -> None:
    page = Client().get("/").content.decode()
    assert 'href="/changes/"' in page
    assert 'type="application/atom+xml"' in page
