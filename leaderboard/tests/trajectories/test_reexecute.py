"""Recorded code is queued and played again: new outputs, a verdict, and what came out the same."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.models import Attempt, Run, Suite, unpack
from leaderboard.suites.install import install
from leaderboard.tests.support.played import QUERY, conversation, play_queued
from runner.contract import Output, OutputKind
from runner.recorded import DIFFERENT, SAME, compare
from runner.suite.reader import load_suite
from runner.tests.support.small_suite import write_small

pytestmark = [pytest.mark.django_db, pytest.mark.sandbox]


@pytest.fixture
def file(tmp_path: Path, settings: Settings) -> Path:
    """A file with one conversation about a task that is here, and two about others."""
    settings.SUITES = write_small(tmp_path / "suites").parent
    install(load_suite("small", settings.SUITES))
    rows = [conversation(), conversation("absent", "Unknown."), conversation("greet", "Other.")]
    path = tmp_path / "trajectory.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    return path


def queue(file: Path, suite: str = "small") -> str:
    out = io.StringIO()
    call_command("import_trajectories", str(file), re_execute=suite, stdout=out, stderr=out)
    return out.getvalue()


def test_code_is_played_again_and_judged(file: Path, client: Client, tmp_path: Path) -> None:
    said = queue(file)
    run = Run.objects.latest("pk")
    assert ": 3 of 3 attempts imported" in said
    assert f"run {run.pk}: 1 of 3 attempts are queued to be played again on small" in said
    play_queued(run, tmp_path / "played")
    attempt = Attempt.objects.get(run=run)
    assert (attempt.passed, attempt.turns, attempt.outcome) == (True, 3, "finished")
    assert [a.path for a in attempt.artifacts.filter(role="output")] == ["double.txt"]
    assert [a.path for a in attempt.artifacts.filter(role="input")] == ["number.txt"]
    first, second, _ = [unpack(step.body) for step in attempt.steps.all()]
    assert SAME in first["notes"]
    assert f"{DIFFERENT}: it was KeyError, now it is ZeroDivisionError" in second["notes"]
    page = client.get(f"/runs/{run.pk}/tasks/double/").content.decode()
    assert "now it is ZeroDivisionError" in page
    run_page = client.get(f"/runs/{run.pk}/").content.decode()
    assert "1 of 2 observations came out as recorded" in " ".join(run_page.split())
    assert "re-executed" in run_page


def test_again_makes_another_run_of_the_same_import(file: Path) -> None:
    queue(file)
    assert "attempts imported" not in queue(file)
    assert Run.objects.count() == 3
    assert Suite.objects.filter(is_recorded=True).count() == 1


def test_a_private_import_is_played_again_in_private(file: Path) -> None:
    call_command("import_trajectories", str(file), private=True, re_execute="small")
    assert not Run.objects.filter(is_public=True).exists()


@pytest.mark.parametrize(("query", "suite"), [("Another query.", "small"), (QUERY, "absent")])
def test_a_suite_that_has_none_of_the_tasks_is_refused(file: Path, query: str, suite: str) -> None:
    file.write_text(json.dumps(conversation(query=query)) + "\n")
    with pytest.raises(CommandError, match="has no task of the file"):
        queue(file, suite)
    assert Run.objects.count() == 1  # the import itself stands


COMPARED = [
    ("same", "1\n", "1", ""),
    ("address", "<f at 0x7f00aa>", "<f at 0x7f99bb>", ""),
    ("time", "at 12:01:02.5 took 3.2 ms", "at 09:00:00 took 18 ms", ""),
    ("text", "1", "2", "what was printed is another text"),
]


@pytest.mark.parametrize(("name", "before", "after", "difference"), COMPARED)
def test_what_changes_by_itself_is_no_difference(
    name: str, before: str, after: str, difference: str
) -> None:
    told, seen = [Output(OutputKind.STDOUT, text) for text in (before, after)]
    assert compare([told], [seen, Output(OutputKind.STDERR, "warning")]) == difference


def test_another_exception_is_a_difference() -> None:
    key, zero = (Output(OutputKind.ERROR, "", error_name=n) for n in ("KeyError", "a.ZeroError"))
    assert compare([key], []) == "it was KeyError, now it is no error"
    assert compare([], [zero]) == "it was no error, now it is ZeroError"
