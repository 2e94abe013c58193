# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Give a picture a fixed width and height."""

from runner.checks import Case

INDEX = "79"
TITLE = "图片调整为 1000 × 500"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["79.png"]
NOTE = "The released picture is 1000 × 500 pixels of pure black already: its content can only be told by its being black, and what is left to do is the PNG."

WIDTH, HEIGHT = 1000, 500  # as the query says


def check(case: Case) -> None:
    from runner.checks.pictures import edits

    source = edits.original(case, "79.jpeg")
    actual = edits.read(case, "79.png")
    expected = edits.scaled(source, WIDTH, HEIGHT)
    edits.expect_same_picture(case, actual, expected, "79.png", tolerance=3, exact=False)


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/79.jpeg")
print(picture.size, picture.mode, picture.getextrema())
""",
        """
picture.convert("RGB").resize((1000, 500)).save("./output/79.png")
print(Image.open("./output/79.png").size)
""",
    ],
    "answer": "图片大小为 1000 × 500，已保存为 ./output/79.png。",
}
WRONG = {
    "sides-swapped": {
        "why": "takes the first number for the height",
        "cells": [
            """
import numpy as np
from PIL import Image

picture = Image.open("./data/79.jpeg")
picture.resize((500, 1000)).save("./output/79.png")
"""
        ],
        "answer": "已调整为 1000*500，保存为 ./output/79.png。",
    },
    "figure": {
        "why": "saves a figure of that size with the picture somewhere inside, on white",
        "cells": [
            """
import matplotlib.pyplot as plt
from PIL import Image

plt.figure(figsize=(10, 5), dpi=100)
plt.imshow(Image.open("./data/79.jpeg"))
plt.savefig("./output/79.png")
"""
        ],
        "answer": "已调整为 1000*500，保存为 ./output/79.png。",
    },
    "renamed": {
        "why": "copies the JPEG under a name that ends in .png",
        "cells": [
            """
import shutil

shutil.copy("./data/79.jpeg", "./output/79.png")
"""
        ],
        "answer": "图片本来就是 1000*500，已保存为 ./output/79.png。",
    },
}
