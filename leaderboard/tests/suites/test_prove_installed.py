"""A new site proves its suite by itself, when nothing else is to be done."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from leaderboard.models import Suite, SuiteProof
from leaderboard.suites.health import read_health
from leaderboard.suites.install import install
from leaderboard.tests.support.rows import make_run
from leaderboard.tests.support.site import write_suite
from runner.suite.reader import load_suite

pytestmark = pytest.mark.django_db


@pytest.fixture
def suite(tmp_path: Path, settings: Settings) -> Suite:
    settings.SUITES = tmp_path / "suites"
    write_suite(settings.SUITES, tasks=2)
    return install(load_suite("lines", settings.SUITES)).suite


def say(*arguments: str) -> str:
    out = io.StringIO()
    call_command("prove_installed", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.sandbox
def test_a_suite_without_a_proof_is_proved_and_then_left_alone(suite: Suite) -> None:
    assert [task.holds for task in read_health(suite).tasks] == [None, None]
    say("lines")
    health = read_health(suite)
    assert health.is_current
    assert all(task.holds is not None and task.right for task in health.tasks)
    assert "has a proof already" in say("lines")


def test_a_proof_of_an_earlier_state_does_not_count(suite: Suite) -> None:
    SuiteProof.objects.create(suite=suite, facts={"proofs": [], "seconds": 1}, digest="0" * 64)
    make_run(suite)  # which is queued
    with pytest.raises(CommandError, match="Runs are in progress"):
        say("lines")


def test_an_unknown_suite_is_named() -> None:
    with pytest.raises(CommandError, match="no suite “nowhere”"):
        say("nowhere")
