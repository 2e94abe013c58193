"""A drawing of a cat."""

from runner.checks import Case, images, shapes

INDEX = "116"
TITLE = "A drawing of a cat"
CATEGORY = "image"
OUTPUTS = ["116.png"]
STRENGTH = "partial"
NOTE = "Whether a cat is cute cannot be measured. The drawing must have what a cat's face has: two ears that stand up from its outline, and a pair of eyes at one height; and three colours or more."


def check(case: Case) -> None:
    import numpy as np

    pixels = images.read(case, "116.png", "PNG")
    mask = shapes.silhouette(pixels)
    case.demand(
        "something is drawn",
        mask is not None and mask.size >= 10_000,
        "a shape",
        "nothing" if mask is None else f"{mask.shape[1]} × {mask.shape[0]} pixels",
        "116.png",
        "Nothing is drawn in 116.png.",
    )
    coarse = pixels[::2, ::2].reshape(-1, 3) // 32
    colours, counts = np.unique(coarse, axis=0, return_counts=True)
    many = int((counts >= 0.0008 * len(coarse)).sum())
    case.expect("colours", many >= 3, "3 or more", many, "116.png")
    top = shapes.top_profile(mask)
    dips = [float(top[i] - max(top[:i].min(), top[i + 1 :].min())) for i in range(8, 32)]
    case.expect(
        "two ears",
        max(dips) >= 0.03,
        "two peaks of the outline with a dip between",
        f"a dip of {max(dips):.0%} of its height",
        "116.png",
        "The outline in 116.png has no two ears.",
    )
    pair = eyes(pixels)
    case.expect(
        "a pair of eyes",
        pair,
        "two like spots at one height",
        pair or "none",
        "116.png",
        "No pair of eyes is seen in 116.png.",
    )


def eyes(pixels) -> str:
    """Two spots of one size and colour side by side in the upper part; where they are."""
    import numpy as np

    height, width = pixels.shape[:2]
    colours, counts = np.unique(pixels[::2, ::2].reshape(-1, 3) // 16, axis=0, return_counts=True)
    for colour in colours[np.argsort(-counts)][:24]:
        found = images.islands((pixels // 16 == colour).all(axis=2), 20)
        spots = [
            s
            for s in found
            if s.area <= 0.03 * width * height
            and 0.3 <= s.width / s.height <= 3.3
            and s.top < 0.75 * height
        ]
        for n, one in enumerate(spots[:40]):
            for other in spots[n + 1 : 40]:
                apart = abs(one.left + one.width / 2 - other.left - other.width / 2)
                level = abs(one.top - other.top) <= 0.02 * height + 2
                alike = 0.6 <= one.area / other.area <= 1.7
                if level and alike and 1.3 * one.width <= apart <= 0.5 * width:
                    return f"at {one.left}, {one.top} and {other.left}, {other.top}"
    return ""


REFERENCE = {
    "cells": [
        """
from PIL import Image, ImageDraw

image = Image.new("RGB", (700, 700), "#fdf6e3")
pen = ImageDraw.Draw(image)
fur, dark = "#f4a460", "#5b3a1e"
pen.polygon([(180, 330), (200, 110), (330, 230)], fill=fur, outline=dark)
pen.polygon([(520, 330), (500, 110), (370, 230)], fill=fur, outline=dark)
pen.polygon([(205, 290), (215, 160), (290, 240)], fill="#ffc0cb")
pen.polygon([(495, 290), (485, 160), (410, 240)], fill="#ffc0cb")
pen.ellipse((150, 190, 550, 560), fill=fur, outline=dark, width=4)
for x in (270, 430):
    pen.ellipse((x - 38, 310, x + 38, 400), fill="white", outline=dark, width=3)
    pen.ellipse((x - 18, 325, x + 18, 390), fill="#1b1b1b")
    pen.ellipse((x - 4, 335, x + 10, 350), fill="white")
pen.polygon([(335, 430), (365, 430), (350, 450)], fill="#e75480")
pen.arc((305, 435, 350, 480), 10, 170, fill=dark, width=4)
pen.arc((350, 435, 395, 480), 10, 170, fill=dark, width=4)
for dy in (-15, 5, 25):
    pen.line((120, 440 + dy * 2, 260, 440 + dy), fill=dark, width=3)
    pen.line((580, 440 + dy * 2, 440, 440 + dy), fill=dark, width=3)
image.save("output/116.png")
""",
    ],
    "answer": "Here is a cute cat: it is saved in ./output/116.png.",
}
WRONG = {
    "smiley": {
        "why": "draws a round face without ears",
        "cells": [
            "from PIL import Image, ImageDraw\ni = Image.new('RGB', (400, 400), 'white')\nd = ImageDraw.Draw(i)\nd.ellipse((50, 50, 350, 350), fill='yellow', outline='black')\nd.ellipse((130, 140, 170, 180), fill='black')\nd.ellipse((230, 140, 270, 180), fill='black')\nd.arc((130, 180, 270, 280), 0, 180, fill='black', width=5)\ni.save('output/116.png')"
        ],
        "answer": "The cat is saved in ./output/116.png.",
    },
    "the-word": {
        "why": "writes the word instead of drawing",
        "cells": [
            "from PIL import Image, ImageDraw, ImageFont\ni = Image.new('RGB', (400, 200), 'white')\nImageDraw.Draw(i).text((60, 40), 'CAT', fill='black', font=ImageFont.truetype('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf', 120))\ni.save('output/116.png')"
        ],
        "answer": "The cat is saved in ./output/116.png.",
    },
    "silhouette": {
        "why": "draws a head with ears and no face",
        "cells": [
            "from PIL import Image, ImageDraw\ni = Image.new('RGB', (400, 400), 'white')\nd = ImageDraw.Draw(i)\nd.ellipse((80, 120, 320, 340), fill='grey')\nd.polygon([(100, 200), (110, 60), (190, 140)], fill='grey')\nd.polygon([(300, 200), (290, 60), (210, 140)], fill='grey')\ni.save('output/116.png')"
        ],
        "answer": "The cat is saved in ./output/116.png.",
    },
}
