"""A trajectory as OpenAI chat messages: one conversation a line, as files for training have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leaderboard.exports.trajectory import Trajectory, json_line

FIELDS = ("role", "content", "name", "tool_calls", "tool_call_id")


def chat_line(trajectory: Trajectory) -> str:
    """The conversation as it was sent, tool calls included, as {"messages": [...]}."""
    return json_line({"messages": [chat_message(message) for message in trajectory.messages()]})


def chat_message(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message with the protocol's own fields only."""
    return {name: message[name] for name in FIELDS if name in message}
