"""Putting what a cell did into the text that the model reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from runner.contract import (
    KILLED_NOTICES,
    CellResult,
    CellStatus,
    Limits,
    Output,
    OutputKind,
)

# CSI and OSC sequences, and two-character escapes (ECMA-48, 5.4 and 8.3).
ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
SURROGATE = re.compile(r"[\ud800-\udfff]")

TRACEBACK_HEAD_LINES = 12
TRACEBACK_TAIL_LINES = 28
HEAD_SHARE = 0.6  # of a text that is cut; the rest is its end

LOST = "The kernel was restarted: all variables and imports are lost; files remain."


def observe(result: CellResult, limits: Limits) -> str:
    """Report one cell to the model in at most about `limits.observation_chars`.

    Notices come from the sandbox; `ending` speaks where it gave none.
    """
    outputs = list(merged(result.outputs))
    body = "\n".join(part for part in map(say, outputs) if part)
    has_notice = any(output.kind == OutputKind.NOTICE for output in outputs)
    parts = [cut(body, limits.observation_chars), "" if has_notice else ending(result)]
    return "\n".join(part for part in parts if part) or "[The cell ran and printed nothing.]"


def merged(outputs: Iterable[Output]) -> Iterator[Output]:
    """The outputs with neighbouring pieces of one stream put together."""
    for kind, group in groupby(outputs, key=lambda output: output.kind):
        if kind in (OutputKind.STDOUT, OutputKind.STDERR):
            yield Output(kind, "".join(piece.text for piece in group))
        else:
            yield from group


def say(output: Output) -> str:
    """One output in words."""
    match output.kind:
        case OutputKind.ERROR:
            return short_traceback(output)
        case OutputKind.DISPLAY | OutputKind.RESULT:
            return shown(output)
        case OutputKind.NOTICE:
            return f"[{output.text.strip()}]"
        case OutputKind.STDERR:
            text = as_written(output.text).strip("\n")
            return f"[stderr]\n{text}" if text.strip() else ""
        case OutputKind.STDOUT:
            return as_written(output.text).rstrip("\n")


def as_written(text: str) -> str:
    """`text` as a terminal would leave it: no colours, no overwritten progress bars."""
    text = ANSI.sub("", text).replace("\r\n", "\n")
    lines = (line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return SURROGATE.sub("\ufffd", CONTROL.sub("", "\n".join(lines)))


def shown(output: Output) -> str:
    """The text of a displayed or returned value; a picture is only mentioned."""
    text = as_written(output.text or output.data.get("text/plain", ""))
    if any(mime.startswith("image/") for mime in output.data):
        return f"{text}\n[An image was shown to the user; you cannot see it.]".strip()
    if not text.strip() and output.data:
        return "[Something was shown to the user, such as a figure; you cannot see it.]"
    return text


def short_traceback(output: Output) -> str:
    """The traceback without colours; a long one keeps its first and last frames."""
    lines = as_written(output.text).strip("\n").split("\n")
    cut_lines = len(lines) - TRACEBACK_HEAD_LINES - TRACEBACK_TAIL_LINES
    if cut_lines > 1:
        head, tail = lines[:TRACEBACK_HEAD_LINES], lines[-TRACEBACK_TAIL_LINES:]
        lines = [*head, f"[… {cut_lines} lines of the traceback cut …]", *tail]
    text = "\n".join(lines)
    last = as_written(f"{output.error_name}: {output.error_value}".strip(": "))
    return text if output.error_name in text and text else f"{text}\n{last}".strip()


def cut(text: str, limit_chars: int) -> str:
    """`text`, or its head and tail with the cut shown, in about `limit_chars` characters."""
    if len(text) <= limit_chars:
        return text
    head = int(limit_chars * HEAD_SHARE)
    tail = limit_chars - head
    missing = len(text) - limit_chars
    return f"{text[:head]}\n[… {missing:,} characters cut …]\n{text[len(text) - tail :]}"


def ending(result: CellResult) -> str:
    """The end of the cell and its kernel, when it did not simply end."""
    match result.status:
        case CellStatus.TIMEOUT:
            return f"[The cell was stopped after {result.duration_s:.0f} s. Variables are kept.]"
        case CellStatus.KILLED:
            return f"[{KILLED_NOTICES.get(result.reason, 'The kernel was killed.')} {LOST}]"
        case _:
            return ""
