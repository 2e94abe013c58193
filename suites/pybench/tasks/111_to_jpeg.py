# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Convert a picture to JPEG."""

from runner.checks import Case

INDEX = "111"
TITLE = "A picture as JPEG"
CATEGORY = "image"
OUTPUTS = ["111.jpeg"]
NOTE = "The input is a JPEG already; any quality that leaves the picture as it looks will do."
DEGENERATE = "The released input is a JPEG already: a faithful copy is the answer."


def check(case: Case) -> None:
    from runner.checks.pictures import edits, images

    source = edits.original(case, "111.jpeg")
    turn = images.orientation(case, "111.jpeg")
    case.expect(
        "upright in a viewer",
        turn in (0, 1),
        "no orientation tag that turns it",
        turn,
        "111.jpeg",
        f"111.jpeg has an orientation tag ({turn}) that turns it in a viewer.",
    )
    actual = edits.read(case, "111.jpeg", "JPEG")
    edits.expect_same_picture(case, actual, source, "111.jpeg", tolerance=5)


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/111.jpeg")
print(picture.size, picture.mode, picture.format)
""",
        """
picture.convert("RGB").save("./output/111.jpeg", "JPEG", quality=95)
print(Image.open("./output/111.jpeg").format)
""",
    ],
    "answer": "The picture was a JPEG already; I saved it as JPEG again, ./output/111.jpeg.",
}
WRONG = {
    "png-inside": {
        "why": "saves PNG data under the name that ends in .jpeg",
        "cells": [
            """
from PIL import Image

Image.open("./data/111.jpeg").save("./output/111.jpeg", "PNG")
"""
        ],
        "answer": "Converted to JPEG and saved as ./output/111.jpeg.",
    },
    "negative": {
        "why": "turns every level round on the way, into a negative",
        "cells": [
            """
import cv2
from PIL import Image

picture = cv2.imread("./data/111.jpeg")
Image.fromarray(255 - picture).save("./output/111.jpeg")
"""
        ],
        "answer": "Converted to JPEG.",
    },
    "thumbnail": {
        "why": "makes the picture smaller on the way",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/111.jpeg")
picture.thumbnail((256, 256))
picture.save("./output/111.jpeg", "JPEG")
"""
        ],
        "answer": "The picture has been converted to JPEG and saved to ./output/111.jpeg.",
    },
}
