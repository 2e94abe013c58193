# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Raise the brightness of a photograph."""

from runner.checks import Case

INDEX = "93"
TITLE = "A brighter picture"
CATEGORY = "image"
OUTPUTS = ["93.png"]
NOTE = "By how much is left open: 4 % or more, in any way that leaves no pixel darker and the photograph recognisable in its colours."


def check(case: Case) -> None:
    from runner.checks.pictures import edits

    name = "93.png"
    source, actual = edits.original(case, "93.jpeg"), edits.read(case, name)
    edits.require_same_size(case, actual, source, name)
    means = [float(edits.brightness(p).mean()) for p in (actual, source)]
    peaks = [float(p.max(axis=-1).mean()) for p in (actual, source)]
    edits.expect_changed(case, "mean brightness", *means, 1.04, 3.2, name)
    edits.expect_changed(case, "mean of the strongest channel", *peaks, 1.03, 3, name)
    spreads = edits.contrast(actual), edits.contrast(source)
    edits.expect_changed(case, "spread of the brightness", *spreads, 0.25, 3, name)
    darker, brighter = edits.share_moved(actual, source)
    case.expect(
        "pixels brighter",
        brighter >= 0.6 and darker <= 0.05,
        expected="60 % or more brighter, 5 % at most darker",
        actual=f"{brighter:.0%} brighter, {darker:.0%} darker",
        file=name,
    )
    edits.expect_kept(case, actual, source, name, broad=0.8, fine=0.7, colours=0.65)


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/93.jpeg")
print(picture.size, picture.mode)
""",
        """
from PIL import ImageEnhance

brighter = ImageEnhance.Brightness(picture).enhance(1.4)
brighter.save("./output/93.png")
""",
    ],
    "answer": "I raised the brightness by 40 % and saved the result as ./output/93.png.",
}
WRONG = {
    "wraps-round": {
        "why": "adds to unsigned bytes, so that bright pixels wrap round to dark ones",
        "cells": [
            """
import numpy as np
from PIL import Image

picture = np.asarray(Image.open("./data/93.jpeg"))
Image.fromarray(picture + np.uint8(60)).save("./output/93.png")
"""
        ],
        "answer": "The brightness has been increased by 60.",
    },
    "not-saved": {
        "why": "saves the picture as it was opened",
        "cells": [
            """
from PIL import Image, ImageEnhance

picture = Image.open("./data/93.jpeg")
ImageEnhance.Brightness(picture).enhance(1.5)
picture.save("./output/93.png")
"""
        ],
        "answer": "I have increased the brightness of the image.",
    },
    "channels-swapped": {
        "why": "converts to red-first before OpenCV writes the file, so that blue and red change places",
        "cells": [
            """
import cv2

picture = cv2.cvtColor(cv2.imread("./data/93.jpeg"), cv2.COLOR_BGR2RGB)
cv2.imwrite("./output/93.png", cv2.convertScaleAbs(picture, alpha=1.2, beta=30))
"""
        ],
        "answer": "Brightness increased.",
    },
}
