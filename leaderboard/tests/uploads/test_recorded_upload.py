"""The recorded run of PyBench as an upload: read, kept and matched within its budget."""

from __future__ import annotations

import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest

from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.recorded import recorded
from leaderboard.uploads.keep import bring_in
from leaderboard.uploads.receive import received

pytestmark = pytest.mark.django_db

MOST_CPU_S = 10.0


def cpu_s() -> float:
    children = getrusage(RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def test_recorded_run_is_brought_in_within_its_cpu_time(tmp_path: Path) -> None:
    file = tmp_path / "trajectory.jsonl"
    file.write_bytes(recorded())
    owner, began_s = make_user("ada"), cpu_s()
    run = bring_in(owner, received(file, "trajectory.jsonl"))
    took_s = cpu_s() - began_s
    assert run.attempts.count() >= 130
    assert took_s < MOST_CPU_S, took_s
