# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Turn a picture by 90 degrees to the left."""

from runner.checks import Case

INDEX = "80"
TITLE = "图片向左旋转 90 度"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["80.png"]


def check(case: Case) -> None:
    from runner.checks.pictures import edits

    source = edits.original(case, "80.jpeg")
    edits.expect_turned(case, "80.png", source, ["turned left"])


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/80.jpeg")
print(picture.size, picture.mode)
""",
        """
turned = picture.rotate(90, expand=True)
turned.save("./output/80.png")
print(turned.size)
""",
    ],
    "answer": "图片已向左（逆时针）旋转 90 度，保存为 ./output/80.png。",
}
WRONG = {
    "turned-right": {
        "why": "turns clockwise",
        "cells": [
            """
import cv2

picture = cv2.imread("./data/80.jpeg")
cv2.imwrite("./output/80.png", cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE))
"""
        ],
        "answer": "图片已向左旋转 90 度。",
    },
    "cut-off": {
        "why": "turns inside the old frame, which cuts both ends off",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/80.jpeg")
picture.rotate(90).save("./output/80.png")
"""
        ],
        "answer": "图片已向左旋转 90 度，保存为 ./output/80.png。",
    },
    "transposed": {
        "why": "swaps the axes of the array, which also mirrors the picture",
        "cells": [
            """
import numpy as np
from PIL import Image

picture = np.asarray(Image.open("./data/80.jpeg"))
Image.fromarray(np.ascontiguousarray(picture.transpose(1, 0, 2))).save("./output/80.png")
"""
        ],
        "answer": "已旋转并保存。",
    },
}
