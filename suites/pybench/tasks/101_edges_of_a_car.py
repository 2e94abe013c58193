# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Detect the edges of the vehicle in a street photograph."""

from runner.checks import Case

INDEX = "101"
TITLE = "检测汽车边缘"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["101.png"]
NOTE = "The vehicle is the lorry. Its edges may stand alone or with those of the whole street, on a plain ground or over the photograph, from any detector; a line around the lorry is fine too. What is outside it is not judged."

LORRY = [
    (176, 117), (242, 117), (296, 122), (296, 135), (326, 135), (326, 186), (298, 187),
    (256, 195), (256, 208), (224, 208), (222, 200), (195, 198), (180, 185), (176, 150),
]  # fmt: skip


def check(case: Case) -> None:
    from runner.checks.pictures import edits, filters

    source = edits.original(case, "101.jpeg")
    filters.expect_edges_of(case, "101.png", source, LORRY, "lorry")


REFERENCE = {
    "cells": [
        """
import cv2

picture = cv2.imread("./data/101.jpeg")
print(picture.shape)
""",
        """
grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
edges = cv2.Canny(cv2.GaussianBlur(grey, (3, 3), 0), 80, 180)
cv2.imwrite("./output/101.png", edges)
print((edges > 0).mean())
""",
    ],
    "answer": "已用 Canny 算子检测出汽车的边缘，保存为 ./output/101.png。",
}
WRONG = {
    "grey-saved": {
        "why": "saves the grey picture instead of the edges",
        "cells": [
            """
import cv2

grey = cv2.imread("./data/101.jpeg", cv2.IMREAD_GRAYSCALE)
edges = cv2.Canny(grey, 100, 200)
cv2.imwrite("./output/101.png", grey)
"""
        ],
        "answer": "边缘检测完成，保存为 ./output/101.png。",
    },
    "thresholded": {
        "why": "splits the picture by brightness, which gives areas and not edges",
        "cells": [
            """
import cv2

grey = cv2.imread("./data/101.jpeg", cv2.IMREAD_GRAYSCALE)
_, areas = cv2.threshold(grey, 127, 255, cv2.THRESH_BINARY)
cv2.imwrite("./output/101.png", areas)
"""
        ],
        "answer": "已检测汽车的边缘。",
    },
    "box": {
        "why": "draws a rectangle around where it takes the car to be",
        "cells": [
            """
import cv2

picture = cv2.imread("./data/101.jpeg")
cv2.rectangle(picture, (170, 112), (330, 212), (0, 255, 0), 2)
cv2.imwrite("./output/101.png", picture)
"""
        ],
        "answer": "已标出汽车的边缘，保存为 ./output/101.png。",
    },
    "threshold-too-high": {
        "why": "sets the thresholds so high that hardly a line is left",
        "cells": [
            """
import cv2

grey = cv2.imread("./data/101.jpeg", cv2.IMREAD_GRAYSCALE)
cv2.imwrite("./output/101.png", cv2.Canny(grey, 800, 1000))
"""
        ],
        "answer": "已检测汽车的边缘。",
    },
}
