"""`python -m runner html`: pages for any web host, with everything in one folder."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

from leaderboard.tests.viewing.test_results import PLOT, make_results, usual_rows
from runner.cli.main import main

HOSTILE = '<script>alert(1)</script><a href="/submit/">x</a>'


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a small folder with hostile words and files, which no test changes."""
    home = tmp_path_factory.mktemp("copied")
    rows = usual_rows()
    rows[0]["category3"] = HOSTILE
    folder = make_results(home / "out", rows)
    outputs = folder / "outputs" / "sums" / "attempt-2"
    (outputs / "page.html").write_text("<script>alert(2)</script>")
    (outputs / "plot.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
    (outputs / "run.js").write_text("alert(3)")
    assert main(["html", str(folder), "--to", str(home / "html")]) == 0
    return home / "html"


def test_every_link_leads_to_a_file_of_the_copy(copied: Path) -> None:
    pages = sorted(copied.rglob("*.html"))
    assert len(pages) >= 6
    followed = 0
    for page in pages:
        text = page.read_text("utf-8")
        assert "Content-Security-Policy" in text
        assert "<form" not in text
        assert "<iframe" not in text
        for said in re.findall(r'\s(?:href|src|poster)="([^"]*)"', text):
            address = unescape(said).partition("#")[0]
            if not address or address.startswith("data:"):
                continue
            target = (page.parent / unquote(address)).resolve()
            assert target.is_file(), (page, address)
            assert target.is_relative_to(copied)
            followed += 1
    assert followed > 50


def test_the_copy_shows_the_run_the_replays_and_the_failures(copied: Path) -> None:
    index = (copied / "index.html").read_text("utf-8")
    assert "demo-7b" in index
    assert "&lt;script&gt;alert(1)" in index
    replay = copied / "runs" / "1" / "tasks" / "sums" / "attempt=2.html"
    assert "The total of North is 31, not 30." in replay.read_text("utf-8")
    failures = (copied / "failures" / "index.html").read_text("utf-8")
    assert "The total of North is 31, not 30." in failures
    assert any(path.read_bytes() == PLOT for path in (copied / "files").iterdir())


def test_no_file_of_a_model_can_run_on_the_host(copied: Path) -> None:
    endings = {path.suffix for path in (copied / "files").iterdir()}
    assert endings <= {".csv", ".txt"}
    assert b"alert(2)" in b"".join(path.read_bytes() for path in (copied / "files").glob("*.txt"))
    for page in copied.rglob("*.html"):
        text = page.read_text("utf-8")
        assert "<script>alert" not in text
        assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))


def test_a_folder_with_files_is_left_as_it_is(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = make_results(tmp_path / "out", usual_rows())
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "mine.txt").write_text("mine")
    assert main(["html", str(folder), "--to", str(tmp_path / "html")]) == 2
    assert "is there already" in capfd.readouterr().err
    assert [path.name for path in (tmp_path / "html").iterdir()] == ["mine.txt"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["html", "out"]
