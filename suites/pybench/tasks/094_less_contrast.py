# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Lower the contrast of a photograph."""

from runner.checks import Case

INDEX = "94"
TITLE = "Less contrast"
CATEGORY = "image"
OUTPUTS = ["94.png"]
NOTE = "By how much is left open: 5 % or more, around the mean, around middle grey or by a plain factor; some contrast must be left."


def check(case: Case) -> None:
    from runner.checks.pictures import edits

    name = "94.png"
    source, actual = edits.original(case, "94.jpeg"), edits.read(case, name)
    edits.require_same_size(case, actual, source, name)
    spreads = edits.contrast(actual), edits.contrast(source)
    edits.expect_changed(case, "spread of the brightness", *spreads, 0.14, 0.95, name)
    relative = [
        edits.contrast(p) / max(float(edits.brightness(p).mean()), 1) for p in (actual, source)
    ]
    edits.expect_changed(
        case, "spread relative to the mean brightness", *relative, 0.05, 1.05, name
    )
    step = edits.slope(actual, source)
    case.expect(
        "brightness differences between pixels",
        0.1 <= step <= 0.95,
        expected="0.1 to 0.95 times those of the input",
        actual=f"{step:.2f} times",
        file=name,
    )
    edits.expect_kept(case, actual, source, name, broad=0.9, fine=0.93, colours=0.7)


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/94.jpeg")
print(picture.size, picture.mode)
""",
        """
from PIL import ImageEnhance

flatter = ImageEnhance.Contrast(picture).enhance(0.5)
flatter.save("./output/94.png")
""",
    ],
    "answer": "I halved the contrast and saved the picture as ./output/94.png.",
}
WRONG = {
    "more": {
        "why": "raises the contrast",
        "cells": [
            """
from PIL import Image, ImageEnhance

ImageEnhance.Contrast(Image.open("./data/94.jpeg")).enhance(1.5).save("./output/94.png")
"""
        ],
        "answer": "The contrast has been decreased.",
    },
    "brightness-shifted": {
        "why": "adds to every pixel, which leaves the differences between them as they were",
        "cells": [
            """
import cv2

picture = cv2.imread("./data/94.jpeg")
cv2.imwrite("./output/94.png", cv2.convertScaleAbs(picture, alpha=1, beta=60))
"""
        ],
        "answer": "Contrast decreased and saved as ./output/94.png.",
    },
    "darkened": {
        "why": "darkens with a power curve, after which light and dark lie further apart relative to the mean",
        "cells": [
            """
import numpy as np
from PIL import Image

levels = np.asarray(Image.open("./data/94.jpeg")) / 255
Image.fromarray((255 * levels**2).astype(np.uint8)).save("./output/94.png")
"""
        ],
        "answer": "Decreased the contrast of the image.",
    },
    "blurred": {
        "why": "blurs the picture, which evens its brightness out but is another change",
        "cells": [
            """
from PIL import Image, ImageFilter

Image.open("./data/94.jpeg").filter(ImageFilter.GaussianBlur(6)).save("./output/94.png")
"""
        ],
        "answer": "The contrast is lower now.",
    },
}
