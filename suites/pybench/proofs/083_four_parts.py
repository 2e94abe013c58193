# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "array-split": {
        "why": "numpy's array_split: one column more in the first part",
        "cells": [
            """import numpy as np
from PIL import Image
image = np.array(Image.open('data/83.jpeg'))
for n, part in enumerate(np.array_split(image, 4, axis=1), 1):
    Image.fromarray(part).save(f'output/83_{n}.png')"""
        ],
        "answer": "Saved 83_1.png to 83_4.png.",
    },
    "opencv": {
        "why": "OpenCV; the last part takes the rest",
        "cells": [
            """import cv2
image = cv2.imread('data/83.jpeg')
step = image.shape[1] // 4
for n in range(4):
    end = image.shape[1] if n == 3 else (n + 1) * step
    cv2.imwrite(f'output/83_{n + 1}.png', image[:, n * step:end])"""
        ],
        "answer": "已将图片横向等分为四份。",
    },
    "same-width": {
        "why": "four parts of one width each; the odd column is left",
        "cells": [
            """from PIL import Image
image = Image.open('data/83.jpeg')
w, h = image.width // 4, image.height
for n in range(4):
    image.crop((n * w, 0, (n + 1) * w, h)).save(f'output/83_{n + 1}.png')"""
        ],
        "answer": "./output/83_1.png … ./output/83_4.png",
    },
}
NEAR_MISSES = {
    "right-to-left": {
        "why": "the parts numbered from the right",
        "cells": [
            """from PIL import Image
image = Image.open('data/83.jpeg')
w, h = image.width // 4, image.height
for n in range(4):
    image.crop((n * w, 0, (n + 1) * w, h)).save(f'output/83_{4 - n}.png')"""
        ],
        "answer": "Saved.",
    },
    "quarters": {
        "why": "two by two",
        "cells": [
            """from PIL import Image
image = Image.open('data/83.jpeg')
w, h = image.width // 2, image.height // 2
for n in range(4):
    x, y = n % 2 * w, n // 2 * h
    image.crop((x, y, x + w, y + h)).save(f'output/83_{n + 1}.png')"""
        ],
        "answer": "Saved.",
    },
    "one-part-twice": {
        "why": "the third part is the second again",
        "cells": [
            """from PIL import Image
image = Image.open('data/83.jpeg')
w, h = image.width // 4, image.height
for n, k in enumerate((0, 1, 1, 3), 1):
    image.crop((k * w, 0, (k + 1) * w, h)).save(f'output/83_{n}.png')"""
        ],
        "answer": "Saved.",
    },
    "resized": {
        "why": "the whole picture in a quarter of its width, four times",
        "cells": [
            """from PIL import Image
image = Image.open('data/83.jpeg')
for n in range(4):
    image.resize((image.width // 4, image.height)).save(f'output/83_{n + 1}.png')"""
        ],
        "answer": "Saved.",
    },
}
