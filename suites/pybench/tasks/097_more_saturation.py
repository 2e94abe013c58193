# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Raise the saturation of an advertisement."""

from runner.checks import Case

INDEX = "97"
TITLE = "More saturation"
CATEGORY = "image"
OUTPUTS = ["97.png"]
NOTE = "By how much is left open: 5 % or more, with brightness and hues kept."


def check(case: Case) -> None:
    from runner.checks.pictures import edits

    name = "97.png"
    source, actual = edits.original(case, "97.jpeg"), edits.read(case, name)
    edits.require_same_size(case, actual, source, name)
    edits.expect_tones(
        case,
        actual,
        source,
        name,
        colourfulness=(1.05, 4),
        brightness_mean=(0.7, 1.1),
        brightness_spread=(0.75, 1.15),
    )
    edits.expect_kept(case, actual, source, name, broad=0.9, fine=0.85, colours=0.8)


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/97.jpeg")
print(picture.size, picture.mode)
""",
        """
from PIL import ImageEnhance

richer = ImageEnhance.Color(picture).enhance(1.5)
richer.save("./output/97.png")
""",
    ],
    "answer": "I raised the saturation to 1.5 times and saved the picture as ./output/97.png.",
}
WRONG = {
    "wraps-round": {
        "why": "multiplies the saturation in unsigned bytes, so that strong colours wrap round to pale ones",
        "cells": [
            """
import cv2
import numpy as np

hsv = cv2.cvtColor(cv2.imread("./data/97.jpeg"), cv2.COLOR_BGR2HSV)
hsv[..., 1] = hsv[..., 1] * np.uint8(2)
cv2.imwrite("./output/97.png", cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))
"""
        ],
        "answer": "The saturation has been increased.",
    },
    "brightness-instead": {
        "why": "brightens the picture",
        "cells": [
            """
from PIL import Image, ImageEnhance

ImageEnhance.Brightness(Image.open("./data/97.jpeg")).enhance(1.3).save("./output/97.png")
"""
        ],
        "answer": "The saturation has been increased and saved to ./output/97.png.",
    },
    "hue-turned": {
        "why": "takes the first channel of HSV, which is the hue, for the saturation",
        "cells": [
            """
import cv2

hsv = cv2.cvtColor(cv2.imread("./data/97.jpeg"), cv2.COLOR_BGR2HSV)
hsv[..., 0] = cv2.multiply(hsv[..., 0], 1.5)
cv2.imwrite("./output/97.png", cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))
"""
        ],
        "answer": "Saturation increased by 50 %.",
    },
}
