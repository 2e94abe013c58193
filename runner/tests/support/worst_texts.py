"""Measures of what makes a reader of strangers' text slow: its worst texts, twice and four times.

A reader joins with a `Reader` in the table of a file named test_worst_texts.
"""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

K = 1000
ROUNDS = 2
ROUNDS_OF_LOOKS = 4  # at most: the first whose median is good enough ends them
LOOKS = 5  # of a round; other processes spoil several, in either direction
LEAST_S = 0.004  # of CPU: below, a clock tells nothing of growth
CLEAR_GROWTH = 2.6  # one reading of each is enough: of 320 squares none said so
MOST_GROWTH = 3.0  # for twice the text: its square takes 4; a cache left behind 2.6

TextOf = Callable[[int], str]


@dataclass(frozen=True)
class Reader:
    """A function that reads a stranger's text, and the texts that are worst for it.

    `reads_chars` is how much it reads, or of a whole document a size to measure at. `patterns`
    are the compiled patterns, "module.NAME" or "module.function", that these texts try.
    """

    name: str
    read: Callable[[str], object]
    reads_chars: int
    texts: Mapping[str, TextOf]
    patterns: tuple[str, ...] = ()
    is_whole: bool = False
    is_cut_before: bool = False  # by whoever hands it the text


def repeated(piece: str, before: str = "", after: str = "") -> TextOf:
    """A text of about as many characters as asked for."""

    def make(chars: int) -> str:
        inner = max(0, chars - len(before) - len(after)) // len(piece)
        return f"{before}{piece * inner}{after}"

    return make


def cpu_s(read: Callable[[str], object], text: str, rounds: int) -> float:
    """The least CPU time of several readings of `text`, in seconds."""
    times = []
    gc.disable()  # and no collection before: that of a whole process costs more than most readings
    try:
        for _ in range(rounds):
            began = time.process_time()
            read(text)
            times.append(time.process_time() - began)
    finally:
        gc.enable()
    return min(times)


def growth(reader: Reader, text_of: TextOf) -> float:
    """Growth in CPU when the text is doubled, at the best of several looks."""
    return best_ratio(reader, reader.reads_chars // 2, reader.reads_chars, text_of)


def excess(reader: Reader, text_of: TextOf) -> float:
    """Growth in CPU at four times the length that a reader reads: it should be about as much."""
    return best_ratio(reader, reader.reads_chars, 4 * reader.reads_chars, text_of)


def best_ratio(reader: Reader, less_chars: int, more_chars: int, text_of: TextOf) -> float:
    """One look's ratio if it is clear, else the least median of several rounds of looks."""
    less, more = text_of(less_chars), text_of(more_chars)
    best = ratio(reader, less, more, rounds=1)
    if best <= CLEAR_GROWTH:
        return best
    best = math.inf
    for _ in range(ROUNDS_OF_LOOKS):
        best = min(best, statistics.median(ratio(reader, less, more) for _ in range(LOOKS)))
        if best <= MOST_GROWTH:
            break
    return best


def ratio(reader: Reader, less: str, more: str, rounds: int = ROUNDS) -> float:
    before_s = max(cpu_s(reader.read, less, rounds), LEAST_S)
    return max(cpu_s(reader.read, more, rounds), LEAST_S) / before_s


def texts_of(readers: Sequence[Reader], only_bounded: bool = False) -> list[tuple[Reader, str]]:
    """Each reader with each of its texts; or of those alone that cut a text themselves."""
    return [
        (reader, name)
        for reader in readers
        if not (only_bounded and (reader.is_whole or reader.is_cut_before))
        for name in reader.texts
    ]
