"""Writes the figures of the tags' trial from its labels.

    python -m bench.tag_trial

Where PyBench's trajectory.jsonl is at hand (`PYBENCH_UPSTREAM`), the tags of the recorded attempts
are computed anew from it, in a throwaway database; else the ones that are stored are used.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from bench.engine.recorded import look_for_upstream
from bench.pages.site import configure


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        configure(Path(folder))
        from leaderboard.failures.tag_trial import compute_trial, read_recorded_tags

        if source := look_for_upstream():
            write("recorded_tags.json", recorded_tags((source / "trajectory.jsonl").read_bytes()))
        write("figures.json", compute_trial(read_recorded_tags()))


def recorded_tags(data: bytes) -> dict[str, list[str]]:
    """The tags of each recorded attempt as the importer stores it, by the index of its task."""
    from leaderboard.failures.tag_trial import recorded_tags_of
    from leaderboard.failures.tagging import facts_of, list_artifacts
    from leaderboard.trajectories.import_file import import_file, names_for

    run = import_file(data, names_for("trajectory.jsonl")).run
    assert run
    return {
        attempt.task.key: recorded_tags_of(
            facts_of(attempt, attempt.steps_that_count(), list_artifacts(attempt), None)
        )
        for attempt in run.attempts.select_related("task").order_by("task__position")
    }


def write(name: str, value: Any) -> None:
    from leaderboard.failures.tag_trial import FOLDER

    text = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)
    (FOLDER / name).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
