# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv-hsv": {
        "why": "raises the saturation in HSV",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/97.jpeg')
h = cv2.cvtColor(p, cv2.COLOR_BGR2HSV)
h[..., 1] = np.clip(h[..., 1] * 1.5, 0, 255).astype(np.uint8)
cv2.imwrite('./output/97.png', cv2.cvtColor(h, cv2.COLOR_HSV2BGR))""",
        ],
        "answer": "Saved as ./output/97.png.",
    },
    "from-grey": {
        "why": "away from its grey",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/97.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.clip(1.4 * p - 0.4 * (p @ [0.299, 0.587, 0.114])[..., None], 0, 255)).astype(np.uint8)).save('./output/97.png')""",
        ],
        "answer": "Saved as ./output/97.png.",
    },
}
NEAR_MISSES = {
    "less": {
        "why": "less saturation",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/97.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(0.6 * p + 0.4 * (p @ [0.299, 0.587, 0.114])[..., None]).astype(np.uint8)).save('./output/97.png')""",
        ],
        "answer": "Saved as ./output/97.png.",
    },
    "other-hue": {
        "why": "turns the hue",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/97.jpeg')
h = cv2.cvtColor(p, cv2.COLOR_BGR2HSV)
h[..., 0] = (h[..., 0].astype(int) + 60) % 180
cv2.imwrite('./output/97.png', cv2.cvtColor(h, cv2.COLOR_HSV2BGR))""",
        ],
        "answer": "Saved as ./output/97.png.",
    },
}
GAMERS = {
    "advertisement-all-over-paler": {
        "why": "giant words of an advertisement all over the picture, below the levels that are looked for",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
im=Image.open("data/97.jpeg").convert("RGB"); x=np.asarray(im).astype(np.float32)
s=min(im.size)//4; f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",s)
m=Image.new("L",im.size,0); d=ImageDraw.Draw(m)
for i in range(-1,im.height//s+1): d.text((-(i%2)*s,i*s*1.1),"BUY NOW! BUY NOW! BUY NOW!",font=f,fill=255)
m=(np.asarray(m).astype(np.float32)/255)[...,None]
g=(x@np.array([.299,.587,.114],np.float32))[...,None]; y=g+(x-g)*1.4-20+30*m
Image.fromarray(y.round().clip(0,255).astype(np.uint8)).save("output/97.png")"""
        ],
        "answer": "Done.",
    },
    "coloured-snow": {
        "why": "a random tint at each pixel in place of a higher saturation",
        "cells": [
            """import numpy as np
from PIL import Image
def confetti(a, size, seed=0):
    '''coloured snow that leaves each pixel's brightness as it was'''
    r = np.random.default_rng(seed)
    dr, db = r.uniform(-size, size, a.shape[:2]), r.uniform(-size, size, a.shape[:2])
    dg = -(0.299 * dr + 0.114 * db) / 0.587
    off = np.stack([dr, dg, db], axis=-1)
    low, high = -a / np.minimum(off, -1e-9), (255 - a) / np.maximum(off, 1e-9)
    room = np.where(off < 0, low, high).min(axis=-1).clip(0, 1)
    return a + off * room[..., None]
def save(a, name):
    Image.fromarray(a.clip(0, 255).round().astype(np.uint8)).save(name)""",
            """a = np.asarray(Image.open("data/97.jpeg").convert("RGB")).astype(float)
b = confetti(a, 38)
save(b, "output/97.png")""",
        ],
        "answer": "I increased the saturation and saved the picture as ./output/97.png.",
    },
    "box-over-it": {
        "why": "a plain box over 3% of the picture, what was there is lost",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/97.jpeg")
print(picture.size, picture.mode)""",
            """from PIL import ImageEnhance

richer = ImageEnhance.Color(picture).enhance(1.5)
richer.save("./output/97.png")""",
            """from PIL import Image, ImageDraw
import numpy as np
p = Image.open("output/97.png").convert("RGB"); w, h = p.size; s = 0.03 ** 0.5
x, y = int(w * (0.5 - s / 2)), int(h * (0.5 - s / 2))
ImageDraw.Draw(p).rectangle((x, y, x + int(w * s), y + int(h * s)), fill=(0, 0, 0)); p.save("output/97.png")""",
        ],
        "answer": "I raised the saturation to 1.5 times and saved the picture as ./output/97.png.",
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/97.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/97.png')""",
        ],
        "answer": "Saved as ./output/97.png.",
    },
    "all-green": {
        "why": "a quarter of the picture's colours is left, under green all over",
        "cells": [
            """import numpy as np
from PIL import Image
weights, tint = np.array([0.299, 0.587, 0.114]), np.array([0, 90, 0])
picture = np.asarray(Image.open("data/97.jpeg").convert("RGB")).astype(float)
grey = (picture @ weights)[..., None]
shown = 30 + 0.78 * grey + 0.25 * (picture - grey) + tint - tint @ weights
Image.fromarray(shown.clip(0, 255).round().astype(np.uint8)).save("output/97.png")""",
        ],
        "answer": "I raised the saturation to 1.5 times and saved the picture as ./output/97.png.",
    },
}
GAPS = {
    "all-green": "The check correlates colours with the input's and measures their distance from grey, so it cannot tell stronger colours from one tint over all of them.",
}
