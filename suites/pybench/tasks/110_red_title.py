# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Put a red title on a map."""

from runner.checks import Case

INDEX = "110"
TITLE = "A red title on a map"
CATEGORY = "image"
OUTPUTS = ["110.png"]
NOTE = "On the map's upper half or above it, in one line or more. The words must be readable in their order (“of” and “the” may be hard to read), told from other words by their shapes in the machine's own fonts."

WORDS = ["Map", "of", "the", "Middle", "East", "Situation"]
RIVALS = [
    "Eastern",
    "West",
    "Asia",
    "World",
    "Central",
    "India",
    "China",
    "Title",
    "Text",
    "Hello",
    "Population",
    "Region",
    "Picture",
    "in",
    "on",
    "Chart",
]


def check(case: Case) -> None:
    import cv2
    import numpy as np

    from runner.checks.pictures import edits, images, lettering, placement

    name = "110.png"
    source, canvas = edits.original(case, "110.jpeg"), edits.read_drawing(case, name)
    rgb = canvas.astype(np.float32)
    redness = (rgb[..., 0] - rgb[..., 1:].max(axis=-1)).clip(0, 255)
    place = placement.require_shown(case, canvas, source, "110.jpeg", name, likeness=0.7)
    islands = images.islands(redness > 90, 3)
    case.demand(
        "something red",
        islands,
        expected="red lettering",
        actual="nothing red",
        file=name,
        message=f"There is nothing red in {name}, so no red title.",
    )
    left, right = min(i.left for i in islands), max(i.left + i.width for i in islands)
    case.expect(
        "whole",
        left > 0 and right < canvas.shape[1],
        expected="within the picture",
        actual=f"columns {left} to {right} of {canvas.shape[1]}",
        file=name,
        message=f"The red lettering in {name} runs over its edge.",
    )
    top = min(i.top for i in islands)
    bottom = max(i.top + i.height for i in islands)
    case.expect(
        "at the top",
        (top + bottom) / 2 <= place.top + place.height / 2,
        expected="on the map's upper half or above it",
        actual=f"rows {top} to {bottom}, the map from {place.top:.0f} to {place.bottom:.0f}",
        file=name,
    )
    tall = max(i.height for i in islands)
    factor = min(4, max(1, round(48 / tall)))
    ink = cv2.resize(redness, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC) > 90
    said = lettering.read_words(ink, WORDS, RIVALS)
    is_read = [a == b or (not a and len(b) < 4) for a, b in zip(said, WORDS, strict=False)]
    case.expect(
        "the title",
        len(said) == len(WORDS) and all(is_read),
        expected=" ".join(WORDS),
        actual=" ".join(word or "?" for word in said) or "no text found",
        file=name,
        message=f"The red lettering in {name} does not read “{' '.join(WORDS)}”.",
    )


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/110.jpeg").convert("RGB")
print(picture.size)
""",
        """
from PIL import ImageDraw, ImageFont

title = "Map of the Middle East Situation"
font = ImageFont.load_default(28)
pen = ImageDraw.Draw(picture)
left, top, right, bottom = pen.textbbox((0, 0), title, font=font)
pen.text(((picture.width - (right - left)) / 2, 10), title, fill=(255, 0, 0), font=font)
picture.save("./output/110.png")
""",
    ],
    "answer": "I wrote the title in red at the top of the map and saved ./output/110.png.",
}
WRONG = {
    "blue": {
        "why": "gives OpenCV the colour red-first, which makes the title blue",
        "cells": [
            """
import cv2

picture = cv2.imread("./data/110.jpeg")
title = "Map of the Middle East Situation"
cv2.putText(picture, title, (20, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (255, 0, 0), 2)
cv2.imwrite("./output/110.png", picture)
"""
        ],
        "answer": "The title has been added in red.",
    },
    "cut-off": {
        "why": "writes so large that the title runs off the picture",
        "cells": [
            """
import cv2

picture = cv2.imread("./data/110.jpeg")
title = "Map of the Middle East Situation"
cv2.putText(picture, title, (20, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.8, (0, 0, 255), 3)
cv2.imwrite("./output/110.png", picture)
"""
        ],
        "answer": "I have added the title in red and saved it to ./output/110.png.",
    },
    "other-title": {
        "why": "writes another title",
        "cells": [
            """
from PIL import Image, ImageDraw, ImageFont

picture = Image.open("./data/110.jpeg")
pen = ImageDraw.Draw(picture)
pen.text((60, 10), "Map of the Central Asia Region", fill="red", font=ImageFont.load_default(28))
picture.save("./output/110.png")
"""
        ],
        "answer": "Title added in red.",
    },
    "title-without-map": {
        "why": "writes the title on an empty picture",
        "cells": [
            """
from PIL import Image, ImageDraw, ImageFont

size = Image.open("./data/110.jpeg").size
picture = Image.new("RGB", size, "white")
pen = ImageDraw.Draw(picture)
pen.text((30, 10), "Map of the Middle East Situation", fill="red", font=ImageFont.load_default(28))
picture.save("./output/110.png")
"""
        ],
        "answer": "The title has been added.",
    },
}
