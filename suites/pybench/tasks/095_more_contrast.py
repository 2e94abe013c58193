# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Raise the contrast of a picture of a table."""

from runner.checks import Case

INDEX = "95"
TITLE = "增加图片对比度"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["95.png"]
NOTE = "By how much and how (a factor, stretching, equalising) is left open: in the grey parts the brightness must spread by 3 % or more, or differ more from pixel to pixel. Most of this picture is near white, so that a plain factor above 1 lowers its contrast: that fails."


def check(case: Case) -> None:
    import numpy as np

    from runner.checks.pictures import edits

    name = "95.png"
    source, actual = edits.original(case, "95.jpeg"), edits.read(case, name)
    edits.require_same_size(case, actual, source, name)
    spreads = edits.contrast(actual), edits.contrast(source)
    edits.expect_changed(case, "spread of the brightness", *spreads, 0.95, 4, name)
    is_grey = np.ptp(source.astype(int), axis=-1) < 30  # the text and its ground
    middling = is_grey & (np.abs(edits.brightness(source) - 140) < 85)
    step = max(edits.slope(actual[m], source[m]) for m in (is_grey, middling))
    spread = float(
        edits.brightness(actual)[is_grey].std() / edits.brightness(source)[is_grey].std()
    )
    case.expect(
        "contrast between the text and its ground",
        spread >= 1.03 or (step >= 1.05 and spread >= 0.95),
        expected="more spread, or steeper steps from dark to light",
        actual=f"{spread:.2f} times the spread, {step:.2f} times the steps",
        file=name,
    )
    edits.expect_kept(case, actual, source, name, broad=0.75, fine=0.35, colours=0.5)
    parts = [
        edits.kept(now, before)
        for now, before in zip(tiles(actual), tiles(source), strict=True)
        if edits.brightness(before).std() >= 12
    ]
    broad, fine = min(part.broad for part in parts), min(part.fine for part in parts)
    case.expect(
        "every part in its place",
        broad >= 0.75 and fine >= 0.6,
        "correlations of 0.75 and, of the fine structure, of 0.6 in each eighth of the picture",
        f"{broad:.2f} and {fine:.2f} in the worst",
        name,
    )


def tiles(pixels):
    """The picture in two rows of four parts."""
    import numpy as np

    rows = np.array_split(pixels, 2, axis=0)
    return [part for row in rows for part in np.array_split(row, 4, axis=1)]


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/95.jpeg")
print(picture.size, picture.mode)
""",
        """
from PIL import ImageEnhance

stronger = ImageEnhance.Contrast(picture).enhance(1.5)
stronger.save("./output/95.png")
""",
    ],
    "answer": "对比度已提高到 1.5 倍，结果保存为 ./output/95.png。",
}
WRONG = {
    "less": {
        "why": "lowers the contrast",
        "cells": [
            """
from PIL import Image, ImageEnhance

ImageEnhance.Contrast(Image.open("./data/95.jpeg")).enhance(0.5).save("./output/95.png")
"""
        ],
        "answer": "对比度已增加。",
    },
    "only-brighter": {
        "why": "multiplies everything, which drives this bright picture into white",
        "cells": [
            """
import cv2

picture = cv2.imread("./data/95.jpeg")
cv2.imwrite("./output/95.png", cv2.convertScaleAbs(picture, alpha=1.5, beta=0))
"""
        ],
        "answer": "对比度已增加，保存为 ./output/95.png。",
    },
    "more-saturated": {
        "why": "raises the saturation of the heading and leaves the text as it was",
        "cells": [
            """
from PIL import Image, ImageEnhance

ImageEnhance.Color(Image.open("./data/95.jpeg")).enhance(2).save("./output/95.png")
"""
        ],
        "answer": "对比度已增加。",
    },
}
