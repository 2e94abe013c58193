"""The report of costs, the sample that a commit draws, and skips for reasons that nobody listed."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from pybench_site.local import sampling
from pybench_site.tests.pytest_report import keep

ROOT = Path(__file__).resolve().parents[2]
PLAYED = """
import time
import pytest

@pytest.fixture(scope="module")
def slow():
    time.sleep(0.2)

def test_one(slow): pass

@pytest.mark.skip(reason="REASON")
def test_skipped(): pass

@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.one_of("g", n)) for n in "abc"])
def test_drawn(name): pass
"""


def play(folder: Path, reason: str, **environment: str) -> tuple[int, str]:
    """The exit code and the output of a pytest that has this plugin and eleven files."""
    for number in range(11):
        test = folder / f"test_{number}.py"
        test.write_text(PLAYED.replace("REASON", reason), "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = one_of(group, name)\n", "utf-8")
    (folder / ".ci").mkdir()
    (folder / ".ci" / "skips.txt").write_text("# Why.\nonly root\n", "utf-8")
    (folder / ".ci" / "test-seconds.json").write_text('{"test_3.py": 9}', "utf-8")
    plugin = ["-p", "pybench_site.tests.pytest_report", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "2", *plugin, "--rootdir", str(folder), str(folder)],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_run_tells_its_slowest_files_and_its_skips_and_plays_one_of_a_group(
    tmp_path: Path,
) -> None:
    code, said = play(tmp_path, "only root does this")
    assert code == 0
    assert "s in 11 files, the slowest:" in said
    assert "s  slow, made 11 times" in said
    assert "11 skipped: only root does this" in said
    assert "22 passed, 11 skipped" in said


def test_a_skip_for_another_reason_fails_and_a_whole_sample_is_played(tmp_path: Path) -> None:
    code, said = play(tmp_path, "I did not feel like it", TEST_SAMPLE="all")
    assert code == 1
    assert "11 skipped: NOT LISTED in .ci/skips.txt: I did not feel like it" in said
    assert "44 passed, 11 skipped" in said


def test_a_commit_draws_the_same_name_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("a", "b", "c")
    drawn: set[str] = set()
    for number in range(40):
        monkeypatch.setattr(sampling, "commit", partial("{:040}".format, number))
        once = sampling.draw(names)
        assert once == sampling.draw(names[::-1])
        drawn |= once
    assert drawn == set(names)


def test_files_that_were_not_played_keep_their_seconds(tmp_path: Path) -> None:
    path = tmp_path / "seconds.json"
    path.write_text(json.dumps({"a.py": 3.0, "b.py": 1.0}), "utf-8")
    keep({"b.py": 2.04}, path)
    assert json.loads(path.read_text("utf-8")) == {"a.py": 3.0, "b.py": 2.0}
