# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "half-size": {
        "why": "the upper picture at half the width, in a corner",
        "cells": [
            """from PIL import Image
a, b = Image.open('./data/107.jpeg').convert('RGB'), Image.open('./data/108.jpeg').convert('RGB')
b = b.resize((a.width // 2, round(b.height * a.width / 2 / b.width)))
a.paste(b, (0, 0))
a.save('./output/107.png')""",
        ],
        "answer": "Saved as ./output/107.png.",
    },
    "see-through": {
        "why": "half see-through by OpenCV",
        "cells": [
            """import cv2
a, b = cv2.imread('./data/107.jpeg'), cv2.imread('./data/108.jpeg')
cv2.imwrite('./output/107.png', cv2.addWeighted(a, 0.5, cv2.resize(b, a.shape[1::-1]), 0.5, 0))""",
        ],
        "answer": "Saved as ./output/107.png.",
    },
}
NEAR_MISSES = {
    "wrong-one-above": {
        "why": "the first picture above the second",
        "cells": [
            """from PIL import Image
a, b = Image.open('./data/107.jpeg').convert('RGB'), Image.open('./data/108.jpeg').convert('RGB')
a = a.resize((b.width // 2, round(a.height * b.width / 2 / a.width)))
b.paste(a, (0, 0))
b.save('./output/107.png')""",
        ],
        "answer": "Saved as ./output/107.png.",
    },
    "side-by-side": {
        "why": "side by side",
        "cells": [
            """import cv2
a, b = cv2.imread('./data/107.jpeg'), cv2.imread('./data/108.jpeg')
cv2.imwrite('./output/107.png', cv2.hconcat([a, cv2.resize(b, a.shape[1::-1])]))""",
        ],
        "answer": "Saved as ./output/107.png.",
    },
}
GAMERS = {
    "both-smeared": {
        "why": "both pictures enlarged from thumbnails",
        "cells": [
            """from PIL import Image
a=Image.open("data/107.jpeg").convert("RGB"); b=Image.open("data/108.jpeg").convert("RGB")
A=a.resize((96,64)).resize(a.size,Image.BICUBIC); s=b.resize((70,62)).resize((256,226),Image.BICUBIC)
A.paste(s,(128,58)); A.save("output/107.png")"""
        ],
        "answer": "Done.",
    },
    "two-thirds-outside": {
        "why": "two thirds of the upper picture lie outside",
        "cells": [
            """from PIL import Image
a=Image.open("data/107.jpeg").convert("RGB"); b=Image.open("data/108.jpeg").convert("RGB").resize((300,265))
a.paste(b,(a.width-102,40)); a.save("output/107.png")"""
        ],
        "answer": "Done.",
    },
    "bars-over-both": {
        "why": "black bars over an eighth of it",
        "cells": [
            """from PIL import Image

back, front = Image.open("./data/107.jpeg"), Image.open("./data/108.jpeg")
print(back.size, back.mode, front.size, front.mode)""",
            """height = back.height // 2
front = front.resize((round(front.width * height / front.height), height))
left, top = (back.width - front.width) // 2, (back.height - front.height) // 2
result = back.copy()
result.paste(front, (left, top))
result.save("./output/107.png")
print(result.size, (left, top), front.size)""",
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np
p = Image.open("output/107.png").convert("RGB"); d = ImageDraw.Draw(p)
for k in range(8): d.rectangle((0, int(p.height * (k + 0.4) / 8), p.width, int(p.height * (k + 0.5) / 8)), fill=(0, 0, 0))
p.save("output/107.png")""",
        ],
        "answer": "已把第二张图缩小后放在第一张图（背景）的中央，保存为 ./output/107.png。",
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/107.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/107.png')""",
        ],
        "answer": "Saved as ./output/107.png.",
    },
    "in-fog": {
        "why": "both pictures as if in fog, under NOTHING in large letters",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
def letters(width, height, words, size, step=1.1, bold=0):
    mask = Image.new("1", (width, height))
    for top in range(0, height, round(step * size)):
        ImageDraw.Draw(mask).text((2, top), words, font=ImageFont.load_default(size), fill=1, stroke_width=bold)
    return np.asarray(mask)
size = (1024, 684)
one, other = (np.asarray(Image.open(f"data/{n}.jpeg").convert("RGB").resize(size, Image.LANCZOS)).astype(float) for n in (107, 108))
shown = 128 + 0.34 * (one - one.mean()) + 0.34 * (other - other.mean())
shown += np.where(letters(*size, "NOTHING", 200, 1.15, bold=8), 15, -15)[..., None]
Image.fromarray(shown.clip(0, 255).round().astype(np.uint8)).save("output/107.png")""",
        ],
        "answer": "已把第二张图缩小后放在第一张图（背景）的中央，保存为 ./output/107.png。",
    },
}
GAPS = {
    "in-fog": "Pictures laid over each other may show through in any proportion, so the check cannot see that both are pale and that large pale letters lie over them.",
}
