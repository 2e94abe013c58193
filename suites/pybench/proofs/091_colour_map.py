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
GAMERS = {
    "pixels-by-lot": {
        "why": "the colours of 200 pixels drawn by lot",
        "cells": [
            """import numpy as np
from PIL import Image
pixels = np.asarray(Image.open('data/91.jpeg').convert('RGB')).reshape(-1, 3)
chosen = pixels[np.random.default_rng(0).choice(len(pixels), 200)]
Image.fromarray(np.kron(chosen.reshape(10, 20, 3), np.ones((40, 40, 1))).astype('uint8')).save('output/91.png')"""
        ],
        "answer": "./output/91.png",
    },
    "rainbow": {
        "why": "a rainbow for any picture",
        "cells": [
            """import numpy as np
from matplotlib import colormaps
from PIL import Image
colours = (colormaps['hsv'](np.linspace(0, 1, 12))[:, :3] * 255).astype(np.uint8)
Image.fromarray(np.repeat(np.repeat(colours[None], 100, 0), 60, 1)).save('output/91.png')""",
        ],
        "answer": "./output/91.png",
    },
}
GAPS = {
    "pixels-by-lot": "How many colours a palette has is open, and 200 of the picture's own pixels lie near it and cover it as well as a computed palette of many colours.",
}
LEFT_OUT = {
    "blank-area": "a frame of every swatch is left, and their size is open",
    "drop-row": "the number of colours is open",
    "reverse-order": "the order of the swatches is open",
    "scale-by-10": "the size of a swatch is open",
}
