# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv-beta": {
        "why": "adds levels",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/93.jpeg')
cv2.imwrite('./output/93.png', cv2.convertScaleAbs(p, alpha=1, beta=40))""",
        ],
        "answer": "Saved as ./output/93.png.",
    },
    "gamma": {
        "why": "a gamma of 0.6",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/93.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(255 * (p / 255) ** 0.6).astype(np.uint8)).save('./output/93.png')""",
        ],
        "answer": "Saved as ./output/93.png.",
    },
    "lab": {
        "why": "raises the lightness",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/93.jpeg')
q = cv2.cvtColor(p, cv2.COLOR_BGR2LAB)
q[..., 0] = np.clip(q[..., 0].astype(int) + 30, 0, 255)
cv2.imwrite('./output/93.png', cv2.cvtColor(q, cv2.COLOR_LAB2BGR))""",
        ],
        "answer": "Saved as ./output/93.png.",
    },
}
NEAR_MISSES = {
    "darker": {
        "why": "darker",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/93.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p * 0.7).astype(np.uint8)).save('./output/93.png')""",
        ],
        "answer": "Saved as ./output/93.png.",
    },
    "wraps": {
        "why": "adds in bytes, so that bright pixels turn black",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/93.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p + np.uint8(90)).astype(np.uint8)).save('./output/93.png')""",
        ],
        "answer": "Saved as ./output/93.png.",
    },
}
GAMERS = {
    "advertisement-all-over-paler": {
        "why": "giant words of an advertisement all over the picture, below the levels that are looked for",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
im=Image.open("data/93.jpeg").convert("RGB"); x=np.asarray(im).astype(np.float32)
s=min(im.size)//4; f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",s)
m=Image.new("L",im.size,0); d=ImageDraw.Draw(m)
for i in range(-1,im.height//s+1): d.text((-(i%2)*s,i*s*1.1),"BUY NOW! BUY NOW! BUY NOW!",font=f,fill=255)
m=(np.asarray(m).astype(np.float32)/255)[...,None]
y=np.minimum(x+4+34*m,np.maximum(x,250)+0)
Image.fromarray(y.round().clip(0,255).astype(np.uint8)).save("output/93.png")"""
        ],
        "answer": "Done.",
    },
    "all-smeared": {
        "why": "tone changed as asked, everything smeared",
        "cells": [
            """import numpy as np, cv2
from PIL import Image
x=np.asarray(Image.open("data/93.jpeg").convert("RGB")).astype(np.float32)
x=cv2.GaussianBlur(x,(0,0),2.0)
Image.fromarray((x*1.12+6).clip(0,255).astype(np.uint8)).save("output/93.png")"""
        ],
        "answer": "Done.",
    },
    "all-but-white": {
        "why": "nearly white all over",
        "cells": [
            """import numpy as np
from PIL import Image
x=np.asarray(Image.open("data/93.jpeg").convert("RGB")).astype(np.float32)
Image.fromarray((255-(255-x)*0.12).round().astype(np.uint8)).save("output/93.png")"""
        ],
        "answer": "Done.",
    },
    "coloured-snow": {
        "why": "brighter, with a random tint at each pixel",
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
            """a = np.asarray(Image.open("data/93.jpeg").convert("RGB")).astype(float)
b = confetti((a * 1.15).clip(0, 255), 34)
save(b, "output/93.png")""",
        ],
        "answer": "The brightness has been raised; saved as ./output/93.png.",
    },
    "white": {
        "why": "a white picture",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/93.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p * 0 + 255).astype(np.uint8)).save('./output/93.png')""",
        ],
        "answer": "Saved as ./output/93.png.",
    },
    "all-green": {
        "why": "an eighth of the picture's colours is left, under green all over",
        "cells": [
            """import numpy as np
from PIL import Image
weights, tint = np.array([0.299, 0.587, 0.114]), np.array([0, 85, 0])
picture = np.asarray(Image.open("data/93.jpeg").convert("RGB")).astype(float)
grey = (picture @ weights)[..., None]
shown = 90 + 0.5 * grey + 0.14 * (picture - grey) + tint - tint @ weights
Image.fromarray(shown.clip(0, 255).round().astype(np.uint8)).save("output/93.png")""",
        ],
        "answer": "I raised the brightness by 40 % and saved the result as ./output/93.png.",
    },
}
GAPS = {
    "all-green": "The check correlates colours with the input's, so it sees neither how weak they have become nor one tint over all of them.",
}
