"""Pairs that the compare page offers before anybody has chosen one."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from leaderboard.models import Entry, Run, Suite
from leaderboard.scoring.standings import refresh_changed
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite, set_price

pytestmark = pytest.mark.django_db


def fill(suite: Suite, *rows: tuple[str, int, str]) -> dict[str, Run]:
    """Ranked runs by name, so many tasks passed, with weights of that kind."""
    runs = {}
    for name, solved, weights in rows:
        run = finish_run(make_run(suite, make_entry(name)), solved)
        Entry.objects.filter(pk=run.entry_id).update(weights=weights)
        runs[name] = run
    refresh_changed()
    return runs


def list_suggested(client: Client) -> list[tuple[str, str]]:
    """Per pair the runs of its address, and its words."""
    page = client.get("/compare/").content.decode()
    found = re.findall(r'<li><a href="\?runs=([\d,]+)">.*?<span class="faint">(.*?)</span>', page)
    return [(runs, " ".join(words.split())) for runs, words in found]


def test_the_first_screen_offers_pairs_with_their_verdict(client: Client) -> None:
    runs = fill(
        make_suite("starter", 40),
        ("Alpha", 38, "closed"),
        ("Beta", 36, "closed"),
        ("Gamma", 8, "open"),
        ("Delta", 7, "unknown"),
    )
    a, b, c = (runs[name].pk for name in ("Alpha", "Beta", "Gamma"))
    assert list_suggested(client) == [
        (f"{a},{b}", "95.0 and 90.0, a gap within chance: the first two"),
        (
            f"{a},{c}",
            "95.0 and 20.0, a gap beyond chance: the leader and the best of the others",
        ),
        (f"{b},{c}", "90.0 and 20.0: the second and the third"),
    ]
    for query, _ in list_suggested(client):
        assert client.get(f"/compare/?runs={query}").status_code == 200


def test_the_cheapest_is_offered_beside_the_leader(client: Client) -> None:
    runs = fill(make_suite(), ("Alpha", 7, "open"), ("Beta", 6, "open"), ("Gamma", 5, "open"))
    set_price("gamma", day="2026-01-01")
    found = dict(list_suggested(client))
    key = f"{runs['Alpha'].pk},{runs['Gamma'].pk}"
    assert found[key].endswith("the one that passed most and the cheapest per passed task")
    assert [*found][1] == key  # after the two that passed most
    assert not any("first two" in words or "leader" in words for words in found.values())


def test_more_than_two_runs_are_compared_by_ticking(client: Client) -> None:
    runs = fill(make_suite(), ("Alpha", 7, "open"), ("Beta", 6, "open"), ("Gamma", 5, "open"))
    finish_run(make_run(Suite.objects.get(), make_entry("Silent", is_scripted=True)), 0)
    page = client.get("/compare/").content.decode()
    boxes = re.findall(r'name="runs" form="ticked" value="(\d+)"( checked)?', page)
    assert [int(pk) for pk, _ in boxes][:3] == [runs[n].pk for n in ("Alpha", "Beta", "Gamma")]
    assert not any(checked for _, checked in boxes)  # nothing is chosen for the reader
    ids = [runs[name].pk for name in ("Alpha", "Gamma")]
    again = client.get("/compare/", {"runs": ids}).content.decode()
    assert again.count(" checked>") == 2


def test_nothing_is_offered_without_two_ranked_runs(client: Client) -> None:
    assert list_suggested(client) == []
    fill(make_suite(), ("Alpha", 7, "open"))
    assert list_suggested(client) == []


def test_several_runs_have_their_charts(client: Client) -> None:
    runs = fill(make_suite(), ("Alpha", 7, "open"), ("Beta", 6, "open"), ("Gamma", 5, "open"))
    ids = ",".join(str(run.pk) for run in list(runs.values())[:3])
    page = client.get(f"/compare/?runs={ids}").content.decode()
    address = f"/charts/list/?suite=starter@1&amp;runs={ids}"
    assert address in page
    drawn = client.get(address.replace("&amp;", "&")).content.decode()
    assert "Drawn: 3 models." in drawn
    two = client.get(f"/charts/list/?suite=starter@1&runs={runs['Alpha'].pk}").content.decode()
    assert "Drawn: the best 1" in two or "Drawn: 1 model." in two
