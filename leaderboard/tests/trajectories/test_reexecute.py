"""Recorded code is played again here: new outputs, a strict verdict, and what came out the same."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.models import Attempt, Run, Suite, unpack
from leaderboard.tests.trajectories.test_import_pybench import message
from leaderboard.trajectories.readers.interpreter_output import INTERPRETER
from runner.contract import Output, OutputKind
from runner.recorded.steps import DIFFERENT, SAME, compare
from runner.tests.support.small_suite import write_small

pytestmark = [pytest.mark.django_db, pytest.mark.sandbox]

QUERY = "Double the number in ./data/number.txt, save it to ./output/double.txt, and tell it."
LOOK = "n = int(open('data/number.txt').read())\nprint(n, object())"
WRITE = "open('output/double.txt', 'w').write(str(2 * n))\nprint(n / 0)"
RAISED = "There are some errors in the code. All redefined. Please Debug:\nError: KeyError\n'x'\n"


def code(text: str) -> dict[str, Any]:
    return message("assistant", f"Action:\n```python\n{text}\n```")


def told(text: str) -> dict[str, Any]:
    return message("user", INTERPRETER + text)


def conversation(index: str = "double", query: str = QUERY) -> dict[str, Any]:
    messages = [message("user", query), code(LOOK), told("21 <object object at 0x7f00aa00bb>\n")]
    messages += [code(WRITE), told(RAISED), message("assistant", "Finished. It is 42.")]
    return {"index": index, "user": query, "messages": messages, "file_paths": []}


@pytest.fixture
def file(tmp_path: Path, settings: Settings) -> Path:
    """A file with one conversation about a task that is here, and two about others."""
    settings.SUITES = write_small(tmp_path / "suites").parent
    rows = [conversation(), conversation("absent"), conversation("greet", "Another query.")]
    path = tmp_path / "trajectory.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    return path


def play(file: Path) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("import_trajectories", str(file), re_execute="small", stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_code_is_played_again_and_judged(file: Path, client: Client) -> None:
    out, err = play(file)
    assert ": 3 of 3 attempts imported" in out
    run = Run.objects.latest("pk").pk
    assert "double: 1 of 2 observations as before. Passed" in out
    again = f"run {run}: 1 attempts played again, 1 pass, 1 of 2 observations as recorded"
    assert again in out
    assert "line 2: The suite has no task absent." in err
    assert "line 3: The query of task greet is not the one it was recorded with." in err
    attempt = Attempt.objects.get(run=run)
    assert (attempt.passed, attempt.turns, attempt.outcome) == (True, 3, "finished")
    assert [a.path for a in attempt.artifacts.filter(role="output")] == ["double.txt"]
    assert [a.path for a in attempt.artifacts.filter(role="input")] == ["number.txt"]
    first, second, _ = [unpack(step.body) for step in attempt.steps.all()]
    assert SAME in first["notes"]
    assert f"{DIFFERENT}: it was KeyError, now it is ZeroDivisionError" in second["notes"]
    page = client.get(f"/runs/{run}/tasks/double/").content.decode()
    assert "now it is ZeroDivisionError" in page
    run_page = client.get(f"/runs/{run}/").content.decode()
    assert "1 of 2 observations came out as recorded" in run_page
    assert "re-executed" in run_page


def test_again_makes_another_run_of_the_same_import(file: Path) -> None:
    play(file)
    out, _ = play(file)
    assert "attempts imported" not in out
    assert Run.objects.count() == 3
    assert Suite.objects.filter(is_recorded=True).count() == 1


def test_a_suite_that_has_none_of_the_tasks_is_refused(file: Path) -> None:
    file.write_text(json.dumps(conversation("absent")) + "\n")
    with pytest.raises(CommandError, match=r"no task of the file .* line 1: The suite has no"):
        play(file)
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
