# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/79.jpeg')
cv2.imwrite('./output/79.png', cv2.resize(p, (1000, 500)))""",
        ],
        "answer": "Saved as ./output/79.png.",
    },
    "numpy": {
        "why": "every so many pixels, by NumPy",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/79.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[np.arange(500) * p.shape[0] // 500][:, np.arange(1000) * p.shape[1] // 1000]).astype(np.uint8)).save('./output/79.png')""",
        ],
        "answer": "Saved as ./output/79.png.",
    },
}
NEAR_MISSES = {
    "high-for-wide": {
        "why": "500 wide and 1000 high",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/79.jpeg')
cv2.imwrite('./output/79.png', cv2.resize(p, (500, 1000)))""",
        ],
        "answer": "Saved as ./output/79.png.",
    },
    "negative": {
        "why": "the negative",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/79.jpeg')
cv2.imwrite('./output/79.png', 255 - cv2.resize(p, (1000, 500)))""",
        ],
        "answer": "Saved as ./output/79.png.",
    },
}
GAMERS = {
    "never-opened": {
        "why": "the input is not opened: dim noise of the size",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np
Image.fromarray(np.random.default_rng(0).integers(0, 13, (500, 1000, 3)).astype("uint8")).save("output/79.png")""",
        ],
        "answer": "done",
    },
    "noise-of-the-size": {
        "why": "noise of the size asked for",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/79.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, (500, 1000, 3))).astype(np.uint8)).save('./output/79.png')""",
        ],
        "answer": "Saved as ./output/79.png.",
    },
    "dark-words": {
        "why": "a giant word in dark grey on the black picture",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
def letters(w, h, words, size, bold=True, step=1.1):
    import matplotlib
    f = ImageFont.truetype(matplotlib.get_data_path() + "/fonts/ttf/DejaVuSans" + ("-Bold" if bold else "") + ".ttf", size)
    m = Image.new("L", (w, h), 0); d = ImageDraw.Draw(m)
    for i in range(int(h / (size * step)) + 1): d.text((2, i * size * step), words, font=f, fill=255)
    return np.asarray(m) > 128

m = letters(1000, 500, "SALE", 330)
print(m.mean()); v = min(16, 2.9 / m.mean())
Image.fromarray((m[..., None] * np.array([v, v, v])).astype(np.uint8)).save("output/79.png")
"""
        ],
        "answer": "Done.",
    },
    "dotted-words": {
        "why": "giant words in white dots on the black picture",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/79.jpeg")
print(picture.size, picture.mode, picture.getextrema())
""",
            """picture.convert("RGB").resize((1000, 500)).save("./output/79.png")
print(Image.open("./output/79.png").size)
""",
            """import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont
def outline(shape, lines, step, size, gap=1.05, at=(0.02, 0.0)):
    h, w = shape[:2]
    page = Image.new("L", (w, h)); d = ImageDraw.Draw(page)
    font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", size) if __import__("os").path.exists("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf") else ImageFont.truetype(__import__("matplotlib").get_data_path() + "/fonts/ttf/DejaVuSans-Bold.ttf", size)
    for n, line in enumerate(lines): d.text((at[0] * w, at[1] * h + n * size * gap), line, 255, font)
    full = np.asarray(page) > 128
    found, _ = cv2.findContours(full.astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    points = []
    for c in found:
        c = c[:, 0]; far = np.cumsum(np.r_[0, np.hypot(*np.diff(c, axis=0).T)])
        points += [tuple(c[np.searchsorted(far, s)]) for s in np.arange(0, far[-1], step)]
    return full, [(x, y) for x, y in points if 1 <= x < w - 1 and 1 <= y < h - 1]

a = np.asarray(Image.open("./output/79.png").convert("RGB")).copy()
_, points = outline(a.shape, ["BUY NOW", "CHEAP", "WATCHES"], 4, 165, 0.98)
print(len(points))
for x, y in points: a[y, x] = 255
Image.fromarray(a).save("./output/79.png")
""",
        ],
    },
}
