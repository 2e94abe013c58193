"""A trajectory as a line of PyBench jsonl, with what that format has no name for under one key."""

from __future__ import annotations

from typing import Any

from leaderboard.trajectories.formats.trajectory import Trajectory, json_line
from runner.pybench_jsonl import OURS, plain

# What the messages do not say of a step.
STEP_FACTS = (
    "index",
    "status",
    "thought",
    "code",
    "notes",
    "usage",
    "finish_reason",
    "model_s",
    "cell_s",
    "started_at",
    "changes",
)


def pybench_line(trajectory: Trajectory) -> str:
    """The attempt as PyBench's own script writes it; `imports.pybench_jsonl` reads it back."""
    return json_line(pybench_row(trajectory))


def pybench_row(trajectory: Trajectory) -> dict[str, Any]:
    steps = [{name: step.get(name) for name in STEP_FACTS} for step in trajectory.steps]
    return {
        "messages": [plain(message) for message in trajectory.messages()],
        "index": trajectory.task,
        "category1": trajectory.category,
        "category2": "",
        "category3": trajectory.title,
        "user": trajectory.query,
        "file_paths": [f"./data/{name}" for name in trajectory.inputs],
        "attachments": list(trajectory.inputs),
        OURS: {**trajectory.facts, "answer": trajectory.answer, "steps": steps},
    }
