# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "pillow-strip": {
        "why": "eight colours as a strip, by Pillow's median cut",
        "cells": [
            """from PIL import Image, ImageDraw
reduced = Image.open('data/90.jpeg').convert('RGB').quantize(8)
colours = [tuple(reduced.getpalette()[3 * n : 3 * n + 3]) for n in range(8)]
card = Image.new('RGB', (800, 120))
pen = ImageDraw.Draw(card)
for n, colour in enumerate(colours):
    pen.rectangle((100 * n, 0, 100 * n + 99, 119), fill=colour)
card.save('output/90.png')""",
        ],
        "answer": "色板见 ./output/90.png。",
    },
    "kmeans-bars": {
        "why": "five k-means centres as bars by matplotlib",
        "cells": [
            """import numpy as np
import matplotlib.pyplot as plt
from PIL import Image
from sklearn.cluster import KMeans
pixels = np.asarray(Image.open('data/90.jpeg').convert('RGB').resize((120, 120))).reshape(-1, 3)
centres = KMeans(5, random_state=0, n_init=3).fit(pixels).cluster_centers_ / 255
plt.figure(figsize=(6, 2))
plt.imshow([centres], aspect='auto')
plt.axis('off')
plt.savefig('output/90.png')""",
        ],
        "answer": "The palette is saved as ./output/90.png.",
    },
}
NEAR_MISSES = {
    "blue-first": {
        "why": "the channels as OpenCV reads them, blue first",
        "cells": [
            """import cv2
import numpy as np
from PIL import Image
pixels = cv2.imread('data/90.jpeg').reshape(-1, 3).astype('float32')
colours = cv2.kmeans(pixels, 6, None, (3, 20, 1), 3, 0)[2].astype('uint8')
Image.fromarray(np.repeat(np.repeat(colours[None], 120, 0), 120, 1)).save('output/90.png')"""
        ],
        "answer": "色板已提取",
    },
    "first-pixels": {
        "why": "takes the first pixels' colours, all from a corner",
        "edits": {
            "colours = clusters.cluster_centers_[order].round().astype(int)": "colours = pixels[:6].astype(int) // 8 * 8 + np.arange(6)[:, None] * 9",
        },
    },
    "histogram": {
        "why": "a histogram of the levels instead of colours",
        "cells": [
            """import numpy as np
import matplotlib.pyplot as plt
from PIL import Image
plt.hist(np.asarray(Image.open('data/90.jpeg').convert('L')).ravel(), 64)
plt.savefig('output/90.png')""",
        ],
        "answer": "./output/90.png",
    },
}
LEFT_OUT = {
    "exchange-columns": "the order of the swatches is open",
    "reverse-order": "the order of the swatches is open",
}
