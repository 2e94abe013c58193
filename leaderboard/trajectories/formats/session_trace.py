"""A trajectory as a session trace that the Hugging Face Hub shows in its trace viewer.

After the Hub's Session Trace Simple Format (huggingface.co/docs/hub/session-traces-format): a
header, then one message a line. The Hub passes over what stands beside these, which is ours.
"""

from __future__ import annotations

from typing import Any

from leaderboard.trajectories.formats.inspect_log import ours_of
from leaderboard.trajectories.formats.openai_chat import chat_message
from leaderboard.trajectories.formats.trajectory import Trajectory, json_line
from runner.pybench_jsonl import OURS
from runner.suite.canary import CANARY

HARNESS = "pybench"
LOSS = "Pictures, files and outputs of cells are left out, but for the text that was sent."


def session_trace(trajectory: Trajectory) -> str:
    """The header and the messages, each on a line."""
    facts = trajectory.facts
    header: dict[str, Any] = {
        "type": "session",
        "harness": HARNESS,
        "id": f"run-{facts.get('run')}-{trajectory.task}-{facts.get('attempt')}",
        "name": trajectory.title,
        "canary": CANARY,
        "left_out": LOSS,
        OURS: ours_of(trajectory),
    }
    model = facts.get("entry")
    lines = [json_line(header)]
    for message in trajectory.messages():
        told = chat_message(message)
        if told.get("role") == "assistant" and model:
            told["model"] = model
        lines.append(json_line({"type": "message", "message": told}))
    return "".join(lines)
