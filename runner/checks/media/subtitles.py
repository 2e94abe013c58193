"""Subtitle files (srt): what is shown when, compared with what ought to be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from runner.checks.case import Case, shown
from runner.checks.data.tables import count, text_of

MAX_BYTES = 4_000_000
MAX_SUBTITLES = 20_000

CLOCK = r"(\d{1,3}):([0-5]\d):([0-5]\d),(\d{3})"
NUMBER = re.compile(r"\d{1,9}", re.ASCII)
TIMES = re.compile(rf"{CLOCK} *--> *{CLOCK}", re.ASCII)


@dataclass(frozen=True)
class Subtitle:
    """One subtitle; `text` has its lines without white space at their ends."""

    begin_ms: int
    end_ms: int
    text: str
    number: int = 0  # as the file has it

    @property
    def times(self) -> str:
        """Begin and end as a file writes them: "00:00:01,500 --> 00:00:03,000"."""
        return f"{clock(self.begin_ms)} --> {clock(self.end_ms)}"


def clock(ms: int) -> str:
    """A moment as subtitle files write it: 3723004 is "01:02:03,004"."""
    seconds, ms = divmod(ms, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d},{ms:03d}"


def to_ms(text: str) -> int:
    """The moment that "01:02:03,004" writes, in ms; ValueError when it writes none."""
    match = re.fullmatch(CLOCK, text, re.ASCII)
    if match is None:
        raise ValueError(f"no moment of a subtitle: {text[:40]}")
    return milliseconds(match.groups())


def milliseconds(parts: Sequence[str]) -> int:
    hours, minutes, seconds, ms = (int(part) for part in parts)
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms


def parse(text: str) -> list[Subtitle]:
    """The subtitles of a whole srt file; ValueError names the first invalid block."""
    found = []
    for block in blocks(text):
        times = TIMES.fullmatch(block[1]) if len(block) > 1 else None
        if times is None or not NUMBER.fullmatch(block[0]):
            raise ValueError(f"this is no subtitle: {shown(' / '.join(block[:3]))[:60]}")
        parts = times.groups()
        words = "\n".join(block[2:])
        found.append(
            Subtitle(milliseconds(parts[:4]), milliseconds(parts[4:]), words, int(block[0]))
        )
        if len(found) > MAX_SUBTITLES:
            raise ValueError(f"more than {MAX_SUBTITLES} subtitles")
    return found


def blocks(text: str) -> list[list[str]]:
    """The stripped lines of `text`, cut where lines are blank."""
    found: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line.strip():
            found[-1].append(line.strip())
        elif found[-1]:
            found.append([])
    return [block for block in found if block]


def read(case: Case, name: str) -> list[Subtitle]:
    """The subtitles of the output `name`; what is no srt file ends the check."""
    with case.reading(name, "subtitles") as path:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"more than {MAX_BYTES} bytes")
        return parse(text_of(path))


def expect_same(
    case: Case,
    found: Sequence[Subtitle],
    expected: Sequence[Subtitle],
    file: str,
    tolerance_ms: int = 1,
) -> bool:
    """The file's subtitles are the expected ones in that order, numbered from 1.

    Begin and end may each be `tolerance_ms` off, for times that were reckoned in fractions.
    Numbers of `expected` are not looked at.
    """
    message = f"{file} has {count(len(found), 'subtitle')}, expected {len(expected)}."
    same_count = len(found) == len(expected)
    if not case.expect("subtitles", same_count, len(expected), len(found), file, message):
        return False
    numbers = [one.number for one in found]
    results = [
        case.equal("numbers", numbers, list(range(1, len(found) + 1)), file),
        case.equal("texts", [f.text for f in found], [e.text for e in expected], file),
        expect_times(case, found, expected, file, tolerance_ms),
    ]
    return all(results)


def expect_times(
    case: Case,
    found: Sequence[Subtitle],
    expected: Sequence[Subtitle],
    file: str,
    tolerance_ms: int,
) -> bool:
    """One assertion for all times: names the first that is off."""
    for place, (own, wanted) in enumerate(zip(found, expected, strict=True), 1):
        off = max(abs(own.begin_ms - wanted.begin_ms), abs(own.end_ms - wanted.end_ms))
        if off > tolerance_ms:
            message = f"{file}, subtitle {place}: expected {wanted.times}, found {own.times}."
            return case.expect("times", False, wanted.times, own.times, file, message)
    return case.expect("times", True, f"{count(len(expected), 'pair')} right", "all right", file)
