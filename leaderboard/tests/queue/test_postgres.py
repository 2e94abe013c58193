"""The tests of the door hold on PostgreSQL as they do on SQLite."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SAME = (
    "handoff/test_attempts.py",
    "faults/test_retries.py",
    "submissions/test_run_actions.py",
    "queue/test_invariants.py",
    "queue/test_random_histories.py",
    "security/test_withdrawn_runs.py",
    "search/test_odd_words.py",
    "scoring/test_filing.py",
    "faults/test_rows.py",
    "handoff/test_database_retries.py",
    "queue/test_costs.py",
    "storage/test_statements.py",
    "search/test_indexes.py",
    "storage/test_blobs.py",
    "upkeep/test_garbage.py",
    "upkeep/test_verify.py",
    "suites/test_install.py",
    "failures/test_tagging.py",
    "failures/test_failures_page.py",
    "search/test_facets.py",
    "search/test_short_search_words.py",
    "scoring/test_standings.py",
    "suites/test_task_page.py",
    "accounts/test_limits.py",
    "api/test_idempotency.py",
    "ledger/test_ledger.py",
    "evidence/test_manifest.py",
    "disputes/test_disputes.py",
    "judge/test_judgings.py",
)


@pytest.mark.services
@pytest.mark.peers
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
        timeout=1500,
    )
    assert done.returncode == 0, done.stdout
    assert "skipped" not in done.stdout
