"""Tracebacks cut into the frames that matter and the library frames between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from leaderboard.rendering.ansi import strip_ansi

OWN_FRAME = re.compile(r"(Cell In\s?\[|Input In \[|File (/work/|<|\./))")
RULER = re.compile(r"-{10,}|\s*|\S+ +Traceback \(most recent call last\)")
ANY_FRAME = re.compile(r"(Cell In\s?\[|Input In \[|File )")


@dataclass(frozen=True)
class TracebackPart:
    """A stretch of a traceback: `frames` > 0 says that it holds that many library frames."""

    text: str
    frames: int = 0


def fold_traceback(text: str) -> list[TracebackPart]:
    """The parts of an IPython traceback in order, without its ruler and its last line.

    The last line repeats the exception, which the page shows above the traceback. Remarks between
    library frames ("The above exception …") are folded with them.
    """
    blocks = [block for block in split_blocks(drop_ruler(text)) if strip_ansi(block).strip()]
    if len(blocks) > 1 and not ANY_FRAME.match(strip_ansi(blocks[-1])):
        blocks.pop()
    parts: list[TracebackPart] = []
    for block in blocks:
        is_library = is_library_frame(block)
        is_remark = not ANY_FRAME.match(strip_ansi(block)) and bool(parts) and parts[-1].frames > 0
        if parts and (parts[-1].frames > 0) == (is_library or is_remark):
            last = parts.pop()
            parts.append(TracebackPart(f"{last.text}\n{block}", last.frames + is_library))
        else:
            parts.append(TracebackPart(block, int(is_library)))
    return parts


def drop_ruler(text: str) -> str:
    """Without the line of dashes and the "… Traceback (most recent call last)" under it."""
    lines = text.split("\n")
    ruled = takewhile(lambda line: RULER.fullmatch(strip_ansi(line)), lines)
    return "\n".join(lines[sum(1 for _ in ruled) :])


def split_blocks(text: str) -> Iterator[str]:
    """Stretches that each begin at a frame or after the blank line which ends one."""
    block: list[str] = []
    for line in text.split("\n"):
        plain = strip_ansi(line)
        starts = ANY_FRAME.match(plain) is not None
        if block and (starts or not strip_ansi(block[-1]).strip()):
            yield "\n".join(block)
            block = []
        block.append(line)
    yield "\n".join(block)


def is_library_frame(block: str) -> bool:
    plain = strip_ansi(block)
    return ANY_FRAME.match(plain) is not None and OWN_FRAME.match(plain) is None
