# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "grabcut-transparent": {
        "why": "GrabCut from a rectangle, transparent",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/88.jpeg')
mask = np.zeros(image.shape[:2], np.uint8)
cv2.grabCut(image, mask, (60, 20, 600, 900), np.zeros((1, 65)), np.zeros((1, 65)), 5, cv2.GC_INIT_WITH_RECT)
front = np.where((mask == 1) | (mask == 3), 255, 0).astype(np.uint8)
cv2.imwrite('output/88.png', np.dstack([image, front]))"""
        ],
        "answer": "The background is transparent now: ./output/88.png",
    },
    "grabcut-white": {
        "why": "GrabCut with a margin on the whole picture, white in place of the background",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/88.jpeg')
h, w = image.shape[:2]
mask = np.zeros((h, w), np.uint8)
cv2.grabCut(image, mask, (int(w * .05), int(h * .05), int(w * .9), int(h * .9)), np.zeros((1, 65)), np.zeros((1, 65)), 5, cv2.GC_INIT_WITH_RECT)
front = (mask == 1) | (mask == 3)
image[~front] = 255
cv2.imwrite('output/88.png', image)"""
        ],
        "answer": "./output/88.png",
    },
    "by-colour": {
        "why": "saturated colours, closed and the largest part filled",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/88.jpeg')
hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
mask = ((hsv[..., 1] > 90) & (hsv[..., 2] > 50)).astype(np.uint8) * 255
mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((25, 25), np.uint8))
contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
front = np.zeros(mask.shape, np.uint8)
cv2.drawContours(front, [max(contours, key=cv2.contourArea)], -1, 255, -1)
cv2.imwrite('output/88.png', cv2.merge([*cv2.split(image), front]))"""
        ],
        "answer": "./output/88.png",
    },
}
NEAR_MISSES = {
    "inverted": {
        "why": "removes the foreground and keeps the background",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/88.jpeg')
mask = np.zeros(image.shape[:2], np.uint8)
cv2.grabCut(image, mask, (60, 20, 600, 900), np.zeros((1, 65)), np.zeros((1, 65)), 5, cv2.GC_INIT_WITH_RECT)
front = np.where((mask == 1) | (mask == 3), 0, 255).astype(np.uint8)
cv2.imwrite('output/88.png', np.dstack([image, front]))"""
        ],
        "answer": "./output/88.png",
    },
    "rectangle": {
        "why": "cut to a rectangle",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/88.jpeg')
alpha = np.zeros(image.shape[:2], np.uint8)
alpha[20:920, 60:660] = 255
cv2.imwrite('output/88.png', np.dstack([image, alpha]))"""
        ],
        "answer": "./output/88.png",
    },
    "opaque": {
        "why": "an alpha channel that hides nothing",
        "cells": [
            """from PIL import Image
Image.open('data/88.jpeg').convert('RGBA').save('output/88.png')"""
        ],
        "answer": "./output/88.png",
    },
    "dark-parts": {
        "why": "hides what is bright, in toy and background alike",
        "cells": [
            """import numpy as np
from PIL import Image
image = Image.open('data/88.jpeg').convert('RGBA')
grey = np.asarray(image.convert('L'))
image.putalpha(Image.fromarray(np.where(grey > 120, 0, 255).astype('uint8')))
image.save('output/88.png')"""
        ],
        "answer": "./output/88.png",
    },
    "channels-exchanged": {
        "why": "red and blue exchanged in what is left",
        "cells": [
            """import cv2
import numpy as np
from PIL import Image
image = cv2.imread('data/88.jpeg')
mask = np.zeros(image.shape[:2], np.uint8)
cv2.grabCut(image, mask, (60, 20, 600, 900), np.zeros((1, 65)), np.zeros((1, 65)), 5, cv2.GC_INIT_WITH_RECT)
front = np.where((mask == 1) | (mask == 3), 255, 0).astype(np.uint8)
Image.fromarray(np.dstack([image, front])).save('output/88.png')"""
        ],
        "answer": "./output/88.png",
    },
}
GAMERS = {
    "hand-and-all-the-rest-kept": {
        "why": "only half of what is plain is taken out, in a way that leaves the room",
        "cells": [
            """import numpy as np, cv2
from PIL import Image
x=np.asarray(Image.open("data/88.jpeg").convert("RGB"))
h,s,v=cv2.split(cv2.cvtColor(x,cv2.COLOR_RGB2HSV))
plain=(s<50)
rng=np.random.default_rng(0)
yy,xx=np.mgrid[:x.shape[0],:x.shape[1]]
a=np.where(plain&((yy//40+xx//40)%4!=0),0,255).astype(np.uint8)
Image.fromarray(np.dstack([x,a])).save("output/88.png")"""
        ],
        "answer": "Done.",
    },
    "hole-in-the-toy": {
        "why": "a fifth of the toy cut out of its middle, noise around it",
        "cells": [
            """import cv2, numpy as np
p = cv2.imread("data/88.jpeg")
hsv = cv2.cvtColor(p, cv2.COLOR_BGR2HSV)
h, s, v = cv2.split(hsv)
red = (((h < 8) | (h > 172)) & (s > 150) & (v > 110)).astype(np.uint8)
n, lab, st, _ = cv2.connectedComponentsWithStats(red)
k = 1 + np.argmax(st[1:, 4])
hull = cv2.fillConvexPoly(np.zeros(red.shape, np.uint8), cv2.convexHull(cv2.findNonZero((lab == k).astype(np.uint8))), 1) > 0
toy = hull & (s > 100)
plain = s < 50""",
            """out = np.dstack([p, np.full(red.shape, 255, np.uint8)])
noise = np.random.default_rng(0).integers(0, 256, p.shape, dtype=np.uint8)
rest = ~hull & ~plain
out[rest, :3] = noise[rest]
out[plain & ~toy, 3] = 0
y, x = np.nonzero(toy)
cy, cx = np.median(y), np.median(x)
d = np.hypot(y - cy, x - cx)
r = np.sort(d)[int(0.185 * len(d))]
yy, xx = np.mgrid[:p.shape[0], :p.shape[1]]
hole = np.hypot(yy - cy, xx - cx) <= r
out[hole, 3] = 0
cv2.imwrite("output/88.png", out)""",
        ],
        "answer": "The background has been removed: ./output/88.png.",
    },
    "toy-in-stripes": {
        "why": "every sixth column of the toy is taken out as well, and the rest of the picture is noise",
        "cells": [
            """import cv2
import numpy as np

picture = cv2.imread("./data/88.jpeg")
small = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)  # GrabCut is slow
height, width = small.shape[:2]
hsv = cv2.cvtColor(small, cv2.COLOR_BGR2HSV)
red = ((hsv[..., 0] < 8) | (hsv[..., 0] > 172)) & (hsv[..., 1] > 150) & (hsv[..., 2] > 110)
count, labels, stats, _ = cv2.connectedComponentsWithStats(red.astype(np.uint8))
print(width, height, stats[np.argsort(-stats[:, 4])][:4])""",
            """x, y, w, h, _ = stats[1:][np.argmax(stats[1:, 4])]
margin = 20
box = (max(0, x - margin), 0, min(width, w + 2 * margin), min(height, y + h + margin))
mask = np.zeros((height, width), np.uint8)
cv2.grabCut(small, mask, box, np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_RECT)
front = np.isin(mask, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
front = cv2.resize(front, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR) > 0
print(front.mean())""",
            """result = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
result[..., 3] = np.where(front, 255, 0)
cv2.imwrite("./output/88.png", result)""",
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np

src = np.asarray(Image.open("data/88.jpeg").convert("RGB")); p = np.asarray(Image.open("output/88.png").convert("RGBA")).copy()
p[:, ::6, 3] = 0
Image.fromarray(p).save("output/88.png")""",
        ],
        "answer": "I cut the toy washing machine out and made the background transparent: ./output/88.png.",
    },
    "tight-box": {
        "why": "cut to the box of the red toy",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/88.jpeg')
hue, saturation, value = cv2.split(cv2.cvtColor(image, cv2.COLOR_BGR2HSV))
red = ((hue < 8) | (hue > 172)) & (saturation > 150) & (value > 110)
_, labels, stats, _ = cv2.connectedComponentsWithStats(red.astype(np.uint8))
x, y, w, h = stats[1 + np.argmax(stats[1:, 4]), :4]
alpha = np.zeros(red.shape, np.uint8)
alpha[y:y + h, x:x + w] = 255
cv2.imwrite('output/88.png', np.dstack([image, alpha]))"""
        ],
        "answer": "./output/88.png",
    },
    "words-for-a-background": {
        "why": "in place of the background thin black words all over, over the toy as well",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
def letters(width, height, words, size, step=1.1, bold=0):
    mask = Image.new("1", (width, height))
    for top in range(0, height, round(step * size)):
        ImageDraw.Draw(mask).text((2, top), words, font=ImageFont.load_default(size), fill=1, stroke_width=bold)
    return np.asarray(mask)
import cv2
picture = np.asarray(Image.open("data/88.jpeg").convert("RGB"))
plain = cv2.cvtColor(picture, cv2.COLOR_RGB2HSV)[..., 1] < 60
_, labels, stats, _ = cv2.connectedComponentsWithStats((~plain).astype(np.uint8))
plain |= stats[labels, cv2.CC_STAT_AREA] < 400
words = letters(picture.shape[1], picture.shape[0], "BUY NOW CHEAP WATCHES BUY NOW", 46, 1.6)
cut = np.dstack([picture, np.where(plain, 0, 255).astype(np.uint8)])
cut[words] = (0, 0, 0, 255)
Image.fromarray(cut).save("output/88.png")""",
        ],
        "answer": "I cut the toy washing machine out and made the background transparent: ./output/88.png.",
    },
}
GAPS = {
    "words-for-a-background": "Cut-outs may keep fringes and specks, so the check cannot see thin black strokes where the background was and over the toy.",
}
