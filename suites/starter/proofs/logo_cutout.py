# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "flood fill by OpenCV from a border put around, white under the transparent pixels",
        "cells": [
            """
import cv2, numpy as np
im = cv2.imread('data/logo.bmp')
edge = np.concatenate([im[0], im[-1], im[:, 0], im[:, -1]])
bg = np.median(edge, axis=0)
near = (np.abs(im.astype(int) - bg).max(axis=2) <= 14).astype(np.uint8)
field = cv2.copyMakeBorder(near, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=1)
mask = np.zeros((field.shape[0] + 2, field.shape[1] + 2), np.uint8)
cv2.floodFill(field, mask, (0, 0), 2)
logo = field[1:-1, 1:-1] != 2
x, y, w, h = cv2.boundingRect(logo.astype(np.uint8))
out = np.full((h + 16, w + 16, 4), (255, 255, 255, 0), np.uint8)
part = logo[y:y+h, x:x+w]
inner = out[8:8+h, 8:8+w]
inner[part] = np.dstack([im, np.full(im.shape[:2], 255, np.uint8)])[y:y+h, x:x+w][part]
cv2.imwrite('output/logo.png', out)
"""
        ],
        "answer": "Saved as output/logo.png.",
    },
    "skimage": {
        "why": "pixel by pixel search with a queue, cropped by Pillow",
        "cells": [
            """
from collections import deque
from PIL import Image, ImageOps
im = Image.open('data/logo.bmp').convert('RGB')
w, h = im.size
px = im.load()
bg = px[0, 0]
like = lambda p: max(abs(a - b) for a, b in zip(p, bg)) <= 20
todo = deque([(x, y) for x in range(w) for y in (0, h - 1)] + [(x, y) for x in (0, w - 1) for y in range(h)])
seen = {p for p in todo if like(px[p])}
todo = deque(seen)
while todo:
    x, y = todo.popleft()
    for p in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
        if 0 <= p[0] < w and 0 <= p[1] < h and p not in seen and like(px[p]):
            seen.add(p)
            todo.append(p)
alpha = Image.new('L', (w, h), 255)
for p in seen:
    alpha.putpixel(p, 0)
im.putalpha(alpha)
im = im.crop(alpha.getbbox())
ImageOps.expand(im, 8, fill=(0, 0, 0, 0)).save('output/logo.png')
"""
        ],
    },
    "floodfill-from-corners": {
        "why": "Pillow's flood fill from the four corners",
        "cells": [
            """
from PIL import Image, ImageDraw
import numpy as np
im = Image.open('data/logo.bmp').convert('RGB')
wide = Image.new('RGB', (im.width + 2, im.height + 2), im.getpixel((0, 0)))
wide.paste(im, (1, 1))
marked = wide.copy()
ImageDraw.floodfill(marked, (0, 0), (255, 0, 255), thresh=40)
out = (np.array(marked) == (255, 0, 255)).all(axis=2)
rgba = np.dstack([np.array(wide), np.where(out, 0, 255).astype('uint8')])
ys, xs = np.nonzero(~out)
rgba = rgba[ys.min():ys.max() + 1, xs.min():xs.max() + 1]
canvas = np.zeros((rgba.shape[0] + 16, rgba.shape[1] + 16, 4), 'uint8')
canvas[8:-8, 8:-8] = rgba
Image.fromarray(canvas, 'RGBA').save('output/logo.png', optimize=True)
"""
        ],
    },
}
NEAR_MISSES = {
    "other-margin": {
        "why": "a margin of ten pixels",
        "edits": {"((8, 8), (8, 8), (0, 0))": "((10, 10), (10, 10), (0, 0))"},
    },
    "channels-exchanged": {
        "why": "red and blue exchanged",
        "edits": {"np.dstack([picture,": "np.dstack([picture[..., ::-1],"},
    },
    "half-transparent": {
        "why": "the logo half transparent",
        "edits": {"np.where(logo, 255, 0)": "np.where(logo, 128, 0)"},
    },
    "margin-on-two-sides": {
        "why": "the whole margin on the right and below",
        "edits": {"((8, 8), (8, 8), (0, 0))": "((0, 16), (0, 16), (0, 0))"},
    },
    "white-ground": {
        "why": "a white ground instead of a transparent one",
        "edits": {
            "np.where(logo, 255, 0)": "np.where(logo, 255, 255)",
            "rgba = np.dstack([picture,": "picture = np.where(logo[..., None], picture, 255)\nrgba = np.dstack([picture,",
        },
    },
    "a-row-lost": {
        "why": "cuts off a row of the logo on each side",
        "edits": {
            "top, bottom, left, right = ys.min(), ys.max() + 1, xs.min(), xs.max() + 1": "top, bottom, left, right = ys.min() + 3, ys.max() - 2, xs.min() + 3, xs.max() - 2",
            "((8, 8), (8, 8), (0, 0))": "((11, 11), (11, 11), (0, 0))",
        },
    },
    "mirrored": {
        "why": "mirrored",
        "edits": {"rgba = np.pad(": "rgba = rgba[:, ::-1]\nrgba = np.pad("},
    },
    "twice-as-large": {
        "why": "twice as large",
        "edits": {
            "rgba = np.pad(": "rgba = rgba.repeat(2, axis=0).repeat(2, axis=1)\nrgba = np.pad("
        },
    },
    "shadow": {
        "why": "with a half transparent shadow around",
        "edits": {
            "Image.fromarray(rgba)": "rgba[..., 3] = np.maximum(rgba[..., 3], (ndimage.gaussian_filter((rgba[..., 3] > 0) * 255.0, 4)).astype(np.uint8))\nImage.fromarray(rgba)"
        },
    },
}
