"""Realistic rows for the tests, written through the recording functions of the site itself."""

# isort: skip_file
# fmt: off
from __future__ import annotations

from leaderboard.tests.support.rows.boards import make_board, make_private_run, make_varied_runs
from leaderboard.tests.support.rows.failure import (
    TABLE_HTML, failing_steps, failing_verdict, make_png, make_wav, tell_failure,
)
from leaderboard.tests.support.rows.prices import set_price
from leaderboard.tests.support.rows.runs import (
    LONG_NAME, NOW, end_judged, end_void, finish_run, make_entry, make_run, register_entry,
    start_run,
)
from leaderboard.tests.support.rows.steps import (
    TRACEBACK, add_file, add_step, change, make_step, printed, raised, show,
)
from leaderboard.tests.support.rows.suites import TASKS, TaskFacts, make_suite

__all__ = [
    "LONG_NAME", "NOW", "TABLE_HTML", "TASKS", "TRACEBACK", "TaskFacts", "add_file", "add_step",
    "change", "end_judged", "end_void", "failing_steps", "failing_verdict", "finish_run",
    "make_board", "make_entry", "make_png", "make_private_run", "make_run", "make_step",
    "make_suite", "make_varied_runs", "make_wav", "printed", "raised", "register_entry",
    "set_price", "show", "start_run", "tell_failure",
]
