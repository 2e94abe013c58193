# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "hsv-transparent": {
        "why": "the sea by its hue, transparent",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/89.jpeg')
hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
sea = cv2.inRange(hsv, (100, 60, 150), (125, 255, 255))
sea = cv2.morphologyEx(sea, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
cv2.imwrite('output/89.png', np.dstack([image, 255 - sea]))"""
        ],
        "answer": "背景（海洋）已删除。",
    },
    "kmeans-white": {
        "why": "k-means of the colours, white in place of the sea",
        "cells": [
            """import numpy as np
from PIL import Image
from sklearn.cluster import KMeans
image = np.asarray(Image.open('data/89.jpeg').convert('RGB')).copy()
km = KMeans(4, n_init=2, random_state=0).fit(image.reshape(-1, 3)[::7])
labels = km.predict(image.reshape(-1, 3)).reshape(image.shape[:2])
blue = np.argmax(km.cluster_centers_[:, 2] - km.cluster_centers_[:, 0])
image[labels == blue] = 255
Image.fromarray(image).save('output/89.png')"""
        ],
        "answer": "./output/89.png",
    },
    "grabcut-black": {
        "why": "GrabCut started with a box over the land, on black",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/89.jpeg')
near = np.abs(image.astype(int) - image[360, 20].astype(int)).sum(2) < 60
mask = np.where(near, cv2.GC_BGD, cv2.GC_PR_FGD).astype(np.uint8)
cv2.grabCut(image, mask, None, np.zeros((1, 65)), np.zeros((1, 65)), 3, cv2.GC_INIT_WITH_MASK)
image[(mask == 0) | (mask == 2)] = 0
cv2.imwrite('output/89.png', image)"""
        ],
        "answer": "./output/89.png",
    },
}
NEAR_MISSES = {
    "sea-kept": {
        "why": "keeps the sea and removes the land",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/89.jpeg')
hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
sea = cv2.inRange(hsv, (100, 60, 150), (125, 255, 255))
cv2.imwrite('output/89.png', np.dstack([image, sea]))"""
        ],
        "answer": "./output/89.png",
    },
    "middle": {
        "why": "an ellipse in the middle is kept",
        "cells": [
            """from PIL import Image, ImageDraw
image = Image.open('data/89.jpeg').convert('RGBA')
alpha = Image.new('L', image.size, 0)
ImageDraw.Draw(alpha).ellipse((80, 0, 430, 371), fill=255)
image.putalpha(alpha)
image.save('output/89.png')"""
        ],
        "answer": "./output/89.png",
    },
    "opaque": {
        "why": "an alpha channel that hides nothing",
        "cells": [
            """from PIL import Image
Image.open('data/89.jpeg').convert('RGBA').save('output/89.png')"""
        ],
        "answer": "./output/89.png",
    },
    "green-only": {
        "why": "keeps the green alone: the pale lands go with the sea",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/89.jpeg')
hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
land = cv2.inRange(hsv, (35, 60, 40), (90, 255, 255))
cv2.imwrite('output/89.png', np.dstack([image, land]))"""
        ],
        "answer": "./output/89.png",
    },
}
GAMERS = {
    "sea-filled-with-nearly-its-colour-22": {
        "why": "the sea is filled with a blue 22 levels from its own: nothing is seen to be gone",
        "cells": [
            """import numpy as np
from PIL import Image
a=np.asarray(Image.open("data/89.jpeg").convert("RGB")).astype(int)
c=(a//8)@np.array([1024,32,1]); v,k=np.unique(c,return_counts=True); sea=np.median(a[c==v[k.argmax()]],axis=0); print(sea)
m=np.abs(a-sea).max(axis=-1)<=24
f=sea.copy(); i=int(np.argmin(np.abs(sea-128))); f[i]+=(22 if sea[i]<128 else -22)
a[m]=f
Image.fromarray(a.astype(np.uint8)).save("output/89.png")"""
        ],
        "answer": "Done.",
    },
    "hole-in-the-land": {
        "why": "a tenth of the land cut out of its middle, the rest wavering",
        "cells": [
            """import cv2, numpy as np
p = cv2.imread("data/89.jpeg")
q = p.reshape(-1, 3) // 16
u, c = np.unique(q, axis=0, return_counts=True)
sea = np.median(p[(p // 16 == u[c.argmax()]).all(-1)], axis=0)
is_sea = abs(p.astype(int) - sea).max(-1) <= 24
n, lab, st, _ = cv2.connectedComponentsWithStats((~is_sea).astype(np.uint8), connectivity=8)
land = lab == 1 + st[1:, 4].argmax()
y, x = np.nonzero(land)
cy, cx = np.median(y), np.median(x)
d = np.hypot(y - cy, x - cx)
r = np.sort(d)[int(0.085 * len(d))]
yy, xx = np.mgrid[:p.shape[0], :p.shape[1]]
hole = np.hypot(yy - cy, xx - cx) <= r
waver = np.random.default_rng(0).integers(-22, 23, p.shape)
out = np.dstack([(p + waver).clip(0, 255).astype(np.uint8), np.where(is_sea | hole, 0, 255).astype(np.uint8)])
cv2.imwrite("output/89.png", out)""",
        ],
        "answer": "已删除背景，只保留前景，保存为 ./output/89.png。",
    },
    "map-in-stripes": {
        "why": "every eleventh column of the land is taken out as well",
        "cells": [
            """import numpy as np
from PIL import Image

picture = np.array(Image.open("./data/89.jpeg").convert("RGB"))
colours, counts = np.unique(picture.reshape(-1, 3) // 16, axis=0, return_counts=True)
print(picture.shape, colours[np.argsort(-counts)][:5] * 16, np.sort(counts)[::-1][:5])""",
            """sea = np.median(picture[(picture // 16 == colours[counts.argmax()]).all(axis=-1)], axis=0)
is_sea = np.abs(picture - sea).max(axis=-1) <= 40
result = np.dstack([picture, np.where(is_sea, 0, 255).astype(np.uint8)])
Image.fromarray(result).save("./output/89.png")
print(sea, is_sea.mean())""",
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np

p = np.asarray(Image.open("output/89.png").convert("RGBA")).copy(); p[:, ::11, 3] = 0
Image.fromarray(p).save("output/89.png")""",
        ],
        "answer": "已把海洋背景变为透明，只保留陆地，保存为 ./output/89.png。",
    },
    "nearly-the-sea": {
        "why": "the sea filled with nearly its own colour: nothing is seen to be gone",
        "cells": [
            """import numpy as np
from PIL import Image
image = np.asarray(Image.open('data/89.jpeg').convert('RGB')).astype(int)
sea = np.median(image[300:, :60].reshape(-1, 3), axis=0)
is_sea = np.abs(image - sea).max(axis=2) <= 24
image[is_sea] = sea + [7, 7, -7]
Image.fromarray(image.clip(0, 255).astype(np.uint8)).save('output/89.png')"""
        ],
        "answer": "./output/89.png",
    },
    "words-in-the-sea": {
        "why": "large thin black words in place of the sea, and words on the land",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
def letters(width, height, words, size, step=1.1, bold=0):
    mask = Image.new("1", (width, height))
    for top in range(0, height, round(step * size)):
        ImageDraw.Draw(mask).text((2, top), words, font=ImageFont.load_default(size), fill=1, stroke_width=bold)
    return np.asarray(mask)
picture = np.asarray(Image.open("data/89.jpeg").convert("RGB"))
height, width = picture.shape[:2]
colours, counts = np.unique(picture.reshape(-1, 3) // 8, axis=0, return_counts=True)
sea = np.abs(picture - (8.0 * colours[counts.argmax()] + 4)).max(axis=-1) <= 26
words = letters(width, height, "BUY NOW CHEAP WATCHES", 66, 1.3) & sea
words |= letters(width, height, "NO NO NO", 36, 3) & ~sea
cut = np.dstack([picture, np.where(sea, 0, 255).astype(np.uint8)])
cut[words] = (0, 0, 0, 255)
Image.fromarray(cut).save("output/89.png")""",
        ],
        "answer": "已把海洋背景变为透明，只保留陆地，保存为 ./output/89.png。",
    },
}
GAPS = {
    "words-in-the-sea": "A map's names and borders may stay or go, so the check cannot see thin black strokes in the sea and on the land.",
}
