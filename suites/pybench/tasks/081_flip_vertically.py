# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Flip a picture vertically."""

from runner.checks import Case

INDEX = "81"
TITLE = "Vertical flip"
CATEGORY = "image"
OUTPUTS = ["81.png"]


def check(case: Case) -> None:
    from runner.checks.pictures import edits

    source = edits.original(case, "81.jpeg")
    edits.expect_turned(case, "81.png", source, ["flipped upside down"])


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/81.jpeg")
print(picture.size, picture.mode)
""",
        """
picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM).save("./output/81.png")
""",
    ],
    "answer": "I flipped the picture top to bottom and saved it as ./output/81.png.",
}
WRONG = {
    "half-turn": {
        "why": "turns the picture by 180 degrees, which also swaps left and right",
        "cells": [
            """
from PIL import Image

Image.open("./data/81.jpeg").rotate(180).save("./output/81.png")
"""
        ],
        "answer": "The image has been flipped vertically.",
    },
    "wrong-axis": {
        "why": "passes OpenCV the code that mirrors about the vertical axis",
        "cells": [
            """
import cv2

cv2.imwrite("./output/81.png", cv2.flip(cv2.imread("./data/81.jpeg"), 1))
"""
        ],
        "answer": "The image has been flipped vertically and saved to ./output/81.png.",
    },
}
