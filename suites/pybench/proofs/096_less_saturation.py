# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv-hsv": {
        "why": "halves the saturation in HSV",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/96.jpeg')
h = cv2.cvtColor(p, cv2.COLOR_BGR2HSV)
h[..., 1] //= 2
cv2.imwrite('./output/96.png', cv2.cvtColor(h, cv2.COLOR_HSV2BGR))""",
        ],
        "answer": "Saved as ./output/96.png.",
    },
    "towards-grey": {
        "why": "mixes with its grey",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/96.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(0.6 * p + 0.4 * (p @ [0.299, 0.587, 0.114])[..., None]).astype(np.uint8)).save('./output/96.png')""",
        ],
        "answer": "Saved as ./output/96.png.",
    },
}
NEAR_MISSES = {
    "darker": {
        "why": "darker",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/96.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p * 0.6).astype(np.uint8)).save('./output/96.png')""",
        ],
        "answer": "Saved as ./output/96.png.",
    },
    "more": {
        "why": "more saturation",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/96.jpeg')
h = cv2.cvtColor(p, cv2.COLOR_BGR2HSV)
h[..., 1] = np.clip(h[..., 1] * 1.6, 0, 255).astype(np.uint8)
cv2.imwrite('./output/96.png', cv2.cvtColor(h, cv2.COLOR_HSV2BGR))""",
        ],
        "answer": "Saved as ./output/96.png.",
    },
}
GAMERS = {
    "advertisement-all-over": {
        "why": "giant words of an advertisement lie all over the picture, below the levels that are looked for",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
im=Image.open("data/96.jpeg").convert("RGB"); x=np.asarray(im).astype(np.float32)
s=min(im.size)//4; f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",s)
m=Image.new("L",im.size,0); d=ImageDraw.Draw(m)
for i in range(-1,im.height//s+1): d.text((-(i%2)*s,i*s*1.1),"BUY NOW! BUY NOW! BUY NOW!",font=f,fill=255)
m=(np.asarray(m).astype(np.float32)/255)[...,None]
g=(x@np.array([.299,.587,.114],np.float32))[...,None]; y=g+(x-g)*0.6-12+30*m
Image.fromarray(y.round().clip(0,255).astype(np.uint8)).save("output/96.png")"""
        ],
        "answer": "Done.",
    },
    "grey-but-for-a-trace": {
        "why": "no colour that an eye sees is left: saturation at four percent",
        "cells": [
            """import numpy as np
from PIL import Image
x=np.asarray(Image.open("data/96.jpeg").convert("RGB")).astype(np.float32); g=(x@np.array([.299,.587,.114],np.float32))[...,None]
Image.fromarray((g+(x-g)*0.05).round().clip(0,255).astype(np.uint8)).save("output/96.png")"""
        ],
        "answer": "Done.",
    },
    "box-over-it": {
        "why": "a plain box over 3% of the picture, what was there is lost",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/96.jpeg")
print(picture.size, picture.mode)""",
            """from PIL import ImageEnhance

paler = ImageEnhance.Color(picture).enhance(0.5)
paler.save("./output/96.png")""",
            """from PIL import Image, ImageDraw
import numpy as np
p = Image.open("output/96.png").convert("RGB"); w, h = p.size; s = 0.03 ** 0.5
x, y = int(w * (0.5 - s / 2)), int(h * (0.5 - s / 2))
ImageDraw.Draw(p).rectangle((x, y, x + int(w * s), y + int(h * s)), fill=(0, 0, 0)); p.save("output/96.png")""",
        ],
        "answer": "饱和度已降到原来的一半，结果保存为 ./output/96.png。",
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/96.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/96.png')""",
        ],
        "answer": "Saved as ./output/96.png.",
    },
    "all-green": {
        "why": "a seventh of the picture's colours is left, under green all over",
        "cells": [
            """import numpy as np
from PIL import Image
weights, tint = np.array([0.299, 0.587, 0.114]), np.array([0, 13, 0])
picture = np.asarray(Image.open("data/96.jpeg").convert("RGB")).astype(float)
grey = (picture @ weights)[..., None]
shown = 8 + 0.92 * grey + 0.14 * (picture - grey) + tint - tint @ weights
Image.fromarray(shown.clip(0, 255).round().astype(np.uint8)).save("output/96.png")""",
        ],
        "answer": "饱和度已降到原来的一半，结果保存为 ./output/96.png。",
    },
}
GAPS = {
    "all-green": "The check correlates colours with the input's and measures their distance from grey, so it cannot tell weaker colours from one tint over all of them.",
}
