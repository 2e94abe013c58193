# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Join two pictures into one."""

from runner.checks import Case

INDEX = "103"
TITLE = "两张图拼成一张"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["103.png"]
NOTE = "Side by side or one above the other, in either order, scaled or not, with or without a gap: both pictures must be there whole and not cover each other."


def check(case: Case) -> None:
    from runner.checks.pictures import edits, placement

    name = "103.png"
    canvas = edits.read_drawing(case, name)
    places = [
        placement.require_shown(case, canvas, edits.original(case, source), source, name)
        for source in ("103.jpeg", "104.jpeg")
    ]
    share = sum(p.width * p.height for p in places) / (canvas.shape[0] * canvas.shape[1])
    case.expect(
        "the pictures are the main thing",
        share >= 0.25,
        expected="a quarter of the whole or more",
        actual=f"{share:.0%}",
        file=name,
    )
    shared = places[0].overlap(places[1])
    case.expect(
        "beside each other",
        shared <= 0.03,
        expected="3 % overlap at most",
        actual=f"{shared:.0%}: {places[0]}; {places[1]}",
        file=name,
    )


REFERENCE = {
    "cells": [
        """
from PIL import Image

left, right = Image.open("./data/103.jpeg"), Image.open("./data/104.jpeg")
print(left.size, right.size)
""",
        """
height = max(left.height, right.height)
right = right.resize((round(right.width * height / right.height), height))
joined = Image.new("RGB", (left.width + right.width, height), "white")
joined.paste(left, (0, 0))
joined.paste(right, (left.width, 0))
joined.save("./output/103.png")
print(joined.size)
""",
    ],
    "answer": "两张图已左右拼成一张，保存为 ./output/103.png。",
}
WRONG = {
    "blended": {
        "why": "blends the two pictures over each other",
        "cells": [
            """
from PIL import Image

one, other = Image.open("./data/103.jpeg"), Image.open("./data/104.jpeg")
Image.blend(one, other.resize(one.size), 0.5).save("./output/103.png")
"""
        ],
        "answer": "两张图已合成一张。",
    },
    "cut-off": {
        "why": "makes the canvas as high as the smaller picture, which cuts most of the other one off",
        "cells": [
            """
from PIL import Image

one, other = Image.open("./data/103.jpeg"), Image.open("./data/104.jpeg")
joined = Image.new("RGB", (one.width + other.width, min(one.height, other.height)))
joined.paste(one, (0, 0))
joined.paste(other, (one.width, 0))
joined.save("./output/103.png")
"""
        ],
        "answer": "两张图已拼接，保存为 ./output/103.png。",
    },
    "same-twice": {
        "why": "pastes the first picture twice",
        "cells": [
            """
from PIL import Image

one, other = Image.open("./data/103.jpeg"), Image.open("./data/104.jpeg")
joined = Image.new("RGB", (one.width * 2, one.height))
for x in (0, one.width):
    joined.paste(one, (x, 0))
joined.save("./output/103.png")
"""
        ],
        "answer": "两张图已拼成一张。",
    },
}
