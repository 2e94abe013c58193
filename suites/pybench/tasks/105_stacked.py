# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Put two pictures one above the other."""

from runner.checks import Case

INDEX = "105"
TITLE = "Two pictures one above the other"
CATEGORY = "image"
OUTPUTS = ["105.png"]
NOTE = "The first picture on top; brought to one width or not, aligned left, right or centred."


def check(case: Case) -> None:
    from runner.checks.pictures import edits, placement

    name = "105.png"
    canvas = edits.read_drawing(case, name)
    first, second = (
        placement.require_shown(case, canvas, edits.original(case, source), source, name)
        for source in ("105.jpeg", "106.jpeg")
    )
    slack = 0.01 * canvas.shape[0]
    case.expect(
        "105.jpeg above 106.jpeg",
        first.bottom <= second.top + slack,
        expected="the first picture ends where the second begins, or before",
        actual=f"105.jpeg {first}; 106.jpeg {second}",
        file=name,
    )
    across = min(first.right, second.right) - max(first.left, second.left)
    case.expect(
        "below each other",
        across >= 0.9 * min(first.width, second.width),
        expected="the narrower within the width of the wider",
        actual=f"105.jpeg {first}; 106.jpeg {second}",
        file=name,
    )


REFERENCE = {
    "cells": [
        """
from PIL import Image

first, second = Image.open("./data/105.jpeg"), Image.open("./data/106.jpeg")
print(first.size, second.size)
""",
        """
width = max(first.width, second.width)
first = first.resize((width, round(first.height * width / first.width)))
second = second.resize((width, round(second.height * width / second.width)))
stacked = Image.new("RGB", (width, first.height + second.height))
stacked.paste(first, (0, 0))
stacked.paste(second, (0, first.height))
stacked.save("./output/105.png")
print(stacked.size)
""",
    ],
    "answer": "I put the two pictures one above the other, at one width, and saved ./output/105.png.",
}
WRONG = {
    "side-by-side": {
        "why": "puts the pictures next to each other",
        "cells": [
            """
from PIL import Image

first, second = Image.open("./data/105.jpeg"), Image.open("./data/106.jpeg")
joined = Image.new("RGB", (first.width + second.width, max(first.height, second.height)))
joined.paste(first, (0, 0))
joined.paste(second, (first.width, 0))
joined.save("./output/105.png")
"""
        ],
        "answer": "The images have been concatenated vertically.",
    },
    "cut-to-width": {
        "why": "cuts the wider picture to the width of the other",
        "cells": [
            """
import numpy as np
from PIL import Image

first, second = (np.asarray(Image.open(f"./data/{n}.jpeg")) for n in (105, 106))
width = min(first.shape[1], second.shape[1])
Image.fromarray(np.vstack([first[:, :width], second[:, :width]])).save("./output/105.png")
"""
        ],
        "answer": "The images have been concatenated vertically and saved to ./output/105.png.",
    },
    "second-over-first": {
        "why": "pastes the second picture at the first one's height less its own",
        "cells": [
            """
from PIL import Image

first, second = Image.open("./data/105.jpeg"), Image.open("./data/106.jpeg")
height = max(first.height, second.height)
stacked = Image.new("RGB", (max(first.width, second.width), height))
stacked.paste(first, (0, 0))
stacked.paste(second, (0, height - second.height))
stacked.save("./output/105.png")
"""
        ],
        "answer": "Both images are in one file now.",
    },
}
