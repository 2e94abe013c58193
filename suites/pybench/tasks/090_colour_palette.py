# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Extract the palette of a photograph."""

from runner.checks import Case

INDEX = "90"
TITLE = "提取图片色板"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["90.png"]
NOTE = "Plain swatches of any shape and number from 3 (captions or the picture beside them are fine) that lie near the picture's colours and cover it half as far off again as the best palette of their number at most, or as well as the best three colours; the picture itself in fewer colours is no palette."


def check(case: Case) -> None:
    from runner.checks.pictures import edits, palettes

    source, drawing = edits.original(case, "90.jpeg"), edits.read_drawing(case, "90.png")
    palettes.expect_palette_of(case, drawing, source, "90.png")


REFERENCE = {
    "cells": [
        """
import numpy as np
from PIL import Image
from sklearn.cluster import KMeans

picture = Image.open("./data/90.jpeg").convert("RGB")
pixels = np.asarray(picture.resize((110, 73))).reshape(-1, 3)
clusters = KMeans(6, n_init=3, random_state=0).fit(pixels)
order = np.argsort(-np.bincount(clusters.labels_))
colours = clusters.cluster_centers_[order].round().astype(int)
print(colours)
""",
        """
from PIL import ImageDraw

palette = Image.new("RGB", (600, 150), "white")
pen = ImageDraw.Draw(palette)
for number, colour in enumerate(colours):
    pen.rectangle((number * 100, 0, number * 100 + 99, 110), fill=tuple(int(c) for c in colour))
    pen.text((number * 100 + 20, 125), "#%02x%02x%02x" % tuple(colour), fill="black")
palette.save("./output/90.png")
""",
    ],
    "answer": "已提取六种主要颜色并画成色板，保存为 ./output/90.png。",
}
WRONG = {
    "picture-saved": {
        "why": "computes the colours but saves the photograph",
        "cells": [
            """
import numpy as np
from PIL import Image
from sklearn.cluster import KMeans

image = Image.open("./data/90.jpeg")
colors = KMeans(n_clusters=5, random_state=0, n_init=1).fit(np.array(image).reshape(-1, 3)[::20]).cluster_centers_
image.save("./output/90.png")
"""
        ],
        "answer": "已提取色板并保存为 ./output/90.png。",
    },
    "most-frequent": {
        "why": "takes the most frequent exact colours, which are nearly the same ones over and over",
        "cells": [
            """
import numpy as np
from PIL import Image

pixels = np.asarray(Image.open("./data/90.jpeg").convert("RGB")).reshape(-1, 3)
colours, counts = np.unique(pixels, axis=0, return_counts=True)
best = colours[np.argsort(-counts)][:6]
Image.fromarray(np.repeat(np.repeat(best[None], 100, 0), 100, 1)).save("./output/90.png")
"""
        ],
        "answer": "色板已提取并保存。",
    },
    "fewer-colours": {
        "why": "saves the photograph in eight colours instead of the eight colours",
        "cells": [
            """
from PIL import Image

Image.open("./data/90.jpeg").quantize(8).convert("RGB").save("./output/90.png")
"""
        ],
        "answer": "已提取色板，保存为 ./output/90.png。",
    },
}
