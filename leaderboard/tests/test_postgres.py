"""The tests of the door hold on PostgreSQL as they do on SQLite."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAME = (
    "test_handoff.py",
    "test_retries.py",
    "test_submissions.py",
    "test_invariants.py",
    "test_faults_rows.py",
    "test_blobs.py",
    "test_installing.py",
    "test_tagging.py",
    "test_failures_page.py",
    "test_facets.py",
    "test_short_words.py",
)


@pytest.mark.services
def test_the_door_keeps_its_promises_on_postgresql(
    new_postgres_database: Callable[[], str], tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--create-db"]
        + [str(ROOT / "leaderboard" / "tests" / name) for name in SAME],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": new_postgres_database()},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout
    assert "skipped" not in done.stdout
