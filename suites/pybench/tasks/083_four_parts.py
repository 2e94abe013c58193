# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Cut a picture into four equal parts."""

from runner.checks import Case

INDEX = "83"
TITLE = "横向四等分"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["83_1.png", "83_2.png", "83_3.png", "83_4.png"]
NOTE = "Four columns side by side or four rows one below the other: the query can be read either way. The width is not divisible by four, so parts may differ by the rest, or leave it out."

PARTS = 4


def check(case: Case) -> None:
    from runner.checks.pictures import edits, placement

    source = edits.original(case, "83.jpeg")
    parts = [edits.read(case, name) for name in OUTPUTS]
    height, width = source.shape[:2]
    is_columns = parts[0].shape[0] == height
    across = 1 if is_columns else 0  # the axis that is cut
    size = (height, width)[across] / PARTS
    for name, part in zip(OUTPUTS, parts, strict=True):
        expect_quarter(case, name, part, source, across, size)
    end = 0
    for number, (name, part) in enumerate(zip(OUTPUTS, parts, strict=True)):
        left, top = placement.require_cut_from(case, part, source, name)
        start = left if is_columns else top
        gap, end = start - end, start + part.shape[across]
        case.expect(
            "the part's place",
            abs(start - number * size) <= PARTS,
            expected=f"part {number + 1} of the input, from pixel {number * size:.0f}",
            actual=f"from pixel {start}",
            file=name,
        )
        case.expect(
            "begins where the part before it ends",
            abs(gap) <= 1,
            expected="no more than a pixel left out or doubled",
            actual=f"{gap} pixels on",
            file=name,
        )


def expect_quarter(case: Case, name: str, part, source, across: int, size: float) -> None:
    """The part is as high or wide as the picture, and a quarter of it the other way."""
    along, cut = part.shape[1 - across], part.shape[across]
    case.expect(
        "size in pixels",
        along == source.shape[1 - across] and abs(cut - size) <= PARTS,
        expected=f"a quarter of {source.shape[1]} × {source.shape[0]}",
        actual=f"{part.shape[1]} × {part.shape[0]}",
        file=name,
    )


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/83.jpeg")
width, height = picture.size
print(width, height)
""",
        """
edges = [round(width * i / 4) for i in range(5)]
for i in range(4):
    part = picture.crop((edges[i], 0, edges[i + 1], height))
    part.save(f"./output/83_{i + 1}.png")
    print(part.size)
""",
    ],
    "answer": "图片沿横向等分成四份，依次保存为 83_1.png 到 83_4.png。",
}
WRONG = {
    "two-by-two": {
        "why": "cuts into two rows of two",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/83.jpeg")
w, h = picture.width // 2, picture.height // 2
for i in range(4):
    left, top = i % 2 * w, i // 2 * h
    picture.crop((left, top, left + w, top + h)).save(f"./output/83_{i + 1}.png")
"""
        ],
        "answer": "已等分成四份。",
    },
    "right-edge-as-width": {
        "why": "takes the third number of the box for a width, so every part starts at a later pixel but none is a quarter",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/83.jpeg")
w = picture.width // 4
for i in range(4):
    picture.crop((0, 0, (i + 1) * w, picture.height)).save(f"./output/83_{i + 1}.png")
"""
        ],
        "answer": "已沿横向等分成四份并保存。",
    },
    "same-part-four-times": {
        "why": "saves the first part under all four names",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/83.jpeg")
w = picture.width // 4
part = picture.crop((0, 0, w, picture.height))
for i in range(4):
    part.save(f"./output/83_{i + 1}.png")
"""
        ],
        "answer": "已沿横向等分成四份并保存。",
    },
}
