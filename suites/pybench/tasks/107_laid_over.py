# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Lay one picture over another that serves as the background."""

from runner.checks import Case

INDEX = "107"
TITLE = "第二张图放在第一张图上层"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["107.png"]
NOTE = "The second picture may be scaled, see-through, cut out or anywhere, on a background of any size, as long as both are to be seen. Laid over at its own size it hides the background altogether: that fails."


def check(case: Case) -> None:
    import numpy as np

    from runner.checks.pictures import edits, placement

    name = "107.png"
    canvas = edits.read_drawing(case, name)
    back, front = (edits.original(case, source) for source in ("107.jpeg", "108.jpeg"))
    back_at, front_at = placement.find(canvas, back), placement.find(canvas, front)
    case.demand(
        "both pictures are there",
        back_at and front_at,
        expected="107.jpeg and 108.jpeg",
        actual=f"107.jpeg {back_at or 'not found'}; 108.jpeg {front_at or 'not found'}",
        file=name,
        message=f"{'107.jpeg' if not back_at else '108.jpeg'} is not to be seen in {name}.",
    )
    whole = back_at.width * back_at.height / (canvas.shape[0] * canvas.shape[1])
    case.expect(
        "107.jpeg is the background",
        whole >= 0.8,
        expected="fills the picture",
        actual=f"{whole:.0%} of it: {back_at}",
        file=name,
    )
    inside = front_at.inside(canvas)
    case.expect(
        "108.jpeg within the picture",
        inside >= 0.4,
        "two fifths of it or more",
        f"{inside:.0%}",
        name,
    )
    layers = [placement.spread(canvas, p, at) for p, at in ((back, back_at), (front, front_at))]
    (behind, _), (above, is_front) = layers
    seen = canvas.astype(float)
    is_back = np.abs(seen - behind).mean(axis=-1) <= 25
    is_above = (np.abs(seen - above).mean(axis=-1) <= 25) & is_front
    weights, mixed_off = placement.mixture(canvas, behind, above, is_front)
    is_mixed = is_front & (mixed_off <= 25) if min(weights) >= 0.12 else is_front & False
    explained = np.mean(is_back | is_above | is_mixed)
    case.expect(
        "nothing but the two pictures",
        explained >= 0.85,
        expected="85 % of the pixels from one, the other or both",
        actual=f"{explained:.0%}",
        file=name,
    )
    shown = [np.mean((is_back & ~is_above) | is_mixed), np.mean((is_above & ~is_back) | is_mixed)]
    case.expect(
        "both to be seen",
        min(shown) >= 0.03,
        expected="3 % or more of the pixels each",
        actual=f"background {shown[0]:.0%}, upper picture {shown[1]:.0%}",
        file=name,
    )


REFERENCE = {
    "cells": [
        """
from PIL import Image

back, front = Image.open("./data/107.jpeg"), Image.open("./data/108.jpeg")
print(back.size, back.mode, front.size, front.mode)
""",
        """
height = back.height // 2
front = front.resize((round(front.width * height / front.height), height))
left, top = (back.width - front.width) // 2, (back.height - front.height) // 2
result = back.copy()
result.paste(front, (left, top))
result.save("./output/107.png")
print(result.size, (left, top), front.size)
""",
    ],
    "answer": "已把第二张图缩小后放在第一张图（背景）的中央，保存为 ./output/107.png。",
}
WRONG = {
    "background-hidden": {
        "why": "brings the upper picture to the size of the background, which it then hides",
        "cells": [
            """
from PIL import Image

back, front = Image.open("./data/107.jpeg"), Image.open("./data/108.jpeg")
result = back.copy()
result.paste(front.resize(back.size), (0, 0))
result.save("./output/107.png")
"""
        ],
        "answer": "第二张图已叠加在第一张图上。",
    },
    "layers-swapped": {
        "why": "puts the first picture over the second",
        "cells": [
            """
from PIL import Image

front, back = Image.open("./data/107.jpeg"), Image.open("./data/108.jpeg")
result = back.copy()
result.paste(front.resize((256, 171)), (128, 140))
result.save("./output/107.png")
"""
        ],
        "answer": "已把第二张图放在上层。",
    },
    "side-by-side": {
        "why": "puts the pictures next to each other",
        "cells": [
            """
from PIL import Image

back, front = Image.open("./data/107.jpeg"), Image.open("./data/108.jpeg")
result = Image.new("RGB", (back.width + front.width, max(back.height, front.height)))
result.paste(back, (0, 0))
result.paste(front, (back.width, 0))
result.save("./output/107.png")
"""
        ],
        "answer": "两张图已合成，保存为 ./output/107.png。",
    },
}
