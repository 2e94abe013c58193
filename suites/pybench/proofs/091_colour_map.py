# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv-strip": {
        "why": "k-means by OpenCV, ten swatches",
        "cells": [
            """import cv2
import numpy as np
pixels = cv2.resize(cv2.imread('data/91.jpeg'), (150, 150)).reshape(-1, 3).astype(np.float32)
rule = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 1.0)
_, _, centres = cv2.kmeans(pixels, 10, None, rule, 3, cv2.KMEANS_PP_CENTERS)
card = np.repeat(np.repeat(centres.astype(np.uint8)[None], 80, 0), 80, 1)
cv2.imwrite('output/91.png', card)""",
        ],
        "answer": "Saved as ./output/91.png.",
    },
    "grid": {
        "why": "a grid of twelve swatches with gaps",
        "cells": [
            """from PIL import Image, ImageDraw
reduced = Image.open('data/91.jpeg').convert('RGB').quantize(12)
card = Image.new('RGB', (420, 320), 'white')
pen = ImageDraw.Draw(card)
for n in range(12):
    x, y = 10 + 100 * (n % 4), 10 + 100 * (n // 4)
    pen.rectangle((x, y, x + 90, y + 90), fill=tuple(reduced.getpalette()[3 * n : 3 * n + 3]))
card.save('output/91.png')""",
        ],
        "answer": """| file |
|---|
| ./output/91.png |""",
    },
}
NEAR_MISSES = {
    "negative": {
        "why": "the negative of each colour",
        "edits": {
            "colours = [tuple(reduced.getpalette()[3 * i : 3 * i + 3]) for i in range(8)]": "colours = [tuple(255 - c for c in reduced.getpalette()[3 * i : 3 * i + 3]) for i in range(8)]",
        },
    },
    "greys": {
        "why": "the brightness alone",
        "edits": {
            '.convert("RGB")': '.convert("L").convert("RGB")',
        },
    },
}
LEFT_OUT = {
    "blank-area": "a frame of every swatch is left, and their size is open",
    "drop-row": "the number of colours is open",
    "reverse-order": "the order of the swatches is open",
    "scale-by-10": "the size of a swatch is open",
}
