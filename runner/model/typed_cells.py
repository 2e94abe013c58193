"""A cell that a person typed, as the messages that a model's own would have been."""

from __future__ import annotations

import json

from runner.contract import ActionFormat, StepStatus
from runner.model.calls_in_text import TOOL_NAME
from runner.model.code_blocks import END, START
from runner.model.prompts import Message, said, told
from runner.model.reply import Action, ModelReply, ToolCall


def messages_of_cell(
    code: str, observation: str, index: int, action_format: ActionFormat
) -> list[Message]:
    """The reply with the cell, and what it showed."""
    reply, action = reply_with(code, index, action_format)
    return [said(reply, action), *told(reply, action, observation)]


def reply_with(code: str, index: int, action_format: ActionFormat) -> tuple[ModelReply, Action]:
    """The reply of a model that wants `code` run."""
    if action_format == ActionFormat.TOOLS:
        call = ToolCall(f"typed-{index}", TOOL_NAME, json.dumps({"code": code}))
        return ModelReply(tool_calls=(call,)), Action(StepStatus.OK, code=code, run_call=call.id)
    is_fenced = action_format == ActionFormat.FENCED
    text = f"```python\n{code}\n```" if is_fenced else f"{START}{code}{END}"
    return ModelReply(text), Action(StepStatus.OK, code=code, spoken=text)
