# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Cut a square out of the upper half of a picture."""

from runner.checks import Case

INDEX = "84"
TITLE = "上半部分的方图"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["84.png"]
NOTE = "A square from within the upper half, at least two thirds of its height wide, or the square of the full width from the top edge; not scaled."


def check(case: Case) -> None:
    from runner.checks.pictures import edits, placement

    name = "84.png"
    source = edits.original(case, "84.jpeg")
    actual = edits.read(case, name)
    height, width = actual.shape[:2]
    case.demand(
        "square",
        abs(width - height) <= 1,
        expected="as wide as high",
        actual=f"{width} × {height}",
        file=name,
    )
    left, top = placement.require_cut_from(case, actual, source, name)
    half = source.shape[0] / 2
    within_half = top + height <= half + 1 and height >= half * 2 / 3
    full_width = top == 0 and abs(width - source.shape[1]) <= 1
    case.expect(
        "from the upper part",
        within_half or full_width,
        expected=f"rows 0 to {half:g}, or the square of the full width at the top",
        actual=f"rows {top} to {top + height}, columns {left} to {left + width}",
        file=name,
    )


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/84.jpeg")
width, height = picture.size
print(width, height)
""",
        """
side = min(width, height // 2)
left = (width - side) // 2
square = picture.crop((left, 0, left + side, side))
square.save("./output/84.png")
print(square.size)
""",
    ],
    "answer": "已从上半部分截取方图，保存为 ./output/84.png。",
}
WRONG = {
    "upper-half": {
        "why": "keeps the whole upper half, which is no square",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/84.jpeg")
picture.crop((0, 0, picture.width, picture.height // 2)).save("./output/84.png")
"""
        ],
        "answer": "已截取上半部分。",
    },
    "centre-square": {
        "why": "cuts the square from the middle of the whole picture",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/84.jpeg")
side = min(picture.size)
left, top = (picture.width - side) // 2, (picture.height - side) // 2
picture.crop((left, top, left + side, top + side)).save("./output/84.png")
"""
        ],
        "answer": "已截取方图，保存为 ./output/84.png。",
    },
    "squeezed": {
        "why": "squeezes the upper half into a square",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/84.jpeg")
half = picture.crop((0, 0, picture.width, picture.height // 2))
half.resize((half.height, half.height)).save("./output/84.png")
"""
        ],
        "answer": "已截取上半部分并做成方图。",
    },
}
