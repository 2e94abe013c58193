"""Those who watch a run share one rendering per change, and nobody gets a private run's."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from leaderboard.models import Entry, Run
from leaderboard.process_cache import Shelf
from leaderboard.submissions.run_actions import publish, withdraw
from leaderboard.tests.support.rows import end_judged, make_entry, make_run, make_suite
from leaderboard.views import runs
from runner.contract import Status

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    """A public run of somebody's that goes on."""
    run = make_run(make_suite(), make_entry("Watched"))
    owner = get_user_model().objects.create_user("owner")
    Entry.objects.filter(pk=run.entry_id).update(owner=owner)
    submitted = timezone.now() - timedelta(hours=3, seconds=30)  # shown in whole minutes
    Run.objects.filter(pk=run.pk).update(status=Status.RUNNING, sequence=4, created_at=submitted)
    run.refresh_from_db()
    return run


@pytest.fixture
def renderings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tags for which the shared part was rendered."""
    made: list[str] = []
    real = runs.render_shared

    def counted(run_id: int, tag: str, asked: Mapping[str, str]) -> runs.Fragment:
        made.append(tag)
        return real(run_id, tag, asked)

    monkeypatch.setattr(runs, "render_shared", counted)
    return made


def path_of(run: Run) -> str:
    return f"/runs/{run.pk}/progress/"


def change(run: Run) -> None:
    end_judged(run.attempts.filter(status=Status.QUEUED)[0], passed=True)
    Run.objects.filter(pk=run.pk).update(sequence=Run.objects.get(pk=run.pk).sequence + 1)


def signed_in(name: str) -> Client:
    client = Client()
    user, _ = get_user_model().objects.get_or_create(username=name)
    client.force_login(user)
    return client


def test_a_change_is_rendered_once_however_many_watch(run: Run, renderings: list[str]) -> None:
    for _ in range(3):
        pages = {Client().get(path_of(run)).content for _ in range(5)}
        assert len(pages) == 1
        change(run)
    assert renderings == ['"4-running-0-0"', '"5-running-0-0"', '"6-running-0-0"']


def test_an_answer_from_the_shelf_costs_one_query(run: Run) -> None:
    first = Client().get(path_of(run))
    with CaptureQueriesContext(connection) as fresh:
        assert Client().get(path_of(run)).status_code == 200
    with CaptureQueriesContext(connection) as unchanged:
        known = {"If-None-Match": first["ETag"]}
        assert Client().get(path_of(run), headers=known).status_code == 304
    assert (len(fresh), len(unchanged)) == (1, 1)


def test_the_shared_part_is_the_one_of_the_page(run: Run) -> None:
    page = Client().get(run.get_absolute_url()).content.decode()
    part = Client().get(path_of(run)).content.decode()
    for text in (page, part):
        assert ">0 of 8</b>" in text
    assert part.strip()[:2000] in page


def test_what_is_packed_is_the_same_and_its_tag_is_known_again(run: Run) -> None:
    plain = Client().get(path_of(run))
    packed = Client().get(path_of(run), headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]
    assert gzip.decompress(packed.content) == plain.content
    known = {"If-None-Match": packed["ETag"], "Accept-Encoding": "gzip"}
    assert Client().get(path_of(run), headers=known).status_code == 304


def test_each_choice_of_attempts_has_a_part_of_its_own(run: Run) -> None:
    change(run)
    everything = Client().get(path_of(run)).content.decode()
    failed = Client().get(f"{path_of(run)}?show=failed").content.decode()
    assert "No failed attempt" not in everything
    assert "No failed attempt" in failed


def test_a_run_that_changes_fast_is_rendered_once_a_second(
    run: Run, renderings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 100.0
    monkeypatch.setattr(runs.SHARED, "rest_s", 1.0)
    monkeypatch.setattr(runs.SHARED, "clock", lambda: now_s)
    first = Client().get(path_of(run))
    change(run)
    known = {"If-None-Match": first["ETag"]}
    assert Client().get(path_of(run), headers=known).status_code == 304  # for less than a second
    assert Client().get(path_of(run)).content == first.content
    now_s = 101.0
    changed = Client().get(path_of(run), headers=known)
    assert ">1 of 8</b>" in changed.content.decode()
    assert renderings == ['"4-running-0-0"', '"5-running-0-0"']


def test_a_private_run_is_rendered_for_its_owner_and_never_kept(
    run: Run, renderings: list[str]
) -> None:
    Run.objects.filter(pk=run.pk).update(is_public=False)
    owner = signed_in("owner")
    assert ">0 of 8</b>" in owner.get(path_of(run)).content.decode()
    assert renderings == []
    for stranger in (Client(), signed_in("stranger")):
        assert stranger.get(path_of(run)).status_code == 404


def test_a_run_that_is_withdrawn_is_gone_for_those_who_watched(run: Run) -> None:
    watcher = signed_in("stranger")
    seen = watcher.get(path_of(run))
    assert seen.status_code == 200  # and now it is on the shelf
    withdraw(run.pk)
    for headers in ({}, {"If-None-Match": seen["ETag"]}):
        assert watcher.get(path_of(run), headers=headers).status_code == 404
        assert Client().get(path_of(run), headers=headers).status_code == 404
    change(run)
    assert ">1 of 8</b>" in signed_in("owner").get(path_of(run)).content.decode()
    assert watcher.get(path_of(run)).status_code == 404
    publish(run.pk)
    assert ">1 of 8</b>" in watcher.get(path_of(run)).content.decode()


def test_a_run_withdrawn_while_its_part_is_rendered_is_not_shared(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moment between the look at the run's row and the rendering is no gap."""
    real = runs.render_shared

    def withdrawn_meanwhile(run_id: int, tag: str, asked: Mapping[str, str]) -> runs.Fragment:
        withdraw(run_id)
        return real(run_id, tag, asked)

    monkeypatch.setattr(runs, "render_shared", withdrawn_meanwhile)
    for client in (signed_in("owner"), Client()):
        assert client.get(path_of(run)).status_code == 404
        publish(run.pk)


@pytest.mark.parametrize("reader", ["owner", "stranger", ""])
def test_nothing_of_a_reader_is_in_the_shared_part(run: Run, reader: str) -> None:
    """Whoever is the first to ask: all get the bytes that a visitor without an account gets."""
    client = signed_in(reader) if reader else Client()
    first: Any = client.get(path_of(run))
    for word in ("csrf", "/cancel/", "/withdraw/", "owner", "stranger"):
        assert word not in first.content.decode()
    assert "Set-Cookie" not in first.headers
    assert Client().get(path_of(run)).content == first.content


def test_a_waiting_runs_place_in_the_queue_is_news() -> None:
    suite = make_suite()
    ahead, waiting = make_run(suite), make_run(suite, make_entry("Patient"))
    first = Client().get(path_of(waiting))
    assert "Queued, 1 run ahead" in first.content.decode()
    Run.objects.filter(pk=ahead.pk).update(status=Status.DONE)
    again = Client().get(path_of(waiting), headers={"If-None-Match": first["ETag"]})
    assert "Waiting for a worker" in again.content.decode()


def test_while_one_makes_a_value_the_others_get_the_one_before() -> None:
    shelf: Shelf[str] = Shelf(size=2)
    shelf.get("key", lambda: "old", lambda value: True)
    is_making, may_end = threading.Event(), threading.Event()

    def make() -> str:
        is_making.set()
        assert may_end.wait(120)
        return "new"

    maker = threading.Thread(target=shelf.get, args=("key", make, lambda value: value == "new"))
    maker.start()
    assert is_making.wait(120)
    assert shelf.get("key", make, lambda value: value == "new") == "old"
    may_end.set()
    maker.join(120)
    assert shelf.get("key", lambda: "newer", lambda value: value == "new") == "new"


def test_a_shelf_has_so_many_places_and_keeps_no_failure() -> None:
    shelf: Shelf[int] = Shelf(size=2)
    for key in (1, 2, 3):
        shelf.get(key, lambda key=key: key, lambda value: True)  # type: ignore[misc]
    assert shelf.get(3, lambda: -1, lambda value: True) == 3
    assert shelf.get(1, lambda: -1, lambda value: True) == -1  # had to make room
    with pytest.raises(ZeroDivisionError):
        shelf.get("bad", lambda: 1 // 0, lambda value: True)
    assert shelf.get("bad", lambda: 5, lambda value: True) == 5
