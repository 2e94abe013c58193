"""UT (paper): published tests of a made-up checkout run as they are, and can do no harm."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from leaderboard.models import Artifact, Run, Suite, Verdict, pack
from leaderboard.storage import blobs
from leaderboard.tests.support.board_pages import get
from leaderboard.tests.support.rows import finish_run, make_run, make_suite
from runner.task_code.published_tests import merge

pytestmark = [pytest.mark.django_db, pytest.mark.sandbox]

TESTS = """
import os, pickle
def test_task_2(trajectory):
    assert open("./output/2.csv").read() == "n\\n1\\n"
def test_task_3(trajectory):
    assert "42" in trajectory[-1]["content"], trajectory[-1]["role"]
def test_task_4(trajectory):
    pickle.load(open("./output/4.pkl", "rb"))
def test_task_5(trajectory):
    assert open("./output/2.csv").read(), "a later task sees what an earlier one left"
    assert open("./data/a.csv").read() == "given\\n"
def test_task_6(trajectory):
    os.kill(os.getpid(), 9)
def test_task_7(trajectory):
    print("x" * 9_000_000); raise ValueError("of the test's own")
"""
KEYS = ["002-two", "003-three", "004-four", "005-five", "006-six", "007-seven", "008-eight"]


class Evil:
    """A pickle that would leave a file behind, and the word that the test passed."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        code = "__import__('pathlib').Path('/tmp/pybench-paper-trace').touch() or 1/0"
        return (eval, (code,))


@pytest.fixture
def suite() -> Suite:
    return make_suite("pybench", [(key, key, "chart", "en", [], []) for key in KEYS])


@pytest.fixture
def run(suite: Suite) -> Run:
    """A run whose answers say 42, with a table and a pickle among its outputs."""
    run = finish_run(make_run(suite), 4)
    for attempt in run.attempts.select_related("task"):
        last = {"role": "user", "content": "It is 42."}
        attempt.opening = pack({"messages": [last], "query": "?"})
        attempt.save()
    give(run, "002-two", "2.csv", b"n\n1\n")
    give(run, "004-four", "4.pkl", pickle.dumps(Evil()))
    return run


def give(run: Run, key: str, path: str, content: bytes) -> None:
    attempt = run.attempts.get(task__key=key)
    Artifact.objects.create(
        attempt=attempt,
        try_number=attempt.tries,
        role=Artifact.Role.OUTPUT,
        path=path,
        blob=blobs.keep_bytes(content, path),
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "PyBench" / "data" / "unit_test"
    folder.mkdir(parents=True)
    (folder / "tests.py").write_text(TESTS)
    (folder.parent / "a.csv").write_text("given\n")
    return tmp_path / "PyBench"


def test_a_run_is_scored_by_the_published_tests(run: Run, checkout: Path, client: Client) -> None:
    for _ in range(2):  # again gives the same, and no second row
        said = io.StringIO()
        call_command("score_paper", str(run.pk), checkout=checkout, stdout=said)
        assert said.getvalue() == f"run {run.pk}: 3 of 6 tests passed\n"
    verdicts = {
        v.attempt.task.key: v for v in Verdict.objects.filter(kind="paper", attempt__run=run)
    }
    assert [key for key, v in verdicts.items() if v.passed] == ["002-two", "003-three", "005-five"]
    assert "ZeroDivisionError" in verdicts["004-four"].sentence
    assert not Path("/tmp/pybench-paper-trace").exists()
    assert "ended with -9" in verdicts["006-six"].sentence
    assert "ValueError: of the test's own" in verdicts["007-seven"].sentence
    assert "008-eight" not in verdicts
    page = get(client, f"/runs/{run.pk}/")
    assert "3 of 6 tests, 7 tasks" in page
    board = get(client, "/?suite=pybench")
    assert "UT paper" in board
    (row,) = client.get("/board.json?suite=pybench").json()["rows"]
    assert (row["ut_paper"], row["ut_paper_tests"]) == (0.5, 6)
    task = " ".join(get(client, "/tasks/pybench/005-five/").split())
    assert "passed by the published test" in task
    run.refresh_from_db()
    assert {a.task.key for a in run.attempts.all() if a.passed} == set(KEYS[:4])  # as before


def test_without_published_tests_it_is_said_and_nothing_changes(run: Run, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="has no published tests"):
        call_command("score_paper", str(run.pk), checkout=tmp_path)
    run.refresh_from_db()
    assert run.paper == {}


def test_a_run_of_another_suite_is_refused(checkout: Path) -> None:
    other = finish_run(make_run(make_suite()), 3)
    with pytest.raises(CommandError, match="no finished attempt at a task with an upstream index"):
        call_command("score_paper", str(other.pk), checkout=checkout)


def test_a_board_without_such_scores_has_no_such_column(suite: Suite, client: Client) -> None:
    finish_run(make_run(suite), 4)
    assert ">UT paper<" not in get(client, "/?suite=pybench").partition("<tbody")[0]


def test_outputs_are_merged_as_one_folder_would_be(tmp_path: Path) -> None:
    source, folder = tmp_path / "source", tmp_path / "output"
    folder.mkdir()
    source.write_text("later")
    (folder / "a").write_text("earlier")
    merge([("a", source), ("a/b", source), ("../out", source), ("c/d", source)], folder)
    assert (folder / "a").read_text() == "later"
    assert (folder / "c" / "d").read_text() == "later"
    assert not (tmp_path / "out").exists()
