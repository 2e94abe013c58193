# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Turn a colour picture into a grey one."""

from runner.checks import Case

INDEX = "100"
TITLE = "图片转为灰色"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["100.png"]
NOTE = "Stored with one channel or three; grey by any usual weighting of the channels."


def check(case: Case) -> None:
    import numpy as np

    from runner.checks.pictures import edits, images

    name = "100.png"
    source, actual = edits.original(case, "100.jpeg"), edits.read(case, name)
    edits.require_same_size(case, actual, source, name)
    tint = edits.chroma(actual)
    case.expect(
        "no colour left",
        tint <= 2,
        "channels within 2 levels on average",
        f"{tint:.1f} levels",
        name,
    )
    rgb = source.astype(float)
    greys = {
        "weighted": edits.brightness(source).astype(float),
        "mean": rgb.mean(axis=-1),
        "lightness": (rgb.max(axis=-1) + rgb.min(axis=-1)) / 2,
        "Rec. 709": rgb @ np.array([0.2126, 0.7152, 0.0722]),
    }
    found = edits.brightness(actual)
    misses = {way: float(np.abs(found - grey).mean()) for way, grey in greys.items()}
    nearest = min(misses, key=lambda way: misses[way])
    case.expect(
        "brightness of each pixel",
        misses[nearest] <= 8,
        expected="within 8 levels of the input's on average",
        actual=f"{misses[nearest]:.1f} levels off",
        file=name,
    )
    same = images.likeness(found, greys[nearest])
    case.expect("pattern", same >= 0.97, "correlation of 0.97 or more", f"{same:.3f}", name)


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/100.jpeg")
print(picture.size, picture.mode)
""",
        """
picture.convert("L").save("./output/100.png")
print(Image.open("./output/100.png").mode)
""",
    ],
    "answer": "图片已转成灰度图，保存为 ./output/100.png。",
}
WRONG = {
    "false-colours": {
        "why": "lets matplotlib save the grey array, in its default colour map",
        "cells": [
            """
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

plt.imsave("./output/100.png", np.asarray(Image.open("./data/100.jpeg").convert("L")))
"""
        ],
        "answer": "图片已转成灰色。",
    },
    "black-and-white": {
        "why": "turns every pixel into black or white",
        "cells": [
            """
from PIL import Image

Image.open("./data/100.jpeg").convert("1").save("./output/100.png")
"""
        ],
        "answer": "图片已转成灰色，保存为 ./output/100.png。",
    },
    "half-way": {
        "why": "lowers the saturation but leaves some colour",
        "cells": [
            """
from PIL import Image, ImageEnhance

ImageEnhance.Color(Image.open("./data/100.jpeg")).enhance(0.3).save("./output/100.png")
"""
        ],
        "answer": "图片已转成灰色。",
    },
}
