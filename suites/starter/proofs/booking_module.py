# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "without-re": {
        "why": "takes the text apart by hand",
        "cells": [
            '''
source = """
def parse_duration(text):
    t = text.strip().lower()
    digits = "0123456789"
    def number(s):
        if not s or any(c not in digits for c in s):
            raise ValueError("bad duration: " + repr(text))
        return int(s)
    if "h" in t:
        hours, rest = t.split("h", 1)
        total = number(hours) * 60
        rest = rest.lstrip(" ")
        if rest.endswith("m"):
            rest = rest[:-1]
            if not rest:
                raise ValueError("no minutes: " + repr(text))
        if rest:
            minutes = number(rest)
            if minutes >= 60:
                raise ValueError("too many minutes: " + repr(text))
            total += minutes
        return total
    return number(t[:-1] if t.endswith("m") else t)


def merge(bookings):
    out = []
    for s, e in sorted(tuple(b) for b in bookings if b[0] < b[1]):
        if out and s <= out[-1][1]:
            out[-1] = [out[-1][0], max(e, out[-1][1])]
        else:
            out.append([s, e])
    return out


def free_slots(bookings, opening, closing, minimum):
    free = [[opening, closing]]
    for s, e in merge(bookings):
        pieces = []
        for a, b in free:
            if e <= a or s >= b:
                pieces.append([a, b])
                continue
            if a < s:
                pieces.append([a, s])
            if e < b:
                pieces.append([e, b])
        free = pieces
    return [[a, b] for a, b in free if b - a >= minimum]


if __name__ == "__main__":
    print(parse_duration("1h 30m"))
"""
open("output/bookings.py", "w").write(source)
'''
        ],
        "answer": "I wrote **bookings.py** with `parse_duration`, `merge` and `free_slots`.",
    },
    "with-a-class": {
        "why": "typed, with a helper class and sets of minutes",
        "cells": [
            '''
source = """
from __future__ import annotations
import re
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Booking:
    start: int
    end: int


def parse_duration(text: str) -> int:
    text = text.strip().lower()
    if match := re.fullmatch("([0-9]+)m?", text):
        return int(match.group(1))
    match = re.fullmatch("(?P<h>[0-9]+)h(?: *(?P<m>[0-9]+)m?)?", text)
    if match is None:
        raise ValueError(text)
    minutes = int(match["m"] or 0)
    if minutes > 59:
        raise ValueError(text)
    return int(match["h"]) * 60 + minutes


def merge(bookings: list) -> list:
    items = sorted(Booking(*b) for b in bookings if b[0] != b[1])
    result: list = []
    while items:
        first = items.pop(0)
        end = first.end
        while items and items[0].start <= end:
            end = max(end, items.pop(0).end)
        result.append([first.start, end])
    return result


def free_slots(bookings: list, opening: int, closing: int, minimum: int) -> list:
    edges = [[opening, opening]]
    edges += [[max(a, opening), min(b, closing)] for a, b in merge(bookings) if a < closing and b > opening]
    edges.append([closing, closing])
    return [[a[1], b[0]] for a, b in zip(edges, edges[1:]) if b[0] - a[1] >= minimum]
"""
open("output/bookings.py", "w").write(source)
'''
        ],
    },
    "main-part": {
        "why": "inner lists copied, a main part that prints",
        "edits": {
            "    return slots\n": '    return slots\n\n\nif __name__ == "__main__":\n    print(parse_duration("1h30m"))\n',
            "    merged = []\n": "    merged = []\n    bookings = [list(pair) for pair in bookings]\n",
        },
    },
}
NEAR_MISSES = {
    "longer-than-minimum": {
        "why": "asks slots to be longer than the minimum",
        "edits": {
            "if closing - begin >= minimum": "if closing - begin > minimum",
            "if stop - begin >= minimum": "if stop - begin > minimum",
        },
    },
    "hours-for-bare-numbers": {
        "why": "reads a bare number as hours",
        "edits": {
            "        return int(bare)": '        return int(bare) * (1 if "m" in text.lower() else 60)'
        },
    },
    "prints-on-import": {
        "why": "prints on import",
        "edits": {"import re\n": 'import re\nprint("bookings loaded")\n'},
    },
    "tuples": {
        "why": "begins and ends in the wrong order",
        "edits": {
            "            merged.append([start, end])": "            merged.append([start, end])\n    merged = merged[::-1]"
        },
    },
    "past-closing": {
        "why": "does not stop at closing time",
        "edits": {"stop = min(start, closing)": "stop = start"},
    },
    "empty-kept": {
        "why": "keeps empty bookings",
        "edits": {"if start == end:": "if start > end:"},
    },
    "blank-within": {
        "why": "allows a blank before the h",
        "edits": {"(?:(\\\\d+)h(?: *": "(?:(\\\\d+) *h(?: *"},
    },
    "nothing-for-nonsense": {
        "why": "returns None for other texts",
        "edits": {'        raise ValueError(f"not a duration: {text!r}")': "        return None"},
    },
    "lower-case-only": {
        "why": "reads lower case alone",
        "edits": {", re.IGNORECASE)": ")", "'1H05', ' 90 '": "' 90 '"},
    },
    "argument-sorted": {
        "why": "sorts the argument of free_slots",
        "edits": {
            "    slots, begin = [], opening": "    bookings.sort()\n    slots, begin = [], opening"
        },
    },
    "before-opening": {
        "why": "begins at the first booking",
        "edits": {
            "slots, begin = [], opening": "slots, begin = [], min([opening, *(b[0] for b in bookings)])"
        },
    },
    "inner-lists-changed": {
        "why": "keeps the caller's own lists and lengthens them",
        "edits": {
            "    for start, end in sorted(bookings):\n        if start == end:\n            continue\n": "    for pair in sorted(bookings):\n        start, end = pair\n        if start == end:\n            continue\n",
            "            merged.append([start, end])": "            merged.append(pair)",
        },
    },
    "space-before-m": {
        "why": "allows a blank between minutes and m",
        "edits": {"([0-5]?\\\\d)m?)?": "([0-5]?\\\\d) *m?)?"},
    },
    "minutes-without-number": {
        "why": "takes “1hm” for an hour",
        "edits": {"(?: *([0-5]?\\\\d)m?)?": "(?: *([0-5]?\\\\d)?m?)?"},
    },
    "spaces-at-one-end": {
        "why": "spaces at the end alone",
        "edits": {"text.strip()": "text.rstrip()", "' 90 '": "'90 '"},
    },
}
