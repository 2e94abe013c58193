# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Take the background out of a photograph of a toy washing machine."""

from runner.checks import Case

INDEX = "88"
TITLE = "Background removed"
CATEGORY = "image"
OUTPUTS = ["88.png"]
NOTE = "Transparent, or filled with one colour. The red toy must stay; floor and walls (the colourless areas that reach the picture's border, half of it) must go. What becomes of the hand, the handle, the lettering and the other toys is left open."


def check(case: Case) -> None:
    import cv2

    from runner.checks.pictures import cutouts, edits

    source = edits.original(case, "88.jpeg")
    hue, saturation, value = cv2.split(cv2.cvtColor(source, cv2.COLOR_RGB2HSV))
    is_red = ((hue < 8) | (hue > 172)) & (saturation > 150) & (value > 110)
    toy = cutouts.hull(cutouts.largest(is_red)) & (saturation > 100)  # its door's ring, too
    plain = cutouts.at_the_border(saturation < 50) & ~cutouts.grown(toy, 12)
    cutouts.expect_cut_out(case, "88.png", source, toy, plain, least_gone=0.75)
    beside = cutouts.box_of(toy) & plain
    removed = cutouts.read(case, "88.png", source)[1]
    gone = float(removed[beside].mean())
    case.expect(
        "removed beside the toy", gone >= 0.5, "half of it or more", f"{gone:.0%}", "88.png"
    )


REFERENCE = {
    "cells": [
        """
import cv2
import numpy as np

picture = cv2.imread("./data/88.jpeg")
small = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)  # GrabCut is slow
height, width = small.shape[:2]
hsv = cv2.cvtColor(small, cv2.COLOR_BGR2HSV)
red = ((hsv[..., 0] < 8) | (hsv[..., 0] > 172)) & (hsv[..., 1] > 150) & (hsv[..., 2] > 110)
count, labels, stats, _ = cv2.connectedComponentsWithStats(red.astype(np.uint8))
print(width, height, stats[np.argsort(-stats[:, 4])][:4])
""",
        """
x, y, w, h, _ = stats[1:][np.argmax(stats[1:, 4])]
margin = 20
box = (max(0, x - margin), 0, min(width, w + 2 * margin), min(height, y + h + margin))
mask = np.zeros((height, width), np.uint8)
cv2.grabCut(small, mask, box, np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_RECT)
front = np.isin(mask, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
front = cv2.resize(front, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR) > 0
print(front.mean())
""",
        """
result = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
result[..., 3] = np.where(front, 255, 0)
cv2.imwrite("./output/88.png", result)
""",
    ],
    "answer": "I cut the toy washing machine out and made the background transparent: ./output/88.png.",
}
WRONG = {
    "box-of-everything": {
        "why": "gives GrabCut nearly the whole picture as the object, so that the floor stays",
        "cells": [
            """
import cv2
import numpy as np

picture = cv2.imread("./data/88.jpeg")
small = cv2.resize(picture, None, fx=0.5, fy=0.5)
mask = np.zeros(small.shape[:2], np.uint8)
box = (5, 5, small.shape[1] - 5, small.shape[0] - 5)
cv2.grabCut(small, mask, box, np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_RECT)
front = cv2.resize(np.isin(mask, (1, 3)).astype(np.uint8), picture.shape[1::-1])
cv2.imwrite("./output/88.png", picture * front[..., None])
"""
        ],
        "answer": "The background of the image has been removed.",
    },
    "only-pure-white": {
        "why": "makes nearly white pixels transparent, of which this background has few",
        "cells": [
            """
import numpy as np
from PIL import Image

pixels = np.array(Image.open("./data/88.jpeg").convert("RGBA"))
pixels[(pixels[..., :3] > 240).all(axis=-1), 3] = 0
Image.fromarray(pixels).save("./output/88.png")
"""
        ],
        "answer": "The background has been made transparent and saved to ./output/88.png.",
    },
    "inverted": {
        "why": "keeps the background and takes out the toy",
        "cells": [
            """
import cv2
import numpy as np

picture = cv2.imread("./data/88.jpeg")
hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
picture[hsv[..., 1] > 60] = 0
cv2.imwrite("./output/88.png", picture)
"""
        ],
        "answer": "Background removed.",
    },
    "alpha-unused": {
        "why": "adds an alpha channel but leaves it opaque",
        "cells": [
            """
from PIL import Image

Image.open("./data/88.jpeg").convert("RGBA").save("./output/88.png")
"""
        ],
        "answer": "The background is transparent now.",
    },
}
