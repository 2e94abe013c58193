# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Blur a picture with a Gaussian."""

from runner.checks import Case

INDEX = "98"
TITLE = "高斯模糊"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["98.png"]
NOTE = "Any strength that halves the fine detail, up to a sigma of 28 pixels; the kernel may cut the bell off, but a box, a median or a coarser picture is no Gaussian blur."


MOST_SIGMA_PX = 28.0


def check(case: Case) -> None:
    from runner.checks.pictures import edits, filters, images

    name = "98.png"
    source, actual = edits.original(case, "98.jpeg"), edits.read(case, name)
    edits.require_same_size(case, actual, source, name)
    detail = images.detail(actual), images.detail(source)
    edits.expect_changed(case, "fine detail", *detail, 0.001, 0.6, name)
    sigma, miss = filters.gaussian_fit(actual, source)
    case.expect(
        "like a Gaussian blur of the input",
        miss <= 0.065,
        expected="6.5 % of the change unexplained at most",
        actual=f"{miss:.1%} (sigma {sigma:.1f} px)" if sigma else f"{miss:.1%}",
        file=name,
    )
    case.expect(
        "something to be made out",
        sigma <= MOST_SIGMA_PX,
        expected=f"a sigma of {MOST_SIGMA_PX:g} pixels or less",
        actual=f"{sigma:.1f}",
        file=name,
        message=f"Nothing of the picture can be made out in {name}.",
    )
    images.expect_alike(
        case, "colours", *(images.smooth(p, 15) for p in (actual, source)), 12, name
    )


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/98.jpeg")
print(picture.size, picture.mode)
""",
        """
from PIL import ImageFilter

blurred = picture.filter(ImageFilter.GaussianBlur(radius=4))
blurred.save("./output/98.png")
""",
    ],
    "answer": "已加上半径 4 像素的高斯模糊，保存为 ./output/98.png。",
}
WRONG = {
    "median": {
        "why": "takes the median filter",
        "cells": [
            """
import cv2

cv2.imwrite("./output/98.png", cv2.medianBlur(cv2.imread("./data/98.jpeg"), 9))
"""
        ],
        "answer": "已添加高斯模糊。",
    },
    "box": {
        "why": "takes the mean over a square, which is not a Gaussian",
        "cells": [
            """
import cv2

cv2.imwrite("./output/98.png", cv2.blur(cv2.imread("./data/98.jpeg"), (9, 9)))
"""
        ],
        "answer": "已添加高斯模糊，保存为 ./output/98.png。",
    },
    "noise": {
        "why": "adds Gaussian noise instead",
        "cells": [
            """
import numpy as np
from PIL import Image

picture = np.asarray(Image.open("./data/98.jpeg")).astype(float)
noisy = picture + np.random.default_rng(1).normal(0, 20, picture.shape)
Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save("./output/98.png")
"""
        ],
        "answer": "已添加高斯模糊。",
    },
    "not-saved": {
        "why": "saves the picture as it was",
        "cells": [
            """
from PIL import Image, ImageFilter

picture = Image.open("./data/98.jpeg")
picture.filter(ImageFilter.GaussianBlur(5))
picture.save("./output/98.png")
"""
        ],
        "answer": "已给图片加高斯模糊。",
    },
}
