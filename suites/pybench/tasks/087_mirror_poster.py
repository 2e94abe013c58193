# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Mirror a poster left to right."""

from runner.checks import Case

INDEX = "87"
TITLE = "Horizontal flip"
CATEGORY = "image"
OUTPUTS = ["87.png"]


def check(case: Case) -> None:
    from runner.checks.pictures import edits

    source = edits.original(case, "87.jpeg")
    edits.expect_turned(case, "87.png", source, ["mirrored left to right"])


REFERENCE = {
    "cells": [
        """
from PIL import Image, ImageOps

picture = Image.open("./data/87.jpeg")
print(picture.size, picture.mode)
""",
        """
ImageOps.mirror(picture).save("./output/87.png")
""",
    ],
    "answer": "I mirrored the picture left to right and saved it as ./output/87.png.",
}
WRONG = {
    "flipped-upside-down": {
        "why": "takes horizontally for about the horizontal axis",
        "cells": [
            """
from PIL import Image, ImageOps

ImageOps.flip(Image.open("./data/87.jpeg")).save("./output/87.png")
"""
        ],
        "answer": "The image has been flipped horizontally.",
    },
    "grey": {
        "why": "reads the picture without its colours",
        "cells": [
            """
import cv2

cv2.imwrite("./output/87.png", cv2.flip(cv2.imread("./data/87.jpeg", 0), 1))
"""
        ],
        "answer": "The image has been flipped horizontally and saved to ./output/87.png.",
    },
    "figure": {
        "why": "saves a figure with the mirrored picture inside axes and margins",
        "cells": [
            """
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

plt.imshow(np.fliplr(np.asarray(Image.open("./data/87.jpeg"))))
plt.savefig("./output/87.png")
"""
        ],
        "answer": "Flipped and saved.",
    },
}
