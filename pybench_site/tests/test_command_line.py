"""A command whose database fails ends with a sentence and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from django.db import IntegrityError, OperationalError, ProgrammingError

from pybench_site.command_line import tell

ROOT = Path(__file__).parents[2]


def test_command_without_a_database_says_so(tmp_path: Path) -> None:
    nobody = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "PYBENCH_VAR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "manage.py", "collect_garbage"],
        cwd=ROOT,
        env={**os.environ, **nobody},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("The database does not serve this command: connection")
    assert "Traceback" not in done.stderr


def test_missing_tables_are_told_from_a_database_that_is_away_and_from_bugs() -> None:
    for missing in (
        OperationalError("no such table: leaderboard_blob"),
        ProgrammingError('relation "leaderboard_blob" does not exist\nLINE 1: SELECT'),
    ):
        assert "leaderboard_blob" in tell(missing)
        assert "Run `manage.py migrate`" in tell(missing)
    assert "locked. Check that DATABASE_URL" in tell(OperationalError("database is locked"))
    assert tell(IntegrityError("UNIQUE constraint failed")) == ""
    assert tell(ProgrammingError("syntax error at or near")) == ""
