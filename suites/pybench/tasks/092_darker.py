# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Lower the brightness of a photograph."""

from runner.checks import Case

INDEX = "92"
TITLE = "降低图片亮度"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["92.png"]
NOTE = "By how much is left open: 4 % or more and down to a fifth, in any way that leaves no pixel brighter and the photograph recognisable in its colours."


def check(case: Case) -> None:
    from runner.checks.pictures import edits

    name = "92.png"
    source, actual = edits.original(case, "92.jpeg"), edits.read(case, name)
    edits.require_same_size(case, actual, source, name)
    means = [float(edits.brightness(p).mean()) for p in (actual, source)]
    peaks = [float(p.max(axis=-1).mean()) for p in (actual, source)]
    edits.expect_changed(case, "mean brightness", *means, 0.2, 0.96, name)
    edits.expect_changed(case, "mean of the strongest channel", *peaks, 0.2, 0.96, name)
    darker, brighter = edits.share_moved(actual, source)
    case.expect(
        "pixels darker",
        darker >= 0.7 and brighter <= 0.05,
        expected="70 % or more darker, 5 % at most brighter",
        actual=f"{darker:.0%} darker, {brighter:.0%} brighter",
        file=name,
    )
    edits.expect_kept(case, actual, source, name, broad=0.8, fine=0.7, colours=0.65)


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/92.jpeg")
print(picture.size, picture.mode)
""",
        """
from PIL import ImageEnhance

darker = ImageEnhance.Brightness(picture).enhance(0.6)
darker.save("./output/92.png")
""",
    ],
    "answer": "亮度已降到原来的 60%，结果保存为 ./output/92.png。",
}
WRONG = {
    "wraps-round": {
        "why": "subtracts from unsigned bytes, so that dark pixels wrap round to bright ones",
        "cells": [
            """
import cv2
import numpy as np

picture = cv2.imread("./data/92.jpeg")
cv2.imwrite("./output/92.png", picture - np.uint8(80))
"""
        ],
        "answer": "亮度已调低。",
    },
    "brighter": {
        "why": "takes the factor the wrong way round",
        "cells": [
            """
from PIL import Image, ImageEnhance

picture = Image.open("./data/92.jpeg")
ImageEnhance.Brightness(picture).enhance(1.5).save("./output/92.png")
"""
        ],
        "answer": "亮度已调低，保存为 ./output/92.png。",
    },
    "contrast-instead": {
        "why": "raises the contrast, which only makes the dark parts darker",
        "cells": [
            """
from PIL import Image, ImageEnhance

picture = Image.open("./data/92.jpeg")
ImageEnhance.Contrast(picture).enhance(2.5).save("./output/92.png")
"""
        ],
        "answer": "亮度已调低，保存为 ./output/92.png。",
    },
    "grey": {
        "why": "reads the picture without its colours",
        "cells": [
            """
import cv2

picture = cv2.imread("./data/92.jpeg", cv2.IMREAD_GRAYSCALE)
cv2.imwrite("./output/92.png", cv2.convertScaleAbs(picture, alpha=0.6))
"""
        ],
        "answer": "亮度已调低。",
    },
}
