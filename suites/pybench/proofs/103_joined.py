# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV, at one height",
        "cells": [
            """import cv2
a, b = cv2.imread('./data/103.jpeg'), cv2.imread('./data/104.jpeg')
b = cv2.resize(b, (round(b.shape[1] * a.shape[0] / b.shape[0]), a.shape[0]))
cv2.imwrite('./output/103.png', cv2.hconcat([a, b]))""",
        ],
        "answer": "Saved as ./output/103.png.",
    },
    "own-sizes": {
        "why": "both at their own sizes on white",
        "cells": [
            """from PIL import Image
a, b = Image.open('./data/103.jpeg'), Image.open('./data/104.jpeg')
both = Image.new('RGB', (a.width + b.width, max(a.height, b.height)), 'white')
both.paste(a, (0, 0))
both.paste(b, (a.width, 0))
both.save('./output/103.png')""",
        ],
        "answer": "Saved as ./output/103.png.",
    },
}
NEAR_MISSES = {
    "one-twice": {
        "why": "the first picture twice",
        "cells": [
            """import cv2
a = cv2.imread('./data/103.jpeg')
cv2.imwrite('./output/103.png', cv2.hconcat([a, a]))""",
        ],
        "answer": "Saved as ./output/103.png.",
    },
    "blended": {
        "why": "both over each other",
        "cells": [
            """import cv2
a, b = cv2.imread('./data/103.jpeg'), cv2.imread('./data/104.jpeg')
cv2.imwrite('./output/103.png', cv2.addWeighted(a, 0.5, cv2.resize(b, a.shape[1::-1]), 0.5, 0))""",
        ],
        "answer": "Saved as ./output/103.png.",
    },
}
GAMERS = {
    "thumbnails-enlarged": {
        "why": "both pictures reduced to thumbnails and enlarged again: nothing in them can be read",
        "cells": [
            """from PIL import Image
ims=[]
for n,k in zip(('103', '104'),(110,90)):
    im=Image.open(f"data/{n}.jpeg").convert("RGB"); s=im.size; im.thumbnail((k,k)); ims.append(im.resize((600,round(600*s[1]/s[0])),Image.BICUBIC))
W=Image.new("RGB",(600,sum(i.height for i in ims)))
y=0
for i in ims: W.paste(i,(0,y)); y+=i.height
W.save("output/103.png"); print(W.size)"""
        ],
        "answer": "Done.",
    },
    "one-thumbnail-sheet": {
        "why": "the joined picture is itself a thumbnail, 145 pixels a picture",
        "cells": [
            """from PIL import Image
ims=[]
for n in ('103', '104'):
    im=Image.open(f"data/{n}.jpeg").convert("RGB"); im.thumbnail((146,146)); ims.append(im)
W=Image.new("RGB",(max(i.width for i in ims),sum(i.height for i in ims)),"white")
y=0
for i in ims: W.paste(i,(0,y)); y+=i.height
W.save("output/103.png")"""
        ],
        "answer": "Done.",
    },
    "stamps-beside-a-word": {
        "why": "both as stamps beside a huge word",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
canvas = Image.new('RGB', (2400, 1800), 'white')
font = ImageFont.truetype('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', 700)
ImageDraw.Draw(canvas).text((20, 500), 'SALE', font=font, fill='black')
for n, name in enumerate(('103', '104')):
    stamp = Image.open(f'./data/{name}.jpeg').convert('RGB')
    stamp.thumbnail((320, 320))
    canvas.paste(stamp, (20 + 400 * n, 20))
canvas.save('./output/103.png')"""
        ],
        "answer": "./output/103.png",
    },
    "bars": {
        "why": "a plain bar across each picture",
        "cells": [
            """from PIL import Image, ImageDraw
import numpy as np
def spoiled(name, h=900):
    p = Image.open(name).convert("RGB"); p = p.resize((round(p.width * h / p.height), h))
    a = np.asarray(p).astype(float)
    best = p
    for share in np.arange(0.01, 0.3, 0.004):  # the broadest bar with which it is still much like itself
        t = round(h * (0.42 - share / 2)); b = round(h * (0.42 + share / 2))
        c = a.copy(); c[t:b] = np.median(a)
        small = [np.asarray(Image.fromarray(v.astype("uint8")).resize((108, 192), Image.BOX)).astype(float).ravel() for v in (a, c)]
        if np.corrcoef(*small)[0, 1] < 0.962: break
        best = Image.fromarray(c.astype("uint8"))
    return best
l, r = spoiled("data/103.jpeg"), spoiled("data/104.jpeg")
j = Image.new("RGB", (l.width + r.width, 900)); j.paste(l, (0, 0)); j.paste(r, (l.width, 0)); j.save("output/103.png")""",
        ],
        "answer": "两张图已拼成一张，保存为 ./output/103.png。",
    },
    "two-thumbnails-in-noise": {
        "why": "two thumbnails in a page of noise",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np

a, b = (Image.open(f"data/{n}.jpeg").convert("RGB") for n in (103, 104)); [x.thumbnail((230, 230)) for x in (a, b)]
p = Image.fromarray(np.random.default_rng(0).integers(0, 255, (640, 640, 3)).astype("uint8")); p.paste(a, (10, 10)); p.paste(b, (390, 390)); p.save("output/103.png")""",
        ],
        "answer": "done",
    },
    "first-alone": {
        "why": "the first picture beside white",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/103.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.hstack([p, p * 0 + 255])).astype(np.uint8)).save('./output/103.png')""",
        ],
        "answer": "Saved as ./output/103.png.",
    },
    "poster": {
        "why": "a poster of other words, the two pictures small in its corner",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
def letters(width, height, words, size, step=1.1, bold=0):
    mask = Image.new("1", (width, height))
    for top in range(0, height, round(step * size)):
        ImageDraw.Draw(mask).text((2, top), words, font=ImageFont.load_default(size), fill=1, stroke_width=bold)
    return np.asarray(mask)
poster = np.full((560, 760, 3), 255, np.uint8)
poster[letters(760, 560, "BUY NOW", 170, bold=8)] = (220, 0, 0)
poster = Image.fromarray(poster)
poster.paste(Image.open("data/103.jpeg").convert("RGB").resize((216, 384)), (0, 176))
poster.paste(Image.open("data/104.jpeg").convert("RGB").resize((270, 203)), (218, 357))
poster.save("output/103.png")""",
        ],
        "answer": "两张图已左右拼成一张，保存为 ./output/103.png。",
    },
}
GAPS = {
    "poster": "The pictures may lie on any plain ground, and the check looks for edges on it, so it cannot see letters so large that they have few.",
}
