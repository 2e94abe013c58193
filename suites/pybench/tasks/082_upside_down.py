# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Turn a picture upside down."""

from runner.checks import Case

INDEX = "82"
TITLE = "A picture upside down"
CATEGORY = "image"
OUTPUTS = ["82.png"]
NOTE = "Upside down may be a flip or a half turn: both are accepted."


def check(case: Case) -> None:
    from runner.checks.pictures import edits

    source = edits.original(case, "82.jpeg")
    edits.expect_turned(case, "82.png", source, ["flipped upside down", "turned by half"])


REFERENCE = {
    "cells": [
        """
from PIL import Image, ImageOps

picture = Image.open("./data/82.jpeg")
print(picture.size, picture.mode)
""",
        """
ImageOps.flip(picture).save("./output/82.png")
""",
    ],
    "answer": "The picture now stands upside down; it is saved as ./output/82.png.",
}
WRONG = {
    "mirrored": {
        "why": "swaps left and right",
        "cells": [
            """
from PIL import Image

Image.open("./data/82.jpeg").transpose(Image.Transpose.FLIP_LEFT_RIGHT).save("./output/82.png")
"""
        ],
        "answer": "Turned the image upside down.",
    },
    "unsaved-flip": {
        "why": "flips a copy and saves the picture as it was",
        "cells": [
            """
import numpy as np
from PIL import Image

picture = Image.open("./data/82.jpeg")
np.flipud(np.asarray(picture))
picture.save("./output/82.png")
"""
        ],
        "answer": "The image has been turned up to down and saved.",
    },
}
