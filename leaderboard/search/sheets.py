"""Per-run bitmap index of tags, errors and states, so that failures are counted without SQL.

A sheet holds bits: the n-th of its attempts is the n-th bit of an integer, and each tag, exception,
category, task, outcome, first failed step, number of turns and state has the integer of the
attempts that carry it. Counting is then a matter of `&` and of counting ones. Sheets of
neighbouring runs are joined into one and kept as rows (`leaderboard.search.sheet_books`); what
changed since is read from the attempts (`leaderboard.search.sheet_rows`).
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

CARRIED = ("tag", "exception", "category", "task", "outcome", "step", "turns")
CARRIED_VERSION = 2  # another one when sheets carry other things: what was filed is read again

Bits = int


@dataclass(frozen=True, slots=True)
class Sheet:
    """Attempts that are over: by run, and of each run in the order of their ids."""

    ids: array[int]
    states: Mapping[str, Bits]
    carried: Mapping[str, Mapping[str, Bits]]  # by kind and value

    @property
    def everything(self) -> Bits:
        return (1 << len(self.ids)) - 1


BLANK = Sheet(array("q"), {}, {kind: {} for kind in CARRIED})


def span(start: int, stop: int) -> Bits:
    """Ones from place `start` to before `stop`."""
    return ((1 << (stop - start)) - 1) << start


def join(places: Iterable[int]) -> Bits:
    bits = 0
    for place in places:
        bits |= 1 << place
    return bits


def places_in(bits: Bits) -> Iterator[int]:
    """The places of the ones, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def cut(sheet: Sheet, start: int, stop: int) -> Sheet:
    """The attempts from place `start` to before `stop`, as a sheet of their own."""
    here = span(0, stop - start)

    def narrow(bits_of: Mapping[str, Bits]) -> dict[str, Bits]:
        found = ((value, bits >> start & here) for value, bits in bits_of.items())
        return {value: bits for value, bits in found if bits}

    carried = {kind: narrow(sheet.carried[kind]) for kind in CARRIED}
    return Sheet(sheet.ids[start:stop], narrow(sheet.states), carried)


def paste(sheets: Iterable[Sheet]) -> Sheet:
    """All of them one after the other, as one."""
    ids = array("q")
    states: dict[str, Bits] = defaultdict(int)
    carried: dict[str, dict[str, Bits]] = {kind: defaultdict(int) for kind in CARRIED}
    for sheet in sheets:
        at = len(ids)
        for value, bits in sheet.states.items():
            states[value] |= bits << at
        for kind in CARRIED:
            for value, bits in sheet.carried[kind].items():
                carried[kind][value] |= bits << at
        ids += sheet.ids
    return Sheet(ids, dict(states), {kind: dict(carried[kind]) for kind in CARRIED})
