# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Write a small module of three functions about bookings of a room."""

import random
import re
from pathlib import Path

from runner.checks import Case
from runner.checks.programs import modules

TITLE = "Module for room bookings"
CATEGORY = "software"
QUERY = """
Write a Python module ./output/bookings.py (standard library only, nothing printed on import) with these three functions.
Times are whole minutes since midnight; a booking is a list [start, end] with start <= end.

parse_duration(text) -> int
    The minutes that a text like "45m", "2h", "1h30m", "1h 30m", "1H05" or "90" says. Hours come first and are marked h;
    the minutes after them may be marked m or not; a bare number means minutes. Upper or lower case; spaces may stand at
    both ends and between the hours and the minutes, nowhere else. Minutes after hours must be below 60.
    Any other text raises ValueError.

merge(bookings) -> list
    The bookings as a sorted list of [start, end] lists that neither overlap nor touch: [540, 600] and [600, 630] become
    [540, 630]. Empty bookings (start == end) are dropped. The argument may be in any order and must not be changed.

free_slots(bookings, opening, closing, minimum) -> list
    The sorted [start, end] lists between opening and closing during which no booking takes place and that are at least
    `minimum` (> 0) minutes long. Bookings may overlap each other, reach beyond the opening hours or lie outside of them.
    The argument `bookings` must not be changed.
"""
INPUTS = []
OUTPUTS = ["bookings.py"]
STRENGTH = "partial"
NOTE = "Each function is called with fixed edge cases and with random cases drawn from the instance's seed, some of them large and of uneven times. Whether the module keeps to the standard library is not looked at."

DURATION = re.compile(r"\s*(?:(\d+)h\s*(?:([0-5]?\d)m?)?|(\d+)m?)\s*", re.IGNORECASE | re.ASCII)
GOOD_TEXTS = [
    "45m",
    "2h",
    "1h30m",
    "1h 30m",
    "1H05",
    "90",
    " 15M ",
    "0m",
    "10h0m",
    "3H  7",
    "120m",
    "1h 59",
]
BAD_TEXTS = [
    "",
    " ",
    "h",
    "m30",
    "1h60m",
    "1h 75",
    "30m1h",
    "1.5h",
    "-5m",
    "2 h",
    "5 m",
    "1h30s",
    "1h30 m",
    "1hm",
    "1h m",
    "h30m",
    "ten",
    "1h2h",
]


def make_inputs(seed: int, data: Path) -> dict:
    return {}


def parse_duration(text: str) -> int | None:
    match = DURATION.fullmatch(text)
    if match is None:
        return None
    hours, minutes, bare = match.groups()
    return int(bare) if bare else int(hours) * 60 + int(minutes or 0)


def merge(bookings: list) -> list:
    merged: list[list[int]] = []
    for start, end in sorted(b for b in bookings if b[0] < b[1]):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def free_slots(bookings: list, opening: int, closing: int, minimum: int) -> list:
    free, begin = [], opening
    for start, end in [*merge(bookings), [closing, closing]]:
        stop = min(start, closing)
        if stop - begin >= minimum:
            free.append([begin, stop])
        begin = max(begin, end)
    return free


def draw_bookings(rng: random.Random) -> list:
    """A few bookings on a coarse grid, so that touching, nesting and emptiness are common.

    One draw in three has minutes of any kind, and one in four many bookings.
    """
    step = rng.choice([15, 15, 1])
    most = rng.choice([10, 10, 10, 120])
    starts = [rng.randrange(0, 1440, step) for _ in range(rng.randrange(most))]
    return [[start, min(1440, start + draw_length(rng, step))] for start in starts]


def draw_length(rng: random.Random, step: int) -> int:
    return (
        rng.choice([0, 15, 30, 60, 240]) if step > 1 else rng.choice([0, 1, 7, rng.randrange(90)])
    )


def draw_duration(rng: random.Random) -> str:
    most = rng.choice([30, 30, 1000])
    hours, minutes = rng.randrange(most), rng.randrange(60)
    if rng.random() < 0.2:
        return f"{rng.randrange(60 * most)}{rng.choice(['', 'm', 'M'])}"
    space, mark = rng.choice(["", " "]), rng.choice(["", "m", "M"])
    return f"{hours}{rng.choice('hH')}{space}{minutes:02d}{mark}"


def duration_calls(rng: random.Random) -> list:
    drawn = [draw_duration(rng) for _ in range(40)]
    return [modules.Call("parse_duration", (text,)) for text in GOOD_TEXTS + BAD_TEXTS + drawn]


def merge_calls(rng: random.Random) -> list:
    fixed = [
        [],
        [[540, 600], [600, 630]],
        [[60, 300], [90, 120], [290, 310]],
        [[5, 5]],
        [[30, 40], [10, 20]],
    ]
    cases = fixed + [draw_bookings(rng) for _ in range(60)]
    return [modules.Call("merge", (bookings,)) for bookings in cases]


def slot_calls(rng: random.Random) -> list:
    calls = [
        modules.Call("free_slots", ([], 480, 1080, 30)),
        modules.Call("free_slots", ([], 480, 500, 30)),
    ]
    calls.append(modules.Call("free_slots", ([[0, 1440]], 480, 1080, 1)))
    calls.append(modules.Call("free_slots", ([[510, 600]], 480, 1080, 30)))
    for _ in range(60):
        step = rng.choice([15, 15, 1])
        opening = rng.randrange(rng.choice([360, 0]), 720, step)
        closing = min(1440, opening + rng.randrange(60, 660, step))
        minimum = rng.choice([1, 15, 30, 45] if step > 1 else [1, 7, 13, 100])
        calls.append(modules.Call("free_slots", (draw_bookings(rng), opening, closing, minimum)))
    return calls


def check(case: Case) -> None:
    rng = random.Random(case.seed)
    groups = {
        "parse_duration": (parse_duration, duration_calls(rng)),
        "merge": (merge, merge_calls(rng)),
        "free_slots": (free_slots, slot_calls(rng)),
    }
    calls = [call for _, group in groups.values() for call in group]
    replies = iter(modules.call_all(case, "bookings.py", calls, is_silent=True))
    for name, (oracle, group) in groups.items():
        expect_right(case, name, oracle, [(call, next(replies)) for call in group])


def expect_right(case: Case, name: str, oracle, played: list) -> None:
    """One assertion for the values of a function, one for the arguments it was given."""
    file = "bookings.py"
    right = f"all {len(played)} calls right"
    for call, reply in played:
        expected = oracle(*call.arguments)
        if not is_right(reply, expected):
            wanted = "ValueError" if expected is None else repr(expected)
            message = f"{call.text} should give {wanted}, it gave {reply.text}."
            case.expect(name, False, f"{call.text} → {wanted}", reply.text, file, message)
            break
    else:
        case.expect(name, True, right, right, file)
    kept = all(reply.arguments_kept for _, reply in played)
    case.expect(f"{name}: arguments unchanged", kept, True, kept, file)


def is_right(reply, expected) -> bool:
    if expected is None:
        return reply.error == "ValueError"
    return not reply.error and modules.same_value(reply.value, expected)


REFERENCE = {
    "cells": [
        'source = \'\'\'"""Bookings of a room, in minutes since midnight."""\n'
        "import re\n"
        "\n"
        '_DURATION = re.compile(r"(?:(\\\\d+)h(?: *([0-5]?\\\\d)m?)?|(\\\\d+)m?)", re.IGNORECASE)\n'
        "\n"
        "\n"
        "def parse_duration(text):\n"
        "    match = _DURATION.fullmatch(text.strip())\n"
        "    if not match:\n"
        '        raise ValueError(f"not a duration: {text!r}")\n'
        "    hours, minutes, bare = match.groups()\n"
        "    if bare is not None:\n"
        "        return int(bare)\n"
        "    return int(hours) * 60 + int(minutes or 0)\n"
        "\n"
        "\n"
        "def merge(bookings):\n"
        "    merged = []\n"
        "    for start, end in sorted(bookings):\n"
        "        if start == end:\n"
        "            continue\n"
        "        if merged and start <= merged[-1][1]:\n"
        "            merged[-1][1] = max(merged[-1][1], end)\n"
        "        else:\n"
        "            merged.append([start, end])\n"
        "    return merged\n"
        "\n"
        "\n"
        "def free_slots(bookings, opening, closing, minimum):\n"
        "    slots, begin = [], opening\n"
        "    for start, end in merge(bookings):\n"
        "        stop = min(start, closing)\n"
        "        if stop - begin >= minimum:\n"
        "            slots.append([begin, stop])\n"
        "        begin = max(begin, end)\n"
        "    if closing - begin >= minimum:\n"
        "        slots.append([begin, closing])\n"
        "    return slots\n"
        "'''\n"
        "with open('./output/bookings.py', 'w') as f:\n"
        "    f.write(source)",
        "import sys\n"
        "sys.path.insert(0, './output')\n"
        "import bookings\n"
        "print([bookings.parse_duration(t) for t in ['45m', '2h', '1h 30m', '1H05', ' 90 ']])\n"
        "for bad in ['', '1h60m', '1.5h', '2 h']:\n"
        "    try:\n"
        "        print('accepted', bad, bookings.parse_duration(bad))\n"
        "    except ValueError as error:\n"
        "        print(error)\n"
        "print(bookings.merge([[600, 630], [540, 600], [700, 700], [100, 300], [150, 200]]))\n"
        "print(bookings.free_slots([[500, 520], [400, 490], [900, 2000]], 480, 1080, 15))",
    ],
    "answer": "The module is saved as ./output/bookings.py; I tried each function with a few cases.",
}
WRONG = {
    "touching-kept-apart": {
        "why": "merges only bookings that overlap, not those that touch",
        "cells": [
            "source = '''\n"
            "import re\n"
            "def parse_duration(text):\n"
            '    m = re.fullmatch(r"(?:(\\\\d+)h(?: *([0-5]?\\\\d)m?)?|(\\\\d+)m?)", text.strip(), re.I)\n'
            "    if not m: raise ValueError(text)\n"
            "    return int(m[3]) if m[3] else int(m[1]) * 60 + int(m[2] or 0)\n"
            "def merge(bookings):\n"
            "    out = []\n"
            "    for s, e in sorted(bookings):\n"
            "        if s == e: continue\n"
            "        if out and s < out[-1][1]: out[-1][1] = max(out[-1][1], e)\n"
            "        else: out.append([s, e])\n"
            "    return out\n"
            "def free_slots(bookings, opening, closing, minimum):\n"
            "    out, b = [], opening\n"
            "    for s, e in merge(bookings) + [[closing, closing]]:\n"
            "        if min(s, closing) - b >= minimum: out.append([b, min(s, closing)])\n"
            "        b = max(b, e)\n"
            "    return out\n"
            "'''\n"
            "open('./output/bookings.py', 'w').write(source)"
        ],
        "answer": "I wrote ./output/bookings.py with the three functions.",
    },
    "nested-booking-shortens": {
        "why": "takes the last booking's end, so a nested one cuts the outer short",
        "cells": [
            "source = '''\n"
            "import re\n"
            "def parse_duration(text):\n"
            '    m = re.fullmatch(r"(?:(\\\\d+)h(?: *([0-5]?\\\\d)m?)?|(\\\\d+)m?)", text.strip(), re.I)\n'
            "    if not m: raise ValueError(text)\n"
            "    return int(m[3]) if m[3] else int(m[1]) * 60 + int(m[2] or 0)\n"
            "def merge(bookings):\n"
            "    out = []\n"
            "    for s, e in sorted(b for b in bookings if b[0] != b[1]):\n"
            "        if out and s <= out[-1][1]: out[-1][1] = e\n"
            "        else: out.append([s, e])\n"
            "    return out\n"
            "def free_slots(bookings, opening, closing, minimum):\n"
            "    out, b = [], opening\n"
            "    for s, e in merge(bookings) + [[closing, closing]]:\n"
            "        if min(s, closing) - b >= minimum: out.append([b, min(s, closing)])\n"
            "        b = max(b, e)\n"
            "    return out\n"
            "'''\n"
            "open('./output/bookings.py', 'w').write(source)"
        ],
        "answer": "./output/bookings.py is ready.",
    },
    "argument-sorted-in-place": {
        "why": "sorts the caller's list and accepts 1h75",
        "cells": [
            "source = '''\n"
            "import re\n"
            "def parse_duration(text):\n"
            '    m = re.fullmatch(r"(?:(\\\\d+)h(?: *(\\\\d+)m?)?|(\\\\d+)m?)", text.strip(), re.I)\n'
            "    if not m: raise ValueError(text)\n"
            "    return int(m[3]) if m[3] else int(m[1]) * 60 + int(m[2] or 0)\n"
            "def merge(bookings):\n"
            "    bookings.sort()\n"
            "    out = []\n"
            "    for s, e in bookings:\n"
            "        if s == e: continue\n"
            "        if out and s <= out[-1][1]: out[-1][1] = max(out[-1][1], e)\n"
            "        else: out.append([s, e])\n"
            "    return out\n"
            "def free_slots(bookings, opening, closing, minimum):\n"
            "    out, b = [], opening\n"
            "    for s, e in merge(bookings) + [[closing, closing]]:\n"
            "        if min(s, closing) - b >= minimum: out.append([b, min(s, closing)])\n"
            "        b = max(b, e)\n"
            "    return out\n"
            "'''\n"
            "open('./output/bookings.py', 'w').write(source)"
        ],
        "answer": "The module is in ./output/bookings.py.",
    },
}
