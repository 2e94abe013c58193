# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The shape of a heart."""

from runner.checks import Case
from runner.checks.clouds import cloud_shapes

INDEX = "115"
TITLE = "心形图案"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["115.png"]
NOTE = "Judged by its outline: upright, alike on both sides, notched at the top and pointed below. Colour and filling are free, and axes around it do not matter; nothing beside it is much larger."


def check(case: Case) -> None:
    pixels = cloud_shapes.read(case, "115.png")
    whole, shapes = cloud_shapes.silhouette(pixels), cloud_shapes.shapes_in(pixels)
    found = [shape for shape in shapes if shape.mask.size >= 2500]
    if whole is not None and whole.size >= 2500:
        found.insert(0, cloud_shapes.Shape(0, 0, whole))
    case.demand(
        "something is drawn",
        found,
        "a shape",
        "nothing large enough",
        "115.png",
        "Nothing is drawn in 115.png.",
    )
    judged = [(traits(shape.mask), shape) for shape in found]
    best, heart = max(judged, key=lambda one: sum(holds for _, holds, *_ in one[0]))
    for name, holds, expected, actual, message in best:
        case.expect(name, holds, expected, actual, "115.png", message)
    beside = [s for s in shapes if heart.mask is not whole and not overlap(s, heart)]
    largest = max((float(s.mask.sum() / heart.mask.sum()) for s in beside), default=0.0)
    case.expect(
        "the heart is the main thing",
        largest <= 1.5,
        "nothing beside it half as large again",
        f"{largest:.1f} times its area",
        "115.png",
        "Beside the heart in 115.png is something much larger.",
    )
    together = sum(float(s.mask.sum() / heart.mask.sum()) for s in beside)
    case.expect(
        "the heart is no one of many",
        together <= 4,
        "no more beside it than four times its area",
        f"{together:.1f} times its area",
        "115.png",
        "The heart in 115.png is one of many shapes.",
    )


def overlap(one, other) -> bool:
    """True if two shapes lie over each other, or one in the other."""
    left, top = max(one.left, other.left), max(one.top, other.top)
    parts = [s.mask[top - s.top :, left - s.left :] for s in (one, other)]
    height, width = (min(p.shape[axis] for p in parts) for axis in (0, 1))
    both = parts[0][:height, :width] & parts[1][:height, :width]
    return bool(both.sum() > 0.05 * min(one.mask.sum(), other.mask.sum()))


def traits(mask) -> list[tuple]:
    """Traits that make a shape a heart: name, whether it holds, expected, actual, sentence."""
    alike = cloud_shapes.symmetry(mask)
    top = cloud_shapes.top_profile(mask)
    notch = float(top[19:21].mean() - max(top[:18].min(), top[22:].min()))
    peaks = int(top[:20].argmin()), int(top[::-1][:20].argmin())  # columns from either side
    widths = [cloud_shapes.width_at(mask, h) for h in (0.25, 0.55, 0.75, 0.93)]
    told = ", ".join(f"{w:.0%}" for w in widths)
    is_pointed = widths[0] >= 0.75 and widths[1] > widths[2] > widths[3] and widths[3] <= 0.35
    body = float(mask.mean())
    return [
        ("alike on both sides", alike >= 0.85, "85 % or more", f"{alike:.0%}", ""),
        (
            "two bows with a notch between",
            notch >= 0.06,
            "a notch of 6 % of its height or more",
            f"{notch:.0%}",
            "The shape in 115.png has no notch at its top.",
        ),
        (
            "wide above, pointed below",
            is_pointed,
            "narrowing to a point",
            told,
            f"The shape in 115.png does not narrow to a point (widths {told}).",
        ),
        (
            "bows, not horns",
            min(peaks) >= 3,
            "highest away from the sides",
            f"highest in columns {peaks[0] + 1} and {40 - peaks[1]} of 40",
            "The shape in 115.png has horns at its sides, no bows.",
        ),
        ("a heart's area", 0.45 <= body <= 0.78, "45 to 78 % of its box", f"{body:.0%}", ""),
    ]


REFERENCE = {
    "cells": [
        """
import numpy as np
import matplotlib.pyplot as plt

t = np.linspace(0, 2 * np.pi, 800)
x = 16 * np.sin(t) ** 3
y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
fig, ax = plt.subplots(figsize=(6, 6))
ax.fill(x, y, color="crimson")
ax.set_aspect("equal")
ax.axis("off")
fig.savefig("output/115.png")
""",
    ],
    "answer": "心形图案已保存到 ./output/115.png。",
}
WRONG = {
    "circle": {
        "why": "draws a circle",
        "cells": [
            "from PIL import Image, ImageDraw\ni = Image.new('RGB', (400, 400), 'white')\nImageDraw.Draw(i).ellipse((50, 50, 350, 350), fill='red')\ni.save('output/115.png')"
        ],
        "answer": "心形图案已保存到 ./output/115.png。",
    },
    "upside-down": {
        "why": "forgets that rows count downward, and so draws it upside down",
        "cells": [
            "import numpy as np\nfrom PIL import Image, ImageDraw\nt = np.linspace(0, 2 * np.pi, 400)\nx = 200 + 10 * 16 * np.sin(t) ** 3\ny = 200 + 10 * (13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))\n"
            "i = Image.new('RGB', (400, 400), 'white')\nImageDraw.Draw(i).polygon(list(zip(x, y)), fill='red')\ni.save('output/115.png')"
        ],
        "answer": "心形图案已保存到 ./output/115.png。",
    },
    "upper-half": {
        "why": "takes roots of negative numbers, so that the lower half is missing",
        "cells": [
            "import numpy as np, matplotlib.pyplot as plt\nx = np.linspace(-2, 2, 500)\nplt.fill_between(x, np.sqrt(1 - (abs(x) - 1) ** 2), color='red')\nplt.axis('off')\nplt.savefig('output/115.png')"
        ],
        "answer": "心形图案已保存到 ./output/115.png。",
    },
}
