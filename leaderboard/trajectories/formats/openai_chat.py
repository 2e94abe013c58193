"""A trajectory as OpenAI chat messages: one conversation a line, as files for training have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leaderboard.trajectories.formats.trajectory import Trajectory, json_line
from runner.suite.canary import CANARY

FIELDS = ("role", "content", "name", "tool_calls", "tool_call_id")


def chat_line(trajectory: Trajectory) -> str:
    """The conversation as it was sent, tool calls included, as {"messages": [...]}.

    The canary stands beside it: attempts are no text to train on without knowing what they are.
    """
    messages = [chat_message(message) for message in trajectory.messages()]
    return json_line({"messages": messages, "canary": CANARY})


def chat_message(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message with the protocol's own fields only."""
    return {name: message[name] for name in FIELDS if name in message}
