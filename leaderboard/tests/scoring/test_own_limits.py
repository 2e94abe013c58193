"""Runs with time limits of their own: said everywhere, ranked nowhere, compared with none."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.models import Run, Standing, Suite
from leaderboard.models.runs import list_own_limits
from leaderboard.scoring.filing import file_runs
from leaderboard.scoring.standings import refresh_changed
from leaderboard.sharing.badge import say_value
from leaderboard.sharing.cards.facts import card_of_run
from leaderboard.sharing.public_rows import load_public
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite
from runner.contract import Limits

pytestmark = pytest.mark.django_db

USUAL = {**asdict(Limits()), "attempt_timeout_s": 600.0}
OLD = {**USUAL, "reply_timeout_s": 180.0}  # as runs were stored before replies had their own clock


@pytest.fixture
def suite() -> Suite:
    suite = make_suite()
    suite.limits = USUAL
    suite.save()
    return suite


def play(suite: Suite, name: str, limits: dict[str, Any]) -> Run:
    run = make_run(suite, make_entry(name))
    Run.objects.filter(pk=run.pk).update(limits=limits)
    return finish_run(Run.objects.get(pk=run.pk), 5)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, []),
        ({"reply_timeout_s": 180.0}, []),
        ({"reply_timeout_s": 3600.0}, ["3600 s for one reply (suite: 900 s)"]),
        (
            {"attempt_timeout_s": 1200},
            ["1200 s for cells and our own work (suite: 600 s)"],
        ),
        ({"memory_bytes": 1}, []),
    ],
)
def test_own_limits_in_words(changed: dict[str, float], words: list[str]) -> None:
    assert list_own_limits(USUAL | changed, USUAL) == words


def test_limits_that_were_never_stored_are_the_suites() -> None:
    assert list_own_limits({"max_turns": 10}, USUAL) == []
    assert list_own_limits(USUAL, {"max_turns": 10}) == []


def test_run_with_limits_of_its_own_has_no_place(client: Client, suite: Suite) -> None:
    usual, old = play(suite, "Usual", USUAL), play(suite, "Old", OLD)
    own = play(suite, "Patient", USUAL | {"reply_timeout_s": 3600.0})
    file_runs()
    refresh_changed()
    assert {*Standing.objects.values_list("run_id", flat=True)} == {usual.pk, old.pk}
    entry = client.get(f"/models/{own.entry.slug}/").content.decode()
    reason = "3600 s for one reply (suite: 900 s)"
    assert f"not comparable: {reason}" in entry
    assert reason in client.get(own.get_absolute_url()).content.decode()
    rows = csv.DictReader(client.get("/board.csv").content.decode().splitlines())
    told = {row["entry"]: row["why_unranked"] for row in rows}
    few = "fewer than 20 tasks: counts alone"
    for run in (usual, own):
        one = client.get(f"/runs/{run.pk}.json").json()
        assert one["why_unranked"] == told[run.entry.name]
    assert told == {"Usual": few, "Old": few, "Patient": f"not comparable: {reason}"}
    for address in ("eval-results.yaml", "cite.bib", "badge.svg", ""):
        assert (
            f"Not comparable: {reason}"
            in client.get(f"{own.get_absolute_url()}{address}").content.decode()
        )
        assert (
            "Not comparable"
            not in client.get(f"{usual.get_absolute_url()}{address}").content.decode()
        )
    assert f"Not comparable: {reason}" in entry  # in the preview of a link to it
    for run, words in ((own, reason), (usual, None)):
        record = client.get(f"{run.get_absolute_url()}every-eval-ever.json").json()
        assert record["source_metadata"]["additional_details"].get("not_comparable") == words
        assert ("not comparable" in say_value(load_public(run.pk))) == (run == own)
        [rate] = card_of_run(load_public(run.pk)).rates
        assert (rate.note == "not comparable") == (run == own)
    assert client.get(f"/api/v1/runs/{own.pk}/").json()["why_not_comparable"] == [reason]
    assert client.get(f"/api/v1/runs/{usual.pk}/").json()["why_not_comparable"] == []
    assert "time limits of its own" not in client.get(usual.get_absolute_url()).content.decode()
    refused = client.get(f"/compare/?runs={usual.pk},{own.pk}").content.decode()
    assert f"Run {own.pk} had time limits of its own" in refused
    assert "time limits" not in client.get(f"/compare/?runs={usual.pk},{old.pk}").content.decode()


def test_run_page_gives_two_times(client: Client, suite: Suite) -> None:
    run = play(suite, "Slow", USUAL)
    run.attempts.update(wall_s=400.0, model_s=360.0)
    page = client.get(run.get_absolute_url()).content.decode()
    assert "40 s in cells and our own work, 6 min 00 s waiting for replies" in page


def test_operator_sets_limits_from_the_shell(suite: Suite, settings: Settings) -> None:
    settings.ENDPOINT_LOOPBACK_PORTS = ["1"]
    words = ["--suite=starter", "--base-url=http://127.0.0.1:1/v1", "--model=m"]
    given = ["--attempt-timeout=1200", "--reply-timeout=3600"]
    call_command("start_run", *words, *given, stdout=io.StringIO())
    run = Run.objects.get()
    assert run.limits == USUAL | {"attempt_timeout_s": 1200, "reply_timeout_s": 3600}
    for wrong in ("--reply-timeout=0", "--reply-timeout=7201", "--attempt-timeout=nan"):
        with pytest.raises(CommandError, match="must be between 1 and"):
            call_command("start_run", *words, wrong)
    assert Run.objects.count() == 1
