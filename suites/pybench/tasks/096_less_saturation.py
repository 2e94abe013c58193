# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Lower the saturation of a poster."""

from runner.checks import Case

INDEX = "96"
TITLE = "降低图片饱和度"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["96.png"]
NOTE = "By how much is left open: 5 % or more, with brightness kept. A picture without any colour left goes further than the query asks and fails."


def check(case: Case) -> None:
    from runner.checks.pictures import edits

    name = "96.png"
    source, actual = edits.original(case, "96.jpeg"), edits.read(case, name)
    edits.require_same_size(case, actual, source, name)
    edits.expect_tones(
        case,
        actual,
        source,
        name,
        colourfulness=(0.09, 0.95),
        brightness_mean=(0.85, 1.25),
        brightness_spread=(0.85, 1.2),
    )
    edits.expect_kept(case, actual, source, name, broad=0.9, fine=0.9, colours=0.7)


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/96.jpeg")
print(picture.size, picture.mode)
""",
        """
from PIL import ImageEnhance

paler = ImageEnhance.Color(picture).enhance(0.5)
paler.save("./output/96.png")
""",
    ],
    "answer": "饱和度已降到原来的一半，结果保存为 ./output/96.png。",
}
WRONG = {
    "grey": {
        "why": "takes all colour out",
        "cells": [
            """
from PIL import Image

Image.open("./data/96.jpeg").convert("L").save("./output/96.png")
"""
        ],
        "answer": "饱和度已降低，保存为 ./output/96.png。",
    },
    "value-instead": {
        "why": "scales the third channel of HSV, which is the brightness",
        "cells": [
            """
import cv2
import numpy as np

hsv = cv2.cvtColor(cv2.imread("./data/96.jpeg"), cv2.COLOR_BGR2HSV)
hsv[..., 2] = (hsv[..., 2] * 0.5).astype(np.uint8)
cv2.imwrite("./output/96.png", cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))
"""
        ],
        "answer": "饱和度已降低。",
    },
    "hsv-saved-as-bgr": {
        "why": "writes the HSV array without converting it back",
        "cells": [
            """
import cv2
import numpy as np

hsv = cv2.cvtColor(cv2.imread("./data/96.jpeg"), cv2.COLOR_BGR2HSV)
hsv[..., 1] = (hsv[..., 1] * 0.5).astype(np.uint8)
cv2.imwrite("./output/96.png", hsv)
"""
        ],
        "answer": "饱和度已降低。",
    },
}
