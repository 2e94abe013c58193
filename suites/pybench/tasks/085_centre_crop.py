# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Crop a square from the centre of a picture."""

from runner.checks import Case

INDEX = "85"
TITLE = "300 × 300 from the centre"
CATEGORY = "image"
OUTPUTS = ["85.png"]

SIDE = 300  # as the query says


def check(case: Case) -> None:
    from runner.checks.pictures import edits, images, placement

    name = "85.png"
    source = edits.original(case, "85.jpeg")
    actual = edits.read(case, name)
    images.require_size(case, actual, SIDE, SIDE, name)
    left, top = placement.require_cut_from(case, actual, source, name)
    wanted = (source.shape[1] - SIDE) / 2, (source.shape[0] - SIDE) / 2
    case.expect(
        "from the centre",
        abs(left - wanted[0]) <= 1 and abs(top - wanted[1]) <= 1,
        expected=f"top left corner at {wanted[0]:g}, {wanted[1]:g}",
        actual=f"at {left}, {top}",
        file=name,
    )


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/85.jpeg")
width, height = picture.size
print(width, height)
""",
        """
left, top = (width - 300) // 2, (height - 300) // 2
part = picture.crop((left, top, left + 300, top + 300))
part.save("./output/85.png")
print(part.size)
""",
    ],
    "answer": "I cropped 300 × 300 pixels from the centre and saved them as ./output/85.png.",
}
WRONG = {
    "top-left": {
        "why": "cuts from the top left corner",
        "cells": [
            """
from PIL import Image

Image.open("./data/85.jpeg").crop((0, 0, 300, 300)).save("./output/85.png")
"""
        ],
        "answer": "Cropped a 300*300 area from the center.",
    },
    "axes-swapped": {
        "why": "takes the array's first axis for the width",
        "cells": [
            """
import cv2

picture = cv2.imread("./data/85.jpeg")
width, height = picture.shape[:2]
left, top = (width - 300) // 2, (height - 300) // 2
cv2.imwrite("./output/85.png", picture[top:top + 300, left:left + 300])
"""
        ],
        "answer": "The center area has been cropped and saved to ./output/85.png.",
    },
    "resized": {
        "why": "squeezes the whole picture into 300 × 300",
        "cells": [
            """
from PIL import Image

Image.open("./data/85.jpeg").resize((300, 300)).save("./output/85.png")
"""
        ],
        "answer": "The picture is now 300*300.",
    },
}
