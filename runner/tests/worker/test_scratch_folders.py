"""Scratch folders go with their try, and those of the dead with the next process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from runner.contract import EndpointSpec, Job, Limits
from runner.worker.scratch_folders import Scratch

JOB = Job(1, "", "starter", "task", 1, 1, EndpointSpec("http://127.0.0.1:1/v1", "m"), Limits())

DIE = """
import os, signal, sys
from pathlib import Path
from runner.worker.scratch_folders import Scratch
from runner.tests.worker.test_scratch_folders import JOB

scratch = Scratch(Path(sys.argv[1]), "host:7")
with scratch.of(JOB) as folder:
    (folder / "half").write_text("written")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def folders(root: Path) -> list[Path]:
    return [path for path in root.iterdir() if path.is_dir()]


def test_a_try_has_an_empty_folder_that_goes_with_it(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path)
    with scratch.of(JOB) as folder:
        assert list(folder.iterdir()) == []
        (folder / "a").write_text("x")
    assert not folder.exists()
    scratch.close()
    assert folders(tmp_path) == []


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", DIE, str(tmp_path)], timeout=240)
    [left] = folders(tmp_path)
    assert list(left.glob("*/half"))
    scratch = Scratch(tmp_path)
    assert scratch.clear_abandoned() == ["host:7"]
    assert folders(tmp_path) == [scratch.folder]
    scratch.close()


def test_a_living_process_keeps_its_folder(tmp_path: Path) -> None:
    first = Scratch(tmp_path)
    second = Scratch(tmp_path)
    assert second.clear_abandoned() == []
    assert first.folder.is_dir()
    second.close()
    first.close()
