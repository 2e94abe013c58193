"""Suites become rows; a version that was run on never changes under its runs."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from leaderboard.models import Run, Suite
from leaderboard.submissions.run_actions import start
from leaderboard.suites.install import install
from leaderboard.tests.support.rows import register_entry
from leaderboard.tests.support.site import write_suite
from runner.suite.reader import Suite as SuiteFolder
from runner.suite.reader import load_suite

HERE = "--base-url=http://127.0.0.1:1/v1"

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> SuiteFolder:
    settings.SUITES = tmp_path / "suites"
    write_suite(settings.SUITES, tasks=3)
    return load_suite("lines", settings.SUITES)


def changed(folder: SuiteFolder) -> SuiteFolder:
    """The same suite with a task less and therefore another digest."""
    return replace(folder, tasks=folder.tasks[:2], digest="f" * 64)


def test_a_suite_becomes_rows(folder: SuiteFolder) -> None:
    suite = install(folder).suite
    assert (suite.name, suite.version, suite.digest) == ("lines", "1", folder.digest)
    assert suite.limits["max_turns"] == 5
    assert [(t.key, t.category, t.outputs) for t in suite.tasks.all()] == [
        (f"lines-{n}", "text", ["lines.txt"]) for n in (1, 2, 3)
    ]


def test_installing_again_changes_nothing(folder: SuiteFolder) -> None:
    first = install(folder).suite
    again = install(folder)
    assert (again.suite, again.what) == (first, "is up to date")
    assert first.tasks.count() == 3


def test_a_changed_suite_that_nobody_ran_replaces_its_row(folder: SuiteFolder) -> None:
    first = install(folder).suite
    again = install(changed(folder))
    assert (again.suite.pk, again.what) == (first.pk, "updated")
    assert again.suite.tasks.count() == 2


def test_a_changed_suite_with_runs_stands_beside_them(folder: SuiteFolder) -> None:
    first = install(folder).suite
    start(register_entry(), first)
    again = install(changed(folder)).suite
    assert again.version == "1+ffffffff"
    assert first.tasks.count() == 3
    assert install(changed(folder)).suite == again
    assert Suite.objects.count() == 2


def test_the_command_says_what_it_did(folder: SuiteFolder) -> None:
    out = io.StringIO()
    call_command("install_suite", "lines", stdout=out)
    assert out.getvalue() == "lines v1 installed: 3 tasks\n"


def test_an_unknown_suite_is_said_in_a_sentence(folder: SuiteFolder) -> None:
    with pytest.raises(CommandError, match="There is no suite “nope”. Suites found here: lines."):
        call_command("install_suite", "nope")


def test_a_run_is_started_from_the_shell(
    folder: SuiteFolder, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.ENDPOINT_LOOPBACK_PORTS = ["1"]
    call_command("install_suite", "lines", stdout=io.StringIO())
    monkeypatch.setenv("MY_KEY", "sk-1")
    out = io.StringIO()
    options = ["--suite=lines", HERE, "--model=m", "--name=My model"]
    more = ["--format=tools", "--api-key-env=MY_KEY", "--attempts=2", "--tasks=lines-1,lines-3"]
    call_command("start_run", *options, *more, stdout=out)
    run = Run.objects.get()
    assert out.getvalue() == f"run {run.pk} is queued: 4 attempts on lines v1\n"
    assert (run.entry.slug, run.entry.action_format) == ("my-model", "tools")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--suite=nope", HERE], "is not installed"),
        (["--suite=lines", "--base-url=x.example"], "without a scheme"),
        (["--suite=lines", "--base-url=http://127.0.0.1:2/v1"], "add 2 to PYBENCH_LOOPBACK_PORTS"),
        (
            ["--suite=lines", "--base-url=http://127.0.0.1:1/v1", "--tasks=nope"],
            "has no task “nope”",
        ),
        (
            ["--suite=lines", "--base-url=http://127.0.0.1:1/v1", "--api-key-env=UNSET_KEY"],
            "is not set",
        ),
    ],
)
def test_bad_input_is_refused_in_a_sentence(
    folder: SuiteFolder, settings: Settings, options: list[str], sentence: str
) -> None:
    settings.ENDPOINT_LOOPBACK_PORTS = ["1"]
    install(folder)
    with pytest.raises(CommandError, match=sentence):
        call_command("start_run", "--model=m", *options)
    assert not Run.objects.exists()
