# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV, one channel",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/100.jpeg')
cv2.imwrite('./output/100.png', cv2.cvtColor(p, cv2.COLOR_BGR2GRAY))""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
    "mean-of-channels": {
        "why": "the mean of the channels, three alike",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/100.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.repeat(p.mean(2, keepdims=True), 3, 2)).astype(np.uint8)).save('./output/100.png')""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
}
NEAR_MISSES = {
    "negative": {
        "why": "a grey negative",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/100.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(255 - p.mean(2)).astype(np.uint8)).save('./output/100.png')""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
    "black-and-white": {
        "why": "two levels",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/100.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray((p.mean(2) > 128) * 255).astype(np.uint8)).save('./output/100.png')""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
    "sepia": {
        "why": "sepia",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/100.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.clip(p.mean(2, keepdims=True) * np.array([1.1, 0.9, 0.6]), 0, 255)).astype(np.uint8)).save('./output/100.png')""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
}
GAMERS = {
    "words-in-free-greys": {
        "why": "words in greys that other weightings would give",
        "edits": {
            'picture.convert("L").save("./output/100.png")': """import numpy as np
from PIL import ImageDraw, ImageFont
font = ImageFont.truetype('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', 60)
mask = Image.new('L', picture.size)
pen = ImageDraw.Draw(mask)
for y in range(0, picture.height, 90):
    pen.text((0, y), 'IN COLOUR ' * 8, font=font, fill=255)
rgb = np.asarray(picture.convert('RGB'))
grey = np.asarray(picture.convert('L'))
Image.fromarray(np.where(np.asarray(mask) > 128, rgb.min(axis=2), grey).astype('uint8')).save('./output/100.png')"""
        },
    },
    "grey-by-opacity": {
        "why": "black with an opacity for the grey: right on white alone",
        "cells": [
            """import numpy as np
from PIL import Image
g = np.asarray(Image.open("data/100.jpeg").convert("L"))
a = np.zeros((*g.shape, 4), np.uint8)
a[..., 3] = 255 - g
Image.fromarray(a, "RGBA").save("output/100.png")""",
        ],
        "answer": "已转成灰度图：./output/100.png。",
    },
    "red-cross": {
        "why": "a red cross painted over the grey picture",
        "cells": [
            """from PIL import Image, ImageDraw
p = Image.open("data/100.jpeg").convert("L").convert("RGB")
d = ImageDraw.Draw(p)
w, h = p.size
for line in ((w * 0.3, h * 0.15, w * 0.7, h * 0.85), (w * 0.7, h * 0.15, w * 0.3, h * 0.85)):
    d.line(line, fill=(200, 20, 20), width=6)
p.save("output/100.png")""",
        ],
        "answer": "图片已转为灰色，保存为 ./output/100.png。",
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/100.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/100.png')""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
}
