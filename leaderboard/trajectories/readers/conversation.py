"""Turns a conversation, in whatever format it came, into the steps of an attempt.

A reader of a format makes a `Said` of each message. Code that was to be executed is in a call of
a Python tool; a conversation without calls has it in the first fenced block of a reply.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

from leaderboard.trajectories.readers.attempt_reading import Message
from leaderboard.trajectories.readers.interpreter_output import read_observation
from runner.contract import Output, Step, StepStatus, Usage

FENCE = re.compile(r"```[ \t]*+([\w+.\-]{0,40}+)[ \t]*+\r?\n")
PYTHON_TAGS = frozenset({"", "python", "python3", "py", "ipython"})
LABEL = "Action:"  # what PyBench's prompt has before the code
TAGGED = ("<execute_ipython>", "</execute_ipython>")  # OpenHands without tools

PYTHON_TOOLS = frozenset(
    {
        "execute_python",
        "python",
        "ipython",
        "python_interpreter",
        "python_repl",
        "python_exec",
        "run_python",
        "run_ipython",
        "execute_ipython_cell",
        "execute_code",
        "run_code",
        "code_interpreter",
        "code_execution",
        "jupyter",
    }
)
CODE_KEYS = ("code", "source", "script", "python_code", "command", "input")
FINISHING_TOOLS = frozenset({"finish", "final_answer", "submit", "attempt_completion", "answer"})
ANSWER_KEYS = ("answer", "message", "final_thought", "result", "output", "thought")

UNRECORDED = "what this cell printed is not recorded"
MORE_CALLS = "the same reply made this call too"
NOT_PYTHON = "a call of the tool “{}”, shown as text: it is no Python code"
OTHER_CALLS = "Calls of tools other than a Python interpreter are shown as text, not as code."


JSON = json.JSONDecoder(strict=False)  # control characters may stand in texts


class Unusable(Exception):
    """A line or document that holds no attempt; the message is a sentence."""


@dataclass(frozen=True)
class MadeCall:
    """A tool call in a reply."""

    id: str
    name: str
    arguments: str  # as the model wrote them: JSON or plain text

    @cached_property
    def code(self) -> str | None:
        """The Python code to be executed; None if the call is of another tool."""
        if self.name.lower() not in PYTHON_TOOLS:
            return None
        told = self.told
        if isinstance(told, dict):
            if str(told.get("language") or "python").lower() not in PYTHON_TAGS:
                return None
            found = (told.get(key) for key in CODE_KEYS)
            return next((code for code in found if isinstance(code, str)), None)
        return told if isinstance(told, str) else self.arguments

    @cached_property
    def told(self) -> Any:
        """The arguments as a value; the text itself if it is no JSON."""
        try:
            return JSON.decode(self.arguments)
        except (ValueError, RecursionError):
            return self.arguments

    @property
    def answer(self) -> str | None:
        """The final answer, if the call gives one."""
        if self.name.lower() not in FINISHING_TOOLS:
            return None
        told = self.told
        if isinstance(told, dict):
            found = (told.get(key) for key in ANSWER_KEYS)
            return next((text for text in found if isinstance(text, str)), "")
        return told if isinstance(told, str) else self.arguments

    @property
    def shown(self) -> str:
        """The call as text, for a tool that is no interpreter."""
        told = self.told
        if isinstance(told, dict) and len(told) == 1 and isinstance(next(iter(told.values())), str):
            told = next(iter(told.values()))
        return f"[{self.name}] {told if isinstance(told, str) else self.arguments}"

    @property
    def message(self) -> Message:
        function = {"name": self.name, "arguments": self.arguments}
        return {"id": self.id, "type": "function", "function": function}


@dataclass(frozen=True)
class Said:
    """One message of a conversation."""

    role: str
    text: str
    calls: tuple[MadeCall, ...] = ()
    answers: str = ""  # id of the call that a tool's message answers
    thought: str = ""  # reasoning that came beside the text
    outputs: tuple[Output, ...] = ()  # a tool's outputs; else they are read from the text
    usage: Usage = field(default_factory=Usage)
    finish_reason: str = ""
    model_s: float = 0.0
    cell_s: float = 0.0
    started_at: float = 0.0

    @cached_property
    def message(self) -> Message:
        """The message in OpenAI's words."""
        told: dict[str, Any] = {"role": self.role, "content": self.text}
        if self.calls:
            told["tool_calls"] = [call.message for call in self.calls]
        if self.answers:
            told["tool_call_id"] = self.answers
        return told


Turn = tuple[Said, tuple[Said, ...]]  # a reply, and the messages that answer it


def split_turns(said: Sequence[Said]) -> tuple[tuple[Said, ...], list[Turn]]:
    """The messages before the first reply, and each reply with what follows it."""
    starts = [i for i, one in enumerate(said) if one.role == "assistant"]
    if not starts:
        raise Unusable("There is no reply: no message has the role “assistant”.")
    ends = [*starts, len(said)]
    turns = [(said[a], tuple(said[a + 1 : b])) for a, b in pairwise(ends)]
    return tuple(said[: starts[0]]), turns


def read_steps(turns: Sequence[Turn]) -> tuple[Step, ...]:
    """The steps of a conversation: one for each reply, or for each call in it."""
    has_tools = any(reply.calls for reply, _ in turns)
    steps: list[Step] = []
    for number, (reply, answers) in enumerate(turns, 1):
        is_last, index = number == len(turns), len(steps) + 1
        if reply.calls:
            steps += steps_of_calls(index, reply, answers, is_last)
        else:
            steps.append(step_of_reply(index, reply, answers, is_last, runs_fences=not has_tools))
    return tuple(steps)


def step_of_reply(
    index: int, reply: Said, answers: tuple[Said, ...], is_last: bool, runs_fences: bool
) -> Step:
    """The step of a reply without calls; its code is in a fenced block, if there is any."""
    read = split_reply if runs_fences else whole
    thought, code, notes = read(reply.text)
    observation = "\n".join(one.text for one in answers)
    outputs = outputs_of(answers, observation)
    if code is None:
        status = StepStatus.ANSWER if is_last and not answers else StepStatus.MALFORMED
    else:
        status = status_of(outputs)
    if code is not None and not answers:
        notes = (*notes, UNRECORDED)
    return Step(
        index=index,
        status=status,
        reply=reply.text,
        thought=joined(reply.thought, thought),
        code=code,
        outputs=outputs,
        observation=observation,
        notes=notes,
        usage=reply.usage,
        finish_reason=reply.finish_reason,
        model_s=reply.model_s,
        cell_s=sum(one.cell_s for one in answers),
        started_at=reply.started_at,
        messages=(reply.message, *(one.message for one in answers)),
    )


def steps_of_calls(
    index: int, reply: Said, answers: tuple[Said, ...], is_last: bool
) -> Iterator[Step]:
    """A step for each call of a reply, with what answers that call."""
    answered = deal(reply.calls, answers)
    for position, (call, mine) in enumerate(zip(reply.calls, answered, strict=True)):
        is_first, is_end = not position, is_last and position == len(reply.calls) - 1
        yield step_of_call(index + position, reply, call, mine, is_first, is_end)


def deal(calls: Sequence[MadeCall], answers: Sequence[Said]) -> list[list[Said]]:
    """The messages that answer each call: by their ids, else in order; the rest to the last."""
    dealt: list[list[Said]] = [[] for _ in calls]
    places = {call.id: place for place, call in enumerate(calls) if call.id}
    free = 0
    for one in answers:
        place = places.get(one.answers)
        if place is None and one.role == "tool":
            place, free = min(free, len(calls) - 1), free + 1
        dealt[len(calls) - 1 if place is None else place].append(one)
    return dealt


def step_of_call(
    index: int, reply: Said, call: MadeCall, answers: list[Said], is_first: bool, is_end: bool
) -> Step:
    """The step of one call: code that was run, the final answer, or a call shown as text."""
    text, thought = (reply.text, reply.thought) if is_first else ("", "")
    code, answer = call.code, call.answer if is_end else None
    observation = "\n".join(one.text for one in answers)
    outputs = outputs_of(answers, observation)
    notes: tuple[str, ...] = () if is_first else (MORE_CALLS,)
    if code is not None:
        status = status_of(outputs)
        notes = notes if answers else (*notes, UNRECORDED)
        shown = text
    elif answer is not None:
        status, shown = StepStatus.ANSWER, joined(text, answer) if answer != text else text
    else:
        status, shown = status_of(outputs), joined(text, call.shown)
        notes = (*notes, NOT_PYTHON.format(call.name[:60]))
    said = (reply.message,) if is_first else ()
    return Step(
        index=index,
        status=status,
        reply=shown,
        thought=joined(thought, text if code is not None else shown),
        code=code,
        outputs=outputs,
        observation=observation,
        notes=notes,
        usage=reply.usage if is_first else Usage(),
        finish_reason=reply.finish_reason if is_first else "",
        model_s=reply.model_s if is_first else 0.0,
        cell_s=sum(one.cell_s for one in answers),
        started_at=reply.started_at,
        messages=(*said, *(one.message for one in answers)),
    )


def outputs_of(answers: Sequence[Said], observation: str) -> tuple[Output, ...]:
    """The outputs that the answers brought; without any, those that their text tells of."""
    brought = tuple(output for one in answers for output in one.outputs)
    has_text = any(output.text for output in brought)
    return brought if has_text else (*read_observation(observation), *brought)


def status_of(outputs: Sequence[Output]) -> StepStatus:
    has_raised = any(output.error_name for output in outputs)
    return StepStatus.ERROR if has_raised else StepStatus.OK


def joined(*parts: str) -> str:
    return "\n\n".join(part.strip() for part in parts if part.strip())


def split_reply(text: str) -> tuple[str, str | None, tuple[str, ...]]:
    """Thought, the code of the first Python block, and notes on what else there is."""
    start, code_start = find_code(text)
    if start < 0:
        return text.strip(), None, ()
    is_tagged = text.startswith(TAGGED[0], start)
    closing = TAGGED[1] if is_tagged else "```"
    close = text.find(closing, code_start)
    if close < 0:
        code, after = text[code_start:], ""
    else:
        code, after = text[code_start:close], text[close + len(closing) :]
    notes = ["the code block is never closed"] if close < 0 else []
    others = sum(is_python(tag) for tag in FENCE.findall(after))
    if others:
        notes.append(f"{others} more code block{'s were' if others > 1 else ' was'} not run")
    before = text[:start].rstrip().removesuffix(LABEL)
    return joined(before, after), code.strip("\r\n"), tuple(notes)


def whole(text: str) -> tuple[str, str | None, tuple[str, ...]]:
    """The reply as thought alone, where fences are no code to run."""
    return text.strip(), None, ()


def find_code(text: str) -> tuple[int, int]:
    """Offsets of the first Python block and of its code; -1 if there is none."""
    tagged = text.find(TAGGED[0])
    opening = FENCE.search(text)
    while opening is not None and not is_python(opening[1]):
        close = text.find("```", opening.end())
        opening = FENCE.search(text, close + 3) if close >= 0 else None
    if opening is not None and (tagged < 0 or opening.start() < tagged):
        return opening.start(), opening.end()
    return (tagged, tagged + len(TAGGED[0])) if tagged >= 0 else (-1, -1)


def is_python(tag: str) -> bool:
    return tag.lower() in PYTHON_TAGS


def losses_of(steps: Sequence[Step]) -> tuple[str, ...]:
    """The loss of calls that could not become code, if any step had one."""
    words = NOT_PYTHON.partition("{}")[0]
    has_others = any(note.startswith(words) for step in steps for note in step.notes)
    return (OTHER_CALLS,) if has_others else ()
