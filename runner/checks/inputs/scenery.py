"""Drawing a place that does not exist: pictures for tasks, different for every seed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

Colour = tuple[int, int, int]

SKIES: list[tuple[Colour, Colour]] = [
    ((86, 142, 204), (214, 230, 240)),
    ((236, 158, 108), (250, 224, 176)),
    ((70, 82, 128), (226, 170, 160)),
]
GREENS: list[Colour] = [(122, 152, 110), (88, 124, 78), (58, 96, 60), (134, 140, 84)]
WALLS: list[Colour] = [(224, 208, 180), (196, 116, 92), (236, 232, 222), (150, 168, 182)]
ROOFS: list[Colour] = [(120, 52, 44), (70, 70, 84), (98, 74, 52)]
FLOWERS: list[Colour] = [(240, 214, 70), (226, 92, 116), (246, 246, 240), (150, 104, 190)]


def landscape(rng: np.random.Generator, width: int, height: int) -> Any:
    """Sky, hills, houses and a meadow as (height, width, 3) of uint8, under a fine grain.

    Turned, mirrored, stretched or moved by a pixel it is measurably another picture.
    """
    picture = Image.fromarray(sky(rng, width, height))
    pen = ImageDraw.Draw(picture)
    draw_clouds(rng, pen, width, height)
    for layer in range(3):
        draw_hill(rng, pen, width, height, level=0.42 + 0.1 * layer, colour=GREENS[layer])
    for _ in range(max(2, width // 110)):
        draw_house(rng, pen, width, height)
    for _ in range(max(3, width // 60)):
        draw_tree(rng, pen, width, height)
    for _ in range(width * height // 900):
        draw_flower(rng, pen, width, height)
    grain = rng.normal(0, 4, size=(height, width, 1))
    return np.clip(np.rint(np.asarray(picture) + grain), 0, 255).astype(np.uint8)


def pick(rng: np.random.Generator, colours: list[Colour]) -> Colour:
    return colours[int(rng.integers(len(colours)))]


def sky(rng: np.random.Generator, width: int, height: int) -> Any:
    """From the colour above to the colour at the horizon, a little brighter on one side."""
    above, below = (np.array(c, dtype=float) for c in SKIES[int(rng.integers(len(SKIES)))])
    rows = np.linspace(0, 1, height)[:, None, None]
    columns = np.linspace(-14, 14, width)[None, :, None] * rng.choice([-1, 1])
    return np.clip(above * (1 - rows) + below * rows + columns, 0, 255).astype(np.uint8)


def draw_clouds(
    rng: np.random.Generator, pen: ImageDraw.ImageDraw, width: int, height: int
) -> None:
    size = min(width, height)
    for _ in range(4):
        x, y = float(rng.uniform(0, width)), float(rng.uniform(0.05, 0.3)) * height
        for puff in range(4):
            radius = float(rng.uniform(0.02, 0.05)) * size
            left = x + puff * radius * 1.1
            pen.ellipse((left, y - radius, left + 2 * radius, y + radius), fill=(248, 246, 242))


def draw_hill(
    rng: np.random.Generator,
    pen: ImageDraw.ImageDraw,
    width: int,
    height: int,
    level: float,
    colour: Colour,
) -> None:
    """A wavy ridge at the share `level` of the height, filled to the bottom."""
    waves = [
        (rng.uniform(0.5, 2.5), rng.uniform(0, 6.3), rng.uniform(0.01, 0.05)) for _ in range(3)
    ]
    ridge = [
        (x, height * (level + sum(a * math.sin(f * 6.3 * x / width + p) for f, p, a in waves)))
        for x in range(width + 1)
    ]
    pen.polygon([(0, height), *ridge, (width, height)], fill=colour)


def draw_house(rng: np.random.Generator, pen: ImageDraw.ImageDraw, width: int, height: int) -> None:
    """A wall with a roof and two rows of windows."""
    size = min(width, height)
    wide, tall = float(rng.uniform(0.1, 0.2)) * size, float(rng.uniform(0.1, 0.2)) * size
    left, bottom = float(rng.uniform(0, width - wide)), float(rng.uniform(0.62, 0.86)) * height
    top = bottom - tall
    pen.rectangle((left, top, left + wide, bottom), fill=pick(rng, WALLS))
    peak = (left + wide / 2, top - 0.5 * wide)
    pen.polygon([(left - wide * 0.1, top), peak, (left + wide * 1.1, top)], fill=pick(rng, ROOFS))
    for column in range(3):
        for row in range(2):
            x, y = left + wide * (0.14 + 0.28 * column), top + tall * (0.16 + 0.42 * row)
            lit = (250, 222, 130) if rng.random() < 0.4 else (60, 72, 92)
            pen.rectangle((x, y, x + wide * 0.15, y + tall * 0.24), fill=lit)


def draw_tree(rng: np.random.Generator, pen: ImageDraw.ImageDraw, width: int, height: int) -> None:
    size = float(rng.uniform(0.04, 0.09)) * min(width, height)
    x, y = float(rng.uniform(0, width)), float(rng.uniform(0.6, 0.92)) * height
    pen.rectangle((x - size * 0.12, y - size, x + size * 0.12, y), fill=(84, 60, 44))
    crown = tuple(int(level + rng.integers(-18, 19)) for level in GREENS[2])
    pen.ellipse((x - size * 0.6, y - size * 2.2, x + size * 0.6, y - size * 0.6), fill=crown)


def draw_flower(
    rng: np.random.Generator, pen: ImageDraw.ImageDraw, width: int, height: int
) -> None:
    """A dot in the meadow, larger the nearer it is."""
    y = float(rng.uniform(0.68, 1.0))
    radius = (y - 0.62) * min(width, height) * 0.022 + 0.6
    x, row = float(rng.uniform(0, width)), y * height
    pen.ellipse((x - radius, row - radius, x + radius, row + radius), fill=pick(rng, FLOWERS))
