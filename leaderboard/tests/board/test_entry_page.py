"""The page of an entry as a visitor gets it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Entry, Run, Suite
from leaderboard.scoring.standings import refresh_changed
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db


def get(client: Client, entry: Entry) -> str:
    refresh_changed()
    response = client.get(f"/models/{entry.slug}/")
    assert response.status_code == 200
    return response.content.decode()


def test_an_entry_shows_its_facts_runs_and_replays(client: Client, suite: Suite) -> None:
    entry = make_entry("Foo", organisation="Foo <Labs>")
    sampling = {"temperature": 0.5, "top_p": None, "max_tokens": None}
    Entry.objects.filter(pk=entry.pk).update(parameters_b=3.8, weights="open", sampling=sampling)
    older = finish_run(make_run(suite, entry), 8)
    newer = finish_run(make_run(suite, entry), 4)
    make_run(suite, entry)
    page = get(client, entry)
    for words in ("Foo &lt;Labs&gt;", "3.8B", "open", "fenced", f"counted with run {newer.pk}"):
        assert words in page
    assert "<dt>temperature</dt>" in page
    assert "None" not in page  # what is not sent
    assert "<b>6 of 8</b>" in page  # the mean of both
    assert "mean of 2 runs" in page
    assert f'href="/runs/{newer.pk}/tasks/quarterly-sales/"' in page
    for run in (newer, older):
        assert f'name="runs" form="ticked" value="{run.pk}"' in page
    assert 'id="ticked" action="/compare/"' in page
    assert "0 of 8 attempts ended" in page
    assert "<b>2 of 2</b></span>" in page  # the chart category


def test_its_twin_says_the_same(client: Client, suite: Suite) -> None:
    entry = make_entry("Foo")
    finish_run(make_run(suite, entry), 4)
    refresh_changed()
    data = client.get(f"/models/{entry.slug}.json").json()
    assert data["entry"]["name"] == "Foo"
    run = data["runs"][0]
    assert (run["suite"], run["rank"], run["ut_strict"]) == ("starter@1", None, 0.5)


def test_several_suites_stand_apart(client: Client, suite: Suite) -> None:
    entry = make_entry("Foo")
    finish_run(make_run(suite, entry), 4)
    finish_run(make_run(make_suite("other"), entry), 2)
    page = get(client, entry)
    assert "starter v1" in page
    assert "other v1" in page
    assert "counted with" not in page


@pytest.mark.parametrize(("void", "words"), [(8, "8 did not count"), (3, "3 did not count")])
def test_without_a_rate_it_says_why(client: Client, suite: Suite, void: int, words: str) -> None:
    entry = make_entry("Foo")
    finish_run(make_run(suite, entry), 2, void=void)
    page = get(client, entry)
    assert "incomplete: no rate until every attempt has a verdict" in page
    assert words in page


def test_a_scripted_baseline_is_never_ranked(client: Client, suite: Suite) -> None:
    entry = make_entry("silent", is_scripted=True)
    finish_run(make_run(suite, entry), 0)
    assert "scripted baselines are never ranked" in get(client, entry)


def test_what_is_private_is_seen_by_its_owner_alone(client: Client, suite: Suite) -> None:
    owner = User.objects.create_user("owner")
    entry = make_entry("Secret")
    Entry.objects.filter(pk=entry.pk).update(owner=owner)
    finish_run(make_run(suite, entry, is_public=False), 4)
    for path in (f"/models/{entry.slug}/", f"/models/{entry.slug}.json", "/models/absent/"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "Secret" not in answer.content.decode()
    client.force_login(owner)
    page = get(client, entry)
    assert "Secret" in page
    assert "private" in page
    client.force_login(User.objects.create_user("other"))
    assert client.get(f"/models/{entry.slug}/").status_code == 404


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "y" * 200, "نموذج\u202e عربي"])
def test_any_name_is_shown_as_text(client: Client, suite: Suite, name: str) -> None:
    entry = make_entry(name)
    finish_run(make_run(suite, entry), 4)
    page = get(client, entry)
    assert "<img" not in page
    assert "\u202e" not in page


def test_the_number_of_queries_does_not_grow(client: Client, suite: Suite) -> None:
    entry = make_entry("Foo")
    counts = []
    for _ in range(2):
        finish_run(make_run(suite, entry), 4)
        make_run(suite, entry)
        refresh_changed()
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/models/{entry.slug}/")
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 8
    assert Run.objects.count() == 4
