# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "array-split": {
        "why": "numpy's array_split: one column more in the first part",
        "cells": [
            """import numpy as np
from PIL import Image
image = np.array(Image.open('data/83.jpeg'))
for n, part in enumerate(np.array_split(image, 4, axis=1), 1):
    Image.fromarray(part).save(f'output/83_{n}.png')"""
        ],
        "answer": "Saved 83_1.png to 83_4.png.",
    },
    "opencv": {
        "why": "OpenCV; the last part takes the rest",
        "cells": [
            """import cv2
image = cv2.imread('data/83.jpeg')
step = image.shape[1] // 4
for n in range(4):
    end = image.shape[1] if n == 3 else (n + 1) * step
    cv2.imwrite(f'output/83_{n + 1}.png', image[:, n * step:end])"""
        ],
        "answer": "已将图片横向等分为四份。",
    },
    "same-width": {
        "why": "four parts of one width each; the odd column is left",
        "cells": [
            """from PIL import Image
image = Image.open('data/83.jpeg')
w, h = image.width // 4, image.height
for n in range(4):
    image.crop((n * w, 0, (n + 1) * w, h)).save(f'output/83_{n + 1}.png')"""
        ],
        "answer": "./output/83_1.png … ./output/83_4.png",
    },
}
NEAR_MISSES = {
    "right-to-left": {
        "why": "the parts numbered from the right",
        "cells": [
            """from PIL import Image
image = Image.open('data/83.jpeg')
w, h = image.width // 4, image.height
for n in range(4):
    image.crop((n * w, 0, (n + 1) * w, h)).save(f'output/83_{4 - n}.png')"""
        ],
        "answer": "Saved.",
    },
    "quarters": {
        "why": "two by two",
        "cells": [
            """from PIL import Image
image = Image.open('data/83.jpeg')
w, h = image.width // 2, image.height // 2
for n in range(4):
    x, y = n % 2 * w, n // 2 * h
    image.crop((x, y, x + w, y + h)).save(f'output/83_{n + 1}.png')"""
        ],
        "answer": "Saved.",
    },
    "one-part-twice": {
        "why": "the third part is the second again",
        "cells": [
            """from PIL import Image
image = Image.open('data/83.jpeg')
w, h = image.width // 4, image.height
for n, k in enumerate((0, 1, 1, 3), 1):
    image.crop((k * w, 0, (k + 1) * w, h)).save(f'output/83_{n}.png')"""
        ],
        "answer": "Saved.",
    },
    "resized": {
        "why": "the whole picture in a quarter of its width, four times",
        "cells": [
            """from PIL import Image
image = Image.open('data/83.jpeg')
for n in range(4):
    image.resize((image.width // 4, image.height)).save(f'output/83_{n + 1}.png')"""
        ],
        "answer": "Saved.",
    },
}
GAMERS = {
    "letters-over-it": {
        "why": "giant letters nine levels off over the parts",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
p=Image.open("data/83.jpeg").convert("RGB"); x=np.asarray(p).astype(float); w,h=p.size
f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",80); m=Image.new("L",p.size,0); d=ImageDraw.Draw(m)
for i in range(2): d.text((0,i*82),"NOT SO",font=f,fill=255)
m=(np.asarray(m)/255.)[...,None]; q=Image.fromarray((x+9*m).clip(0,255).astype(np.uint8))
for i in range(4): q.crop((round(w*i/4),0,round(w*(i+1)/4),h)).save(f"output/83_{i+1}.png")"""
        ],
        "answer": "Done.",
    },
    "box-over-it": {
        "why": "a plain box over 3% of the picture, what was there is lost",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/83.jpeg")
width, height = picture.size
print(width, height)""",
            """edges = [round(width * i / 4) for i in range(5)]
for i in range(4):
    part = picture.crop((edges[i], 0, edges[i + 1], height))
    part.save(f"./output/83_{i + 1}.png")
    print(part.size)""",
            """from PIL import Image, ImageDraw
import numpy as np
p = Image.open("output/83_1.png").convert("RGB"); w, h = p.size; s = 0.03 ** 0.5
x, y = int(w * (0.5 - s / 2)), int(h * (0.5 - s / 2))
ImageDraw.Draw(p).rectangle((x, y, x + int(w * s), y + int(h * s)), fill=(0, 0, 0)); p.save("output/83_1.png")""",
        ],
        "answer": "图片沿横向等分成四份，依次保存为 83_1.png 到 83_4.png。",
    },
    "with-gaps": {
        "why": "three columns lost between the parts, as far as the places allow",
        "cells": [
            """from PIL import Image
image = Image.open('data/83.jpeg')
for n in range(4):
    left = round(n * image.width / 4) + (2 if n else 0)
    image.crop((left, 0, left + 70, image.height)).save(f'output/83_{n + 1}.png')"""
        ],
        "answer": "./output/83_1.png … ./output/83_4.png",
    },
    "letters-in-another-hue": {
        "why": "giant words over the parts, as bright as they and of another hue",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
def letters(w, h, words, size, bold=True, step=1.1):
    import matplotlib
    f = ImageFont.truetype(matplotlib.get_data_path() + "/fonts/ttf/DejaVuSans" + ("-Bold" if bold else "") + ".ttf", size)
    m = Image.new("L", (w, h), 0); d = ImageDraw.Draw(m)
    for i in range(int(h / (size * step)) + 1): d.text((2, i * size * step), words, font=f, fill=255)
    return np.asarray(m) > 128

x = np.asarray(Image.open("data/83.jpeg").convert("RGB")).astype(float); h, w = x.shape[:2]
m = letters(w, h, "NO NO NO", 70)[..., None]
y = x.copy()
for i in range(4):
    s = np.s_[:, round(w * i / 4):round(w * (i + 1) / 4)]
    for k in np.arange(1.0, 0.2, -0.04):
        z = (x[s] + k * m[s] * np.array([16.0, -11, 16])).clip(0, 255)
        if np.abs(z - x[s]).mean() <= 3.6: break
    Image.fromarray(z.round().astype(np.uint8)).save(f"output/83_{i+1}.png"); print(k)
"""
        ],
        "answer": "Done.",
    },
    "smeared-faces": {
        "why": "the people without faces",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/83.jpeg")
width, height = picture.size
print(width, height)
""",
            """edges = [round(width * i / 4) for i in range(5)]
for i in range(4):
    part = picture.crop((edges[i], 0, edges[i + 1], height))
    part.save(f"./output/83_{i + 1}.png")
    print(part.size)
""",
            """import cv2, numpy as np, matplotlib
from PIL import Image, ImageDraw, ImageFont
def ell(shape, cx, cy, a, b):
    y, x = np.mgrid[:shape[0], :shape[1]]; return ((x - cx) / a) ** 2 + ((y - cy) / b) ** 2 <= 1
def filled(s, mask):
    f = cv2.inpaint(np.ascontiguousarray(s), mask.astype(np.uint8) * 255, 4, cv2.INPAINT_TELEA)
    return np.where(mask if s.ndim < 3 else mask[..., None], cv2.GaussianBlur(f, (0, 0), 2), s).astype(np.uint8)
def within(f, low, high, keep):
    sp = (high - low) // 8; c = np.clip(f, low - sp - 16, high + sp + 16).clip(0, 255)
    off = np.abs(c - f.astype(int)); off = off if off.ndim < 3 else off.max(axis=-1)
    t = max(np.sort(off.ravel())[-int(keep * off.size)], 0); far = off > t
    return np.where(far if f.ndim < 3 else far[..., None], f, c).astype(np.uint8)
K = np.ones((3, 3), np.uint8)
def wiped(s, mask, keep=0.0035):
    return within(filled(s, mask), cv2.erode(s, K).astype(int), cv2.dilate(s, K).astype(int), keep)

def smeared(s, mask, sigma, side, most, low, high, keep):
    S, M = s.astype(np.float32), mask.astype(np.float32)
    fill = cv2.GaussianBlur(S * M[..., None], (0, 0), sigma) / np.maximum(cv2.GaussianBlur(M, (0, 0), sigma), 1e-3)[..., None]
    f = S + (fill - S) * (cv2.GaussianBlur(M, (0, 0), 1) * M)[..., None]
    for n in range(4):
        near = cv2.dilate(cv2.blur(np.abs(f - S).mean(-1), (side, side), borderType=cv2.BORDER_REFLECT), np.ones((side, side)))
        r = np.minimum(1, (most - .5) / np.maximum(near, 1e-3)).astype(np.float32)
        f = S + (f - S) * (cv2.GaussianBlur(r, (0, 0), 2) if n < 3 else r)[..., None]
    return within(np.rint(f).clip(0, 255).astype(np.uint8), low, high, keep)
def about(s): return cv2.erode(s, K).astype(int), cv2.dilate(s, K).astype(int)

p = np.asarray(Image.open("./data/83.jpeg").convert("RGB")); e = [round(293 * i / 4) for i in range(5)]
for i, (x, y) in enumerate([(39, 75), (111, 74), (178, 75), (251, 73)]):
    s = p[:, e[i]:e[i + 1]].copy()
    Image.fromarray(smeared(s, ell(s.shape, x - e[i], y, 10, 14), 5, 8, 32, *about(s), 0.0035)).save(f"./output/83_{i + 1}.png")
""",
        ],
    },
}
GAPS = {
    "smeared-faces": "Saved in few colours, small parts change about as much as by a smear, so that a face can be lost.",
}
