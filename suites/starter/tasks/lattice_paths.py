# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Count lattice paths around blocked points, modulo a prime."""

import random
import re
from dataclasses import replace
from pathlib import Path

from runner.checks import Case
from runner.checks.text import answers

TITLE = "Paths around blocked points"
CATEGORY = "maths"
QUERY = """
Consider the points (x, y) with whole-number coordinates, 0 ≤ x ≤ «width» and 0 ≤ y ≤ «height». A path starts at (0, 0) and ends at («width», «height»); each step goes from (x, y) to (x + 1, y), to (x, y + 1) or diagonally to (x + 1, y + 1). A path must not touch any of these blocked points: «blocked».

How many different paths are there, modulo «modulus»? Compute it exactly and tell me the number of paths modulo «modulus» in one sentence. No file is needed.
"""
INPUTS = []
OUTPUTS = []

MODULUS = 1_000_000_007


def make_inputs(seed: int, data: Path) -> dict:
    rng = random.Random(seed)
    while True:
        width, height = rng.randint(40, 70), rng.randint(30, 60)
        blocked = draw_blocked(rng, width, height)
        if is_telling(width, height, blocked):
            break
    points = sorted(blocked)
    return {
        "width": width,
        "height": height,
        "modulus": MODULUS,
        "blocked": ", ".join(f"({x}, {y})" for x, y in points),
        "points": [list(point) for point in points],
    }


def draw_blocked(rng: random.Random, width: int, height: int) -> set[tuple[int, int]]:
    blocked: set[tuple[int, int]] = set()
    while len(blocked) < 9:
        along = rng.uniform(0.1, 0.9)  # near the diagonal, where most paths go
        x, y = round(along * width) + rng.randint(-3, 3), round(along * height) + rng.randint(-3, 3)
        if 0 < x < width and 0 < y < height:
            blocked.add((x, y))
    return blocked


def is_telling(width: int, height: int, blocked: set[tuple[int, int]]) -> bool:
    """True if each blocked point counts, and x and y cannot be exchanged."""
    total = count_paths(width, height, blocked)
    others = [count_paths(width, height, blocked - {point}) for point in blocked]
    others.append(count_paths(width, height, {(y, x) for x, y in blocked}))
    return width != height and total not in others


def count_paths(width: int, height: int, blocked: set[tuple[int, int]]) -> int:
    """The number of paths by the recurrence over the three last steps, modulo MODULUS."""
    ways = {(0, 0): 1}
    for x in range(width + 1):
        for y in range(height + 1):
            if (x, y) in blocked:
                ways[x, y] = 0
            elif (x, y) != (0, 0):
                before = (x - 1, y), (x, y - 1), (x - 1, y - 1)
                ways[x, y] = sum(ways.get(point, 0) for point in before) % MODULUS
    return ways[width, height]


def check(case: Case) -> None:
    p = case.parameters
    expected = count_paths(p["width"], p["height"], {tuple(point) for point in p["points"]})
    words = ["modulo", "remainder", "mod", "result", "answer", "paths", "路径", "模", "余数"]
    told = re.sub(r"(?<!\d)[1-9]\d{17,}(?!\d)", "", case.answer)  # how many there are in all
    answers.number_near(replace(case, answer=told), words, expected, 0, is_only=True)
    said = answers.folded(case.answer).replace(",", "")
    exchanged = re.search(rf"mod(?:ulo)?\s*{expected}\b", said)
    case.expect("the modulus", not exchanged, MODULUS, expected if exchanged else "")


REFERENCE = {
    "cells": [
        "W, H, M = «width», «height», «modulus»\n"
        "blocked = {«blocked»}\n"
        "print(len(blocked), all(0 <= x <= W and 0 <= y <= H for x, y in blocked))",
        "def count(W, H, blocked):\n"
        "    ways = [[0] * (H + 1) for _ in range(W + 1)]\n"
        "    ways[0][0] = 1\n"
        "    for x in range(W + 1):\n"
        "        for y in range(H + 1):\n"
        "            if (x, y) in blocked:\n"
        "                ways[x][y] = 0\n"
        "                continue\n"
        "            if x:\n"
        "                ways[x][y] += ways[x - 1][y]\n"
        "            if y:\n"
        "                ways[x][y] += ways[x][y - 1]\n"
        "            if x and y:\n"
        "                ways[x][y] += ways[x - 1][y - 1]\n"
        "    return ways[W][H]\n"
        "print([count(n, n, set()) for n in range(5)])  # Delannoy numbers 1, 3, 13, 63, 321\n"
        "total = count(W, H, blocked)\n"
        "print('paths:', total % M)",
    ],
    "answer": "The number of paths modulo «modulus» is «paths».",
}
WRONG = {
    "no-diagonal": {
        "why": "leaves the diagonal step out",
        "cells": [
            "W, H, M = «width», «height», «modulus»\n"
            "blocked = {«blocked»}\n"
            "ways = {(0, 0): 1}\n"
            "for x in range(W + 1):\n"
            "    for y in range(H + 1):\n"
            "        if (x, y) in blocked: ways[x, y] = 0\n"
            "        elif (x, y) != (0, 0): ways[x, y] = (ways.get((x - 1, y), 0) + ways.get((x, y - 1), 0)) % M\n"
            "print('paths:', ways[W, H])"
        ],
        "answer": "The number of paths modulo «modulus» is «paths».",
    },
    "one-point-short": {
        "why": "counts a grid of width × height points, so it stops one short of the corner",
        "cells": [
            "W, H, M = «width», «height», «modulus»\n"
            "blocked = {«blocked»}\n"
            "ways = {(0, 0): 1}\n"
            "for x in range(W):\n"
            "    for y in range(H):\n"
            "        if (x, y) in blocked: ways[x, y] = 0\n"
            "        elif (x, y) != (0, 0): ways[x, y] = sum(ways.get(p, 0) for p in [(x - 1, y), (x, y - 1), (x - 1, y - 1)]) % M\n"
            "print('paths:', ways[W - 1, H - 1])"
        ],
        "answer": "There are «paths» paths modulo «modulus».",
    },
    "points-not-blocked": {
        "why": "counts all paths, blocked points included",
        "cells": [
            "from math import comb\n"
            "W, H, M = «width», «height», «modulus»\n"
            "print('paths:', sum(comb(H, k) * comb(W + H - k, H) for k in range(min(W, H) + 1)) % M)"
        ],
        "answer": "The number of paths modulo «modulus» is «paths».",
    },
    "two-candidates": {
        "why": "names the right number beside another one and does not settle",
        "cells": [
            "W, H, M = «width», «height», «modulus»\n"
            "blocked = {«blocked»}\n"
            "def count(steps):\n"
            "    ways = {(0, 0): 1}\n"
            "    for x in range(W + 1):\n"
            "        for y in range(H + 1):\n"
            "            if (x, y) in blocked: ways[x, y] = 0\n"
            "            elif (x, y) != (0, 0): ways[x, y] = sum(ways.get((x - a, y - b), 0) for a, b in steps) % M\n"
            "    return ways[W, H]\n"
            "print('with:', count([(1, 0), (0, 1), (1, 1)]))\n"
            "print('without:', count([(1, 0), (0, 1)]))"
        ],
        "answer": "The number of paths modulo «modulus» is either «without» or «with».",
    },
}
