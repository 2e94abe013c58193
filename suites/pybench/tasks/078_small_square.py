# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Resize a picture to a small square."""

from runner.checks import Case

INDEX = "78"
TITLE = "A picture of 224 × 224"
CATEGORY = "image"
OUTPUTS = ["78.png"]
NOTE = "Any resampling will do; the whole picture must be there, in its colours."

WIDTH, HEIGHT = 224, 224  # as the query says


def check(case: Case) -> None:
    from runner.checks.pictures import edits

    source = edits.original(case, "78.jpeg")
    actual = edits.read(case, "78.png")
    expected = edits.scaled(source, WIDTH, HEIGHT)
    edits.expect_same_picture(case, actual, expected, "78.png", tolerance=7, exact=False)


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/78.jpeg")
print(picture.size, picture.mode)
""",
        """
small = picture.resize((224, 224), Image.Resampling.LANCZOS)
small.save("./output/78.png")
print(Image.open("./output/78.png").size)
""",
    ],
    "answer": "The picture is now 224 × 224 pixels and saved as ./output/78.png.",
}
WRONG = {
    "cropped": {
        "why": "cuts 224 × 224 out of the middle instead of resizing",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/78.jpeg")
left, top = (picture.width - 224) // 2, (picture.height - 224) // 2
picture.crop((left, top, left + 224, top + 224)).save("./output/78.png")
"""
        ],
        "answer": "The picture has been resized to 224 × 224.",
    },
    "channels-swapped": {
        "why": "turns the channels round before OpenCV writes them, so that blue and red change places",
        "cells": [
            """
import cv2

picture = cv2.imread("./data/78.jpeg")
picture = cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)
cv2.imwrite("./output/78.png", cv2.resize(picture, (224, 224)))
"""
        ],
        "answer": "Resized and saved as ./output/78.png.",
    },
    "saved-before": {
        "why": "saves the picture that was opened, not the resized one",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/78.jpeg")
picture.resize((224, 224))
picture.save("./output/78.png")
"""
        ],
        "answer": "The image has been resized to 224 × 224 and saved.",
    },
}
