# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Take the sea, a map's background, out of the map."""

from runner.checks import Case

INDEX = "89"
TITLE = "删除地图背景"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["89.png"]
NOTE = "The background is the sea, the commonest colour; the foreground is the land. Transparent, or filled with one other colour; names and lines on the sea may stay."


LEAST_CHANGE = 40  # levels from the sea's blue to what it is filled with


def check(case: Case) -> None:
    import numpy as np

    from runner.checks.pictures import cutouts, edits, images

    source = edits.original(case, "89.jpeg")
    sea = images.commonest(source.reshape(-1, 3))
    is_sea = np.abs(source.astype(np.int16) - sea).max(axis=-1) <= 24
    land = cutouts.grown(cutouts.largest(~is_sea), -2)
    water = cutouts.grown(cutouts.largest(is_sea), -2)
    cutouts.expect_cut_out(case, "89.png", source, land, water, 0.9, least_change=LEAST_CHANGE)


REFERENCE = {
    "cells": [
        """
import numpy as np
from PIL import Image

picture = np.array(Image.open("./data/89.jpeg").convert("RGB"))
colours, counts = np.unique(picture.reshape(-1, 3) // 16, axis=0, return_counts=True)
print(picture.shape, colours[np.argsort(-counts)][:5] * 16, np.sort(counts)[::-1][:5])
""",
        """
sea = np.median(picture[(picture // 16 == colours[counts.argmax()]).all(axis=-1)], axis=0)
is_sea = np.abs(picture - sea).max(axis=-1) <= 40
result = np.dstack([picture, np.where(is_sea, 0, 255).astype(np.uint8)])
Image.fromarray(result).save("./output/89.png")
print(sea, is_sea.mean())
""",
    ],
    "answer": "已把海洋背景变为透明，只保留陆地，保存为 ./output/89.png。",
}
WRONG = {
    "otsu": {
        "why": "splits by brightness, which takes a part of the land for background",
        "cells": [
            """
import cv2

picture = cv2.imread("./data/89.jpeg")
grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
_, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
cv2.imwrite("./output/89.png", cv2.bitwise_and(picture, picture, mask=mask))
"""
        ],
        "answer": "已删除背景，只保留前景。",
    },
    "mask-saved": {
        "why": "saves the black and white mask instead of the land",
        "cells": [
            """
import cv2

picture = cv2.imread("./data/89.jpeg")
hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
cv2.imwrite("./output/89.png", 255 - cv2.inRange(hsv, (100, 60, 120), (125, 255, 255)))
"""
        ],
        "answer": "背景已删除，保存为 ./output/89.png。",
    },
    "land-removed": {
        "why": "keeps the sea instead of the land",
        "cells": [
            """
import cv2

picture = cv2.imread("./data/89.jpeg")
hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
mask = cv2.inRange(hsv, (100, 60, 120), (125, 255, 255))
cv2.imwrite("./output/89.png", cv2.bitwise_and(picture, picture, mask=mask))
"""
        ],
        "answer": "已保留前景。",
    },
}
