# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The shape of a heart."""

from runner.checks import Case
from runner.checks.clouds import cloud_shapes

INDEX = "115"
TITLE = "心形图案"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["115.png"]
NOTE = "Judged by its outline: upright, alike on both sides, notched at the top and pointed below. Colour and filling are free, and axes around it do not matter."


def check(case: Case) -> None:
    pixels = cloud_shapes.read(case, "115.png")
    found = [mask for mask in cloud_shapes.silhouettes(pixels) if mask.size >= 2500]
    case.demand(
        "something is drawn",
        found,
        "a shape",
        "nothing large enough",
        "115.png",
        "Nothing is drawn in 115.png.",
    )
    best = max((traits(mask) for mask in found), key=lambda t: sum(holds for _, holds, *_ in t))
    for name, holds, expected, actual, message in best:
        case.expect(name, holds, expected, actual, "115.png", message)


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
