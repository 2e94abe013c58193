# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Detect the edges of the person in a film still."""

from runner.checks import Case

INDEX = "102"
TITLE = "Edges of a body"
CATEGORY = "image"
OUTPUTS = ["102.png"]
NOTE = "The edges within the body and its outline are judged, from any detector, alone or with those of the rain, on a plain ground or over the picture; a line around the body is fine too."

BODY = [
    (50, 28), (60, 20), (72, 38), (92, 25), (105, 50), (104, 75), (125, 110), (152, 140),
    (165, 165), (190, 190), (225, 213), (240, 212), (255, 180), (280, 168), (312, 185), (312, 225),
    (297, 245), (300, 262), (330, 275), (360, 285), (400, 285), (420, 270), (450, 258), (452, 265),
    (440, 280), (472, 288), (474, 305), (450, 322), (405, 312), (360, 315), (300, 310), (285, 330),
    (295, 370), (285, 425), (245, 425), (240, 390), (180, 370), (178, 320), (188, 300), (188, 240),
    (185, 225), (150, 180), (125, 150), (90, 85), (70, 70), (48, 50),
]  # fmt: skip


def check(case: Case) -> None:
    from runner.checks.pictures import edits, filters

    source = edits.original(case, "102.jpeg")
    filters.expect_edges_of(case, "102.png", source, BODY, "body")


REFERENCE = {
    "cells": [
        """
import cv2

picture = cv2.imread("./data/102.jpeg")
print(picture.shape)
""",
        """
grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
edges = cv2.Canny(cv2.GaussianBlur(grey, (5, 5), 0), 60, 150)
cv2.imwrite("./output/102.png", edges)
print((edges > 0).mean())
""",
    ],
    "answer": "I detected the edges with Canny after a slight blur and saved them as ./output/102.png.",
}
WRONG = {
    "blurred-away": {
        "why": "blurs so much before the detector that no edge of the body is left",
        "cells": [
            """
import cv2

grey = cv2.imread("./data/102.jpeg", cv2.IMREAD_GRAYSCALE)
cv2.imwrite("./output/102.png", cv2.Canny(cv2.GaussianBlur(grey, (51, 51), 0), 100, 200))
"""
        ],
        "answer": "The edges of the human body have been detected.",
    },
    "sharpened": {
        "why": "sharpens the edges of the picture instead of detecting them",
        "cells": [
            """
from PIL import Image, ImageFilter

Image.open("./data/102.jpeg").filter(ImageFilter.EDGE_ENHANCE_MORE).save("./output/102.png")
"""
        ],
        "answer": "The edges have been detected and saved to ./output/102.png.",
    },
    "silhouette": {
        "why": "saves bright areas as a mask",
        "cells": [
            """
import cv2

grey = cv2.imread("./data/102.jpeg", cv2.IMREAD_GRAYSCALE)
_, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
cv2.imwrite("./output/102.png", mask)
"""
        ],
        "answer": "Detected the human body's edges.",
    },
}
