# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Extract the colours of a photograph as a palette."""

from runner.checks import Case

INDEX = "91"
TITLE = "The colours of a photograph"
CATEGORY = "image"
OUTPUTS = ["91.png"]
NOTE = "Read as the picture's palette, as the task's own label says: swatches near the picture's colours that cover its main ones. A picture in false colours or in fewer colours is none."


def check(case: Case) -> None:
    from runner.checks.pictures import edits, palettes

    source, drawing = edits.original(case, "91.jpeg"), edits.read_drawing(case, "91.png")
    palettes.expect_palette_of(case, drawing, source, "91.png")


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/91.jpeg").convert("RGB")
reduced = picture.quantize(8, method=Image.Quantize.MEDIANCUT)
colours = [tuple(reduced.getpalette()[3 * i : 3 * i + 3]) for i in range(8)]
print(colours)
""",
        """
import matplotlib.pyplot as plt

figure, axes = plt.subplots(figsize=(8, 2))
for number, colour in enumerate(colours):
    axes.add_patch(plt.Rectangle((number, 0), 1, 1, color=[c / 255 for c in colour]))
axes.set_xlim(0, len(colours))
axes.set_ylim(0, 1)
axes.axis("off")
figure.savefig("./output/91.png")
""",
    ],
    "answer": "I reduced the picture to its eight main colours and saved them as swatches in ./output/91.png.",
}
WRONG = {
    "false-colours": {
        "why": "lays a colour map over the grey picture",
        "cells": [
            """
import cv2

grey = cv2.imread("./data/91.jpeg", cv2.IMREAD_GRAYSCALE)
cv2.imwrite("./output/91.png", cv2.applyColorMap(grey, cv2.COLORMAP_JET))
"""
        ],
        "answer": "The color map has been extracted and saved.",
    },
    "channels-swapped": {
        "why": "clusters the colours that OpenCV gives blue-first and shows them red-first",
        "cells": [
            """
import cv2
import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans

pixels = cv2.imread("./data/91.jpeg").reshape(-1, 3)[::10]
colours = KMeans(6, n_init=2, random_state=0).fit(pixels).cluster_centers_.astype(int)
plt.figure(figsize=(6, 1))
plt.imshow([colours])
plt.axis("off")
plt.savefig("./output/91.png")
"""
        ],
        "answer": "The dominant colors are shown in ./output/91.png.",
    },
    "histogram": {
        "why": "draws the histogram of the channels",
        "cells": [
            """
import cv2
import matplotlib.pyplot as plt

picture = cv2.imread("./data/91.jpeg")
for channel, name in enumerate("bgr"):
    plt.plot(cv2.calcHist([picture], [channel], None, [256], [0, 256]), color=name)
plt.savefig("./output/91.png")
"""
        ],
        "answer": "The color map is saved to ./output/91.png.",
    },
}
