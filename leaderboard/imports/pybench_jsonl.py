"""Reading PyBench jsonl: bytes in, attempts as steps out, or what is wrong with which line."""

from __future__ import annotations

import codecs
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from leaderboard.imports.interpreter import read_observation
from leaderboard.imports.own_facts import with_facts
from runner.contract import Outcome, Step, StepStatus

OURS = "pybench_site"  # the key of what the format has no name for, in files written here
MAX_LINE_BYTES = 16 << 20
MAX_MESSAGES = 2_000  # of one row
TURN_LIMIT = 10  # of PyBench's own runs
FINISH_WORD = "Finished"

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like the next one
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
OTHER_ENCODINGS = ("gb18030", "latin-1")  # tried in turn where a line is not UTF-8

FENCE = re.compile(r"```[ \t]*(?:python3?|py|ipython)?[ \t]*\r?\n", re.IGNORECASE)
LABEL = re.compile(r"\s*Action:\s*$")  # what PyBench's prompt has before the code

Message = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """One attempt of a file. Nothing of it is known but what the file says."""

    line: int
    raw: bytes  # the line as it came, without its end
    index: str  # the task's name in its suite
    categories: tuple[str, str, str]
    query: str
    inputs: tuple[str, ...]  # names under ./data
    opening: tuple[Message, ...]  # the messages before the first reply
    steps: tuple[Step, ...]
    answer: str | None
    outcome: Outcome | None  # None: the conversation breaks off
    notes: tuple[str, ...] = ()
    ours: Mapping[str, Any] = field(default_factory=dict)  # unchecked: anybody can write it


@dataclass(frozen=True)
class LineError:
    """A line that was not taken."""

    line: int
    what: str  # a sentence


@dataclass(frozen=True)
class Reading:
    rows: tuple[Row, ...]
    errors: tuple[LineError, ...]


class Unusable(Exception):
    """A line that holds no attempt; the message is a sentence."""


def read(data: bytes) -> Reading:
    """The attempts in `data`. Never raises: what cannot be read is in `errors`."""
    rows: list[Row] = []
    errors: list[LineError] = []
    first_seen: dict[str, int] = {}
    for line, raw in enumerate(split_lines(data), 1):
        if not raw.strip(b" \t\r\n\x00"):
            continue
        try:
            row = read_line(line, raw)
            earlier = first_seen.setdefault(digest_of(row), line)
            if earlier != line:
                raise Unusable(f"The same attempt is on line {earlier}; this one is left out.")
        except Unusable as problem:
            errors.append(LineError(line, str(problem)))
        else:
            rows.append(row)
    return Reading(tuple(rows), tuple(errors))


def split_lines(data: bytes) -> Iterator[bytes]:
    """The lines of `data` as bytes, in UTF-8 where a mark at the beginning tells the encoding."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            data = data[len(mark) :]
            if encoding != "utf-8":
                data = data.decode(encoding, "replace").encode("utf-8", "replace")
            break
    yield from data.split(b"\n")


def digest_of(row: Row) -> str:
    """Names an attempt by its task and conversation, however its line is written."""
    told = [
        row.index,
        [dict(m) for m in row.opening],
        [[dict(m) for m in step.messages] for step in row.steps],
    ]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def read_line(number: int, raw: bytes) -> Row:
    """The attempt on one line. Raises Unusable."""
    value, notes = parse(raw)
    if not isinstance(value, dict):
        raise Unusable("The line is JSON, but not an object with “messages”.")
    messages = read_messages(value.get("messages"))
    opening, turns = split_turns(messages)
    ours = value.get(OURS)
    facts = ours if isinstance(ours, dict) else {}
    steps = with_facts(tuple(read_steps(turns)), facts)
    outcome, answer = ending_of(steps, turns, facts)
    if outcome is None:
        notes = (*notes, "the conversation breaks off")
    return Row(
        line=number,
        raw=raw.rstrip(b"\r"),
        index=text_of(value.get("index"))[:200],
        categories=categories_of(value),
        query=query_of(value, opening),
        inputs=inputs_of(value.get("file_paths")),
        opening=opening,
        steps=steps,
        answer=answer,
        outcome=outcome,
        notes=notes,
        ours=facts,
    )


def parse(raw: bytes) -> tuple[Any, tuple[str, ...]]:
    """The JSON value of a line, with a note when it is not in UTF-8. Raises Unusable."""
    if len(raw) > MAX_LINE_BYTES:
        raise Unusable(f"The line is longer than {MAX_LINE_BYTES >> 20} MiB.")
    for encoding in ("utf-8", *OTHER_ENCODINGS):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        break
    notes = () if encoding == "utf-8" else (f"read as {encoding}",)
    try:
        return json.loads(text.strip("\x00 \t\r\ufeff"), strict=False), notes
    except RecursionError:
        raise Unusable("The JSON is nested too deeply.") from None
    except ValueError as error:
        where = f" at character {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise Unusable(f"The line is not valid JSON{where}; it may be cut off.") from None


def read_messages(value: object) -> list[Message]:
    """The messages as {"role", "content"} of two strings. Raises Unusable."""
    if not isinstance(value, list) or not value:
        raise Unusable("“messages” is missing, empty or no list.")
    if len(value) > MAX_MESSAGES:
        raise Unusable(f"There are more than {MAX_MESSAGES:,} messages.")
    messages: list[Message] = []
    for position, message in enumerate(value, 1):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise Unusable(f"Message {position} is no object with a “role”.")
        messages.append({"role": message["role"][:40], "content": text_of(message.get("content"))})
    return messages


def text_of(value: object) -> str:
    """A message's content as text: a string, or the texts of a list of parts."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = (part.get("text") if isinstance(part, dict) else part for part in value)
        return "\n".join(part for part in parts if isinstance(part, str))
    return "" if value is None or isinstance(value, dict) else str(value)


Turn = tuple[Message, tuple[Message, ...]]  # a reply, and the messages that answer it


def split_turns(messages: Sequence[Message]) -> tuple[tuple[Message, ...], list[Turn]]:
    """The messages before the first reply, and each reply with what follows it."""
    starts = [i for i, message in enumerate(messages) if message["role"] == "assistant"]
    if not starts:
        raise Unusable("There is no reply: no message has the role “assistant”.")
    ends = [*starts, len(messages)]
    turns = [(messages[a], tuple(messages[a + 1 : b])) for a, b in pairwise(ends)]
    return tuple(messages[: starts[0]]), turns


def read_steps(turns: Sequence[Turn]) -> Iterator[Step]:
    for index, (reply, answers) in enumerate(turns, 1):
        is_last = index == len(turns)
        yield read_step(index, reply, answers, is_last)


def read_step(index: int, reply: Message, answers: tuple[Message, ...], is_last: bool) -> Step:
    text = str(reply["content"])
    observation = "\n".join(str(message["content"]) for message in answers)
    thought, code, notes = split_reply(text)
    outputs = read_observation(observation)
    has_raised = any(output.error_name for output in outputs)
    if code is None:
        status = StepStatus.ANSWER if is_last and not answers else StepStatus.MALFORMED
    else:
        status = StepStatus.ERROR if has_raised else StepStatus.OK
    if code is not None and not answers:
        notes = (*notes, "what this cell printed is not recorded")
    return Step(
        index=index,
        status=status,
        reply=text,
        thought=thought,
        code=code,
        outputs=outputs,
        observation=observation,
        notes=notes,
        messages=(reply, *answers),
    )


def split_reply(text: str) -> tuple[str, str | None, tuple[str, ...]]:
    """Thought, the code of the first fenced block, and notes on what else there is."""
    opening = FENCE.search(text)
    if opening is None:
        return text.strip(), None, ()
    start = opening.end()
    close = text.find("```", start)
    code, after = (text[start:], "") if close < 0 else (text[start:close], text[close + 3 :])
    notes = ["the code block is never closed"] if close < 0 else []
    others = len(FENCE.findall(after))
    if others:
        notes.append(f"{others} more code block{'s were' if others > 1 else ' was'} not run")
    before = LABEL.sub("", text[: opening.start()])
    thought = "\n\n".join(part for part in (before.strip(), after.strip()) if part)
    return thought, code.strip("\r\n"), tuple(notes)


def ending_of(
    steps: Sequence[Step], turns: Sequence[Turn], facts: Mapping[str, Any]
) -> tuple[Outcome | None, str | None]:
    """How the attempt ended, by its last message unless the row says it, and the answer."""
    last = steps[-1]
    answer = last.reply if last.status is StepStatus.ANSWER else None
    said = facts.get("outcome")
    if isinstance(said, str) and said in Outcome.__members__.values():
        return Outcome(said), answer
    if answer is not None:
        return Outcome.FINISHED, answer
    return (Outcome.OUT_OF_TURNS if len(turns) >= TURN_LIMIT else None), None


def categories_of(value: Mapping[str, Any]) -> tuple[str, str, str]:
    first, second, third = (
        " ".join(text_of(value.get(f"category{n}")).split())[:200] for n in (1, 2, 3)
    )
    return first, second, third


def query_of(value: Mapping[str, Any], opening: Sequence[Message]) -> str:
    """The task's words: the row's own, else the last thing said before the first reply."""
    said = [str(m["content"]) for m in opening if m["role"] == "user"]
    return text_of(value.get("user")) or (said[-1] if said else "")


def inputs_of(value: object) -> tuple[str, ...]:
    """File names below ./data, in order, without those that leave it."""
    paths = [path for path in value if isinstance(path, str)] if isinstance(value, list) else []
    names = (re.sub(r"^(?:\./)?data/", "", path.strip()) for path in paths)
    return tuple(n for n in names if n and not n.startswith("/") and ".." not in n.split("/"))
