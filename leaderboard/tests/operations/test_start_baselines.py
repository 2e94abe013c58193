"""The scripted baselines of a suite: each is an entry, marked as what it is, with one run."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from leaderboard.management.commands.start_baselines import NAMES
from leaderboard.models import Entry, Run
from leaderboard.tests.support.rows import make_suite
from runner.scripted.replies import DESCRIPTIONS, PLAYERS

pytestmark = pytest.mark.django_db


def test_every_scripted_model_is_an_entry() -> None:
    assert set(NAMES) == set(PLAYERS) == set(DESCRIPTIONS)


def test_each_gets_one_run_however_often_it_is_asked() -> None:
    suite = make_suite()
    said = StringIO()
    call_command("start_baselines", suite.name, stdout=said)
    call_command("start_baselines", suite.name, stdout=StringIO())
    assert said.getvalue().count("queued ") == len(NAMES)
    entries = Entry.objects.filter(runs__suite=suite)
    assert {entry.model_name for entry in entries} == set(NAMES)
    assert {entry.provenance for entry in entries} == {Entry.Provenance.SCRIPTED}
    assert Run.objects.filter(suite=suite).count() == len(NAMES)
