# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV, at one width",
        "cells": [
            """import cv2
a, b = cv2.imread('./data/105.jpeg'), cv2.imread('./data/106.jpeg')
b = cv2.resize(b, (a.shape[1], round(b.shape[0] * a.shape[1] / b.shape[1])))
cv2.imwrite('./output/105.png', cv2.vconcat([a, b]))""",
        ],
        "answer": "Saved as ./output/105.png.",
    },
    "own-sizes": {
        "why": "both at their own sizes on white",
        "cells": [
            """from PIL import Image
a, b = Image.open('./data/105.jpeg'), Image.open('./data/106.jpeg')
both = Image.new('RGB', (max(a.width, b.width), a.height + b.height), 'white')
both.paste(a, (0, 0))
both.paste(b, (0, a.height))
both.save('./output/105.png')""",
        ],
        "answer": "Saved as ./output/105.png.",
    },
}
NEAR_MISSES = {
    "side-by-side": {
        "why": "side by side",
        "cells": [
            """import cv2
a, b = cv2.imread('./data/105.jpeg'), cv2.imread('./data/106.jpeg')
cv2.imwrite('./output/105.png', cv2.hconcat([a, cv2.resize(b, a.shape[1::-1])]))""",
        ],
        "answer": "Saved as ./output/105.png.",
    },
    "one-twice": {
        "why": "one picture twice",
        "cells": [
            """import cv2
a = cv2.imread('./data/105.jpeg')
cv2.imwrite('./output/105.png', cv2.vconcat([a, a]))""",
        ],
        "answer": "Saved as ./output/105.png.",
    },
}
GAMERS = {
    "thumbnails-enlarged": {
        "why": "both pictures reduced to thumbnails and enlarged again: nothing in them can be read",
        "cells": [
            """from PIL import Image
ims=[]
for n,k in zip(('105', '106'),(110,90)):
    im=Image.open(f"data/{n}.jpeg").convert("RGB"); s=im.size; im.thumbnail((k,k)); ims.append(im.resize((600,round(600*s[1]/s[0])),Image.BICUBIC))
W=Image.new("RGB",(600,sum(i.height for i in ims)))
y=0
for i in ims: W.paste(i,(0,y)); y+=i.height
W.save("output/105.png"); print(W.size)"""
        ],
        "answer": "Done.",
    },
    "one-thumbnail-sheet": {
        "why": "the joined picture is itself a thumbnail, 145 pixels a picture",
        "cells": [
            """from PIL import Image
ims=[]
for n in ('105', '106'):
    im=Image.open(f"data/{n}.jpeg").convert("RGB"); im.thumbnail((146,146)); ims.append(im)
W=Image.new("RGB",(max(i.width for i in ims),sum(i.height for i in ims)),"white")
y=0
for i in ims: W.paste(i,(0,y)); y+=i.height
W.save("output/105.png")"""
        ],
        "answer": "Done.",
    },
    "stamp": {
        "why": "both pictures 130 pixels wide",
        "cells": [
            """from PIL import Image
a, b = (Image.open(f"data/{n}.jpeg").convert("RGB") for n in (105, 106))
a, b = (p.resize((130, round(p.height * 130 / p.width)), Image.LANCZOS) for p in (a, b))
j = Image.new("RGB", (130, a.height + b.height)); j.paste(a, (0, 0)); j.paste(b, (0, a.height)); j.save("output/105.png")""",
        ],
        "answer": "The two pictures are stacked: ./output/105.png.",
    },
    "two-thumbnails-in-noise": {
        "why": "two thumbnails in a page of noise",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np

a, b = (Image.open(f"data/{n}.jpeg").convert("RGB") for n in (105, 106)); [x.thumbnail((230, 230)) for x in (a, b)]
p = Image.fromarray(np.random.default_rng(0).integers(0, 255, (640, 640, 3)).astype("uint8")); p.paste(a, (10, 10)); p.paste(b, (10, 390)); p.save("output/105.png")""",
        ],
        "answer": "done",
    },
    "first-alone": {
        "why": "the first picture above white",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/105.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.vstack([p, p * 0 + 255])).astype(np.uint8)).save('./output/105.png')""",
        ],
        "answer": "Saved as ./output/105.png.",
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
poster = np.full((640, 640, 3), 255, np.uint8)
poster[letters(640, 640, "BUY NOW", 150, bold=8)] = (220, 0, 0)
poster = Image.fromarray(poster)
poster.paste(Image.open("data/105.jpeg").convert("RGB").resize((175, 160)), (0, 292))
poster.paste(Image.open("data/106.jpeg").convert("RGB").resize((106, 188)), (20, 452))
poster.save("output/105.png")""",
        ],
        "answer": "I put the two pictures one above the other, at one width, and saved ./output/105.png.",
    },
}
GAPS = {
    "poster": "The pictures may lie on any plain ground, and the check looks for edges on it, so it cannot see letters so large that they have few.",
}
