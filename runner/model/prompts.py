"""Messages to the model: the opening, and those that carry each step back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

from runner.contract import ActionFormat, Limits, StepStatus
from runner.model.calls_in_text import TOOL_NAME
from runner.model.code_blocks import END, START
from runner.model.reply import Action, ModelReply, ToolCall

Message = Mapping[str, object]

HOW = {
    ActionFormat.FENCED: (
        "To run code, write exactly one fenced block that starts with ```python and ends with ``` "
        "on a line of its own. Only the first block of a reply is run."
    ),
    ActionFormat.MARKERS: (
        f"To run code, write it between the tokens {START} and {END}, once per reply. "
        "Stop there and wait for the result."
    ),
    ActionFormat.TOOLS: (f"To run code, call the tool {TOOL_NAME} with the code, once per reply."),
}

SYSTEM = """\
You solve a task on files by running Python in an interpreter, step by step.

{how}
Each piece of code runs as the next cell of one notebook: variables and imports stay. You are \
then told what it printed, the value of its last expression, or the error.

The working folder holds ./data with the task's files, read-only, and ./output, empty at first: \
save every file that you are asked for in ./output, under exactly the name asked for. The usual \
libraries for data, charts, images, audio, documents and mathematics are installed; there is no \
network and nothing can be installed. A cell may run for {cell_timeout_s:.0f} seconds.

Look at the files before you rely on what is in them, and check what you saved before you finish. \
You have at most {max_turns} replies. A reply without code is your final answer and ends the \
task: give it only when the files are saved, and state in it every result that was asked for."""

TOOL: dict[str, object] = {
    "type": "function",
    "function": {
        "name": TOOL_NAME,
        "description": "Run Python code as the next notebook cell and return what it printed.",
        "parameters": {
            "type": "object",
            "properties": {"code": {"type": "string", "description": "The Python code to run."}},
            "required": ["code"],
        },
    },
}


def prompt_digest() -> str:
    """Names this wording in a run's record: 12 hex digits that change with any word of it."""
    words = repr((SYSTEM, sorted(HOW.items()), TOOL, FILES, NO_FILES))
    return hashlib.sha256(words.encode()).hexdigest()[:12]


FILES = "Files in ./data: {names}"
NO_FILES = "There are no files in ./data for this task."


def opening(
    query: str, inputs: Sequence[str], action_format: ActionFormat, limits: Limits
) -> list[Message]:
    """The messages before the first reply."""
    system = SYSTEM.format(
        how=HOW[action_format], max_turns=limits.max_turns, cell_timeout_s=limits.cell_timeout_s
    )
    files = FILES.format(names=", ".join(inputs)) if inputs else NO_FILES
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": f"{query}\n\n{files}"},
    ]


def said(reply: ModelReply, action: Action) -> Message:
    """The model's reply as the conversation keeps it: without its reasoning."""
    if not action.calls_tools:
        # Some endpoints refuse an assistant message without a word.
        return {"role": "assistant", "content": action.spoken or "(empty reply)"}
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {
                "name": call.name,
                "arguments": action.sent_back.get(call.id, call.arguments),
            },
        }
        for call in reply.tool_calls
    ]
    return {"role": "assistant", "content": action.spoken, "tool_calls": calls}


def told(reply: ModelReply, action: Action, observation: str) -> list[Message]:
    """The observation as messages: one per tool call, so that the protocol stays valid."""
    if not action.calls_tools:
        return [{"role": "user", "content": observation}]
    seen = action.run_call or reply.tool_calls[0].id
    answers = {**action.call_answers, seen: observation}
    return [
        {"role": "tool", "tool_call_id": call.id, "content": answers[call.id]}
        for call in reply.tool_calls
    ]


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
