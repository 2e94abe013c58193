# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Mirror a photograph left to right."""

from runner.checks import Case

INDEX = "86"
TITLE = "图片左右翻转"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["86.png"]


def check(case: Case) -> None:
    from runner.checks.pictures import edits

    source = edits.original(case, "86.jpeg")
    edits.expect_turned(case, "86.png", source, ["mirrored left to right"])


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/86.jpeg")
print(picture.size, picture.mode)
""",
        """
picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT).save("./output/86.png")
""",
    ],
    "answer": "图片已左右翻转，保存为 ./output/86.png。",
}
WRONG = {
    "upside-down": {
        "why": "flips about the wrong axis",
        "cells": [
            """
import cv2

cv2.imwrite("./output/86.png", cv2.flip(cv2.imread("./data/86.jpeg"), 0))
"""
        ],
        "answer": "图片已左右翻转。",
    },
    "half-turn": {
        "why": "turns by 180 degrees",
        "cells": [
            """
from PIL import Image

Image.open("./data/86.jpeg").rotate(180).save("./output/86.png")
"""
        ],
        "answer": "图片已翻转，保存为 ./output/86.png。",
    },
    "channels-swapped": {
        "why": "mirrors OpenCV's blue-first array along its last axis as well",
        "cells": [
            """
import cv2
import numpy as np

picture = cv2.imread("./data/86.jpeg")
cv2.imwrite("./output/86.png", np.flip(picture, axis=(1, 2)))
"""
        ],
        "answer": "图片已左右翻转。",
    },
}
