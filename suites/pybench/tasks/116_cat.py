# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A drawing of a cat."""

from runner.checks import Case
from runner.checks.clouds import cloud_shapes
from runner.checks.pictures import images

INDEX = "116"
TITLE = "A drawing of a cat"
CATEGORY = "image"
OUTPUTS = ["116.png"]
STRENGTH = "partial"
NOTE = "Whether the cat is cute is not judged. The drawing must have what a cat's face has: two ears that stand up from its outline, a pair of eyes at one height below and evenly between them, the plain areas of a drawing, and three colours or more. A cat seen from the side fails."


def check(case: Case) -> None:
    import numpy as np

    name = "116.png"
    pixels = cloud_shapes.read(case, name)
    found = [s for s in cloud_shapes.shapes_in(pixels) if s.mask.size >= 10_000]
    case.demand(
        "something is drawn",
        found,
        "a shape",
        "nothing large enough",
        name,
        f"Nothing is drawn in {name}.",
    )
    coarse = pixels[::2, ::2].reshape(-1, 3) // 32
    _, counts = np.unique(coarse, axis=0, return_counts=True)
    many = int((counts >= 0.0008 * len(coarse)).sum())
    case.expect("colours", many >= 3, "3 or more", many, name)
    same = [float((np.diff(pixels.astype(int), axis=a) == 0).all(axis=-1).mean()) for a in (0, 1)]
    case.expect(
        "drawn, not photographed",
        max(same) >= 0.75,
        "75 % of the pixels or more like their neighbour",
        f"{max(same):.0%}",
        name,
    )
    heads = [(shape, ears(shape.mask)) for shape in found]
    heads = [(shape, span) for shape, span in heads if span]
    case.demand(
        "two ears",
        heads,
        "two peaks of the outline, about as high, with a dip between",
        "none",
        name,
        f"No outline in {name} has two ears.",
    )
    spots = dark_or_light_spots(pixels)
    pairs = [pair for shape, span in heads if (pair := eyes(spots, shape, span))]
    case.expect(
        "a pair of eyes",
        pairs,
        "two like spots at one height below the ears, evenly between them",
        pairs[0] if pairs else "none",
        name,
        f"No pair of eyes is seen in {name}.",
    )


def ears(mask) -> tuple[float, float, float] | None:
    """The two ears' places across and the dip's depth, as shares of the box; None without."""
    import numpy as np

    top = cloud_shapes.top_profile(mask)
    dips = {
        i: float(top[i - 2 : i + 3].min() - max(top[: i - 2].min(), top[i + 3 :].min()))
        for i in range(8, 32)
    }
    middle = max(dips, key=lambda i: dips[i])
    left, right = int(np.argmin(top[:middle])), middle + int(np.argmin(top[middle:]))
    if dips[middle] < 0.03 or abs(float(top[left] - top[right])) > 0.15:
        return None
    return (left + 0.5) / 40, (right + 0.5) / 40, float(top[middle])


def dark_or_light_spots(pixels) -> list[list]:
    """Small areas of each of the commonest colours."""
    import numpy as np

    height, width = pixels.shape[:2]
    colours, counts = np.unique(pixels[::2, ::2].reshape(-1, 3) // 16, axis=0, return_counts=True)
    found = []
    for colour in colours[np.argsort(-counts)][:24]:
        areas = images.islands((pixels // 16 == colour).all(axis=2), 20)
        found.append([s for s in areas if s.area <= 0.03 * width * height][:40])
    return found


def eyes(spots: list[list], shape, span: tuple[float, float, float]) -> str:
    """Two spots of one size and colour side by side under the ears; where they are."""
    height, width = shape.mask.shape
    middle = shape.left + width * (span[0] + span[1]) / 2
    for of_colour in spots:
        eyelike = [
            s
            for s in of_colour
            if 0.3 <= s.width / s.height <= 3.3
            and 0.015 * width <= s.width <= 0.3 * width
            and shape.top + height * span[2] <= s.top <= shape.top + 0.8 * height
        ]
        for n, one in enumerate(eyelike):
            for other in eyelike[n + 1 :]:
                places = [s.left + s.width / 2 for s in (one, other)]
                apart = abs(places[0] - places[1])
                level = abs(one.top - other.top) <= 0.03 * height + 2
                alike = 0.6 <= one.area / other.area <= 1.7
                centred = abs(sum(places) / 2 - middle) <= 0.1 * width
                if level and alike and centred and 0.1 * width <= apart <= 0.7 * width:
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
