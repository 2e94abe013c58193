"""`pybench import` against a site: files and folders, refused ones named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from leaderboard.accounts.tokens import make_token
from leaderboard.models import Run
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.rows import make_suite
from leaderboard.tests.support.uploaded import chat_line
from runner.cli.main import main

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    _, text = make_token(make_user("ada"), "laptop")
    monkeypatch.setenv("PYBENCH_TOKEN", text)
    url: str = live_server.url
    return url


def bring(site: str, *paths: Path) -> int:
    return main(["import", *map(str, paths), "--site", site])


def test_file_is_sent_and_its_address_printed(
    site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(chat_line())
    assert bring(site, file) == 0
    run = Run.objects.get()
    assert f"1 attempts (PyBench jsonl): {site}/runs/{run.pk}/" in capsys.readouterr().out
    assert not run.is_public


def test_folder_is_sent_as_one_run(site: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "more").mkdir(parents=True)
    for number in range(20):
        (folder / "more" / f"{number}.jsonl").write_text(chat_line("", query=f"Task {number}"))
    (folder / "out").symlink_to("/etc/passwd")
    assert bring(site, folder) == 0
    assert Run.objects.get().attempts.count() == 20


def test_refused_file_is_named_and_the_next_is_sent(
    site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong, right = tmp_path / "wrong.pdf", tmp_path / "right.jsonl"
    wrong.write_bytes(b"%PDF-1.7")
    right.write_text(chat_line() + "\n{")
    assert bring(site, wrong, right, tmp_path / "absent") == 2
    said = capsys.readouterr()
    assert "wrong.pdf has no attempt" in said.err
    assert "line 2" in said.err
    assert "There is no file" in said.err
    assert Run.objects.count() == 1


def test_wrong_token_is_refused(site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYBENCH_TOKEN", "wrong")
    file = tmp_path / "mine.jsonl"
    file.write_text(chat_line())
    assert bring(site, file) == 2
    assert Run.objects.count() == 0


def test_folder_of_outputs_is_sent_to_be_judged(
    site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = make_suite()
    task = suite.tasks.earliest("position")
    folder = tmp_path / "mine"
    (folder / task.key / "output").mkdir(parents=True)
    (folder / task.key / "output" / "a.csv").write_text("a\n1\n")
    words = ["import", str(folder), "--site", site, "--score"]
    assert main([*words, suite.name]) == 0
    run = Run.objects.get()
    assert run.entry.provenance == "re-scored"
    assert f"queued to be judged: {site}/runs/{run.pk}/" in capsys.readouterr().out
    assert main([*words, "nothing"]) == 2
    assert "There is no suite" in capsys.readouterr().err
