"""The recorded trajectories' replays: what each sends, and which is the median one."""

from __future__ import annotations

from bench.engine.recorded import look_for_upstream
from bench.pages.budgets import REPLAY
from bench.pages.requests import Page, measure_sizes
from leaderboard.models import Run
from leaderboard.trajectories.import_file import import_file, names_for

LARGEST = "replay, recorded largest"


def import_recorded() -> Run | None:
    """The recorded trajectories as a run; None where this machine does not have them."""
    folder = look_for_upstream()
    if folder is None:
        return None
    file = folder / "trajectory.jsonl"
    imported = import_file(file.read_bytes(), names_for(file.name))
    return imported.run


def choose_replays(run: Run) -> list[Page]:
    """The replay whose bytes are the median of all the run's, and the largest one."""
    attempts = run.attempts.select_related("task")
    paths = [attempt.get_absolute_url() for attempt in attempts]
    ordered = sorted(paths, key=lambda path: measure_sizes(Page("replay", path)).sent_bytes)
    return [Page(REPLAY, ordered[len(ordered) // 2]), Page(LARGEST, ordered[-1])]
