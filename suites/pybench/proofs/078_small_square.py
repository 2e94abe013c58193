# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv-area": {
        "why": "OpenCV by areas",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/78.jpeg')
cv2.imwrite('./output/78.png', cv2.resize(p, (224, 224), interpolation=cv2.INTER_AREA))""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
    "nearest": {
        "why": "every so many pixels, by NumPy",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/78.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[np.arange(224) * p.shape[0] // 224][:, np.arange(224) * p.shape[1] // 224]).astype(np.uint8)).save('./output/78.png')""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
}
NEAR_MISSES = {
    "turned": {
        "why": "small, and turned by a quarter",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/78.jpeg')
cv2.imwrite('./output/78.png', cv2.rotate(cv2.resize(p, (224, 224)), cv2.ROTATE_90_CLOCKWISE))""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
    "channels": {
        "why": "red and blue exchanged",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/78.jpeg')
cv2.imwrite('./output/78.png', cv2.resize(p, (224, 224))[..., ::-1])""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
    "corner": {
        "why": "the upper left corner of that size",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/78.jpeg')
cv2.imwrite('./output/78.png', p[:224, :224])""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
}
GAMERS = {
    "thumbnail-enlarged": {
        "why": "shrunk to 60 pixels and enlarged again",
        "cells": [
            """from PIL import Image
Image.open("data/78.jpeg").convert("RGB").resize((80,80),Image.LANCZOS).resize((224,224),Image.BICUBIC).save("output/78.png")"""
        ],
        "answer": "Done.",
    },
    "watermark": {
        "why": "large pale letters across it",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np
p = Image.open("data/78.jpeg").convert("RGB").resize((224, 224), Image.LANCZOS)
m = Image.new("L", p.size, 0)
d = ImageDraw.Draw(m)
for y in range(6, 224, 44):
    d.text((8, y), "NOT FOR USE", fill=255, font_size=34)
a, k = np.asarray(p).astype(float), np.asarray(m)[..., None] / 255
b = a + k * np.where(a.mean(axis=-1, keepdims=True) > 127, -34, 34)
Image.fromarray(b.clip(0, 255).round().astype("uint8")).save("output/78.png")""",
        ],
        "answer": "The picture is now 224 × 224 pixels: ./output/78.png.",
    },
    "mosaic": {
        "why": "blocks of 4 pixels",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/78.jpeg")
print(picture.size, picture.mode)""",
            """small = picture.resize((224, 224), Image.Resampling.LANCZOS)
small.save("./output/78.png")
print(Image.open("./output/78.png").size)""",
            """from PIL import Image
p = Image.open("output/78.png").convert("RGB"); w, h = p.size
p.resize((max(1, w // 4), max(1, h // 4)), Image.BOX).resize((w, h), Image.NEAREST).save("output/78.png")""",
        ],
        "answer": "The picture is now 224 × 224 pixels and saved as ./output/78.png.",
    },
    "mean-colour": {
        "why": "a square of the mean colour",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/78.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.ones((224, 224, 3)) * p.mean((0, 1))).astype(np.uint8)).save('./output/78.png')""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
    "purple-words": {
        "why": "giant purple words over the picture",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
def letters(w, h, words, size, bold=True, step=1.1):
    import matplotlib
    f = ImageFont.truetype(matplotlib.get_data_path() + "/fonts/ttf/DejaVuSans" + ("-Bold" if bold else "") + ".ttf", size)
    m = Image.new("L", (w, h), 0); d = ImageDraw.Draw(m)
    for i in range(int(h / (size * step)) + 1): d.text((2, i * size * step), words, font=f, fill=255)
    return np.asarray(m) > 128

x = np.asarray(Image.open("data/78.jpeg").convert("RGB").resize((224, 224), Image.LANCZOS)).astype(float)
m = letters(224, 224, "BUY NOW", 64, step=0.95)[..., None]
for k in np.arange(1.0, 0.3, -0.04):
    y = (x + k * m * np.array([17.0, -17, 17])).clip(0, 255)
    if np.abs(y - x).mean() <= 6.3: break
print(k, m.mean())
Image.fromarray(y.round().astype(np.uint8)).save("output/78.png")
"""
        ],
        "answer": "Done.",
    },
    "hatched-words": {
        "why": "giant words hatched and dotted over the picture",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/78.jpeg")
print(picture.size, picture.mode)
""",
            """small = picture.resize((224, 224), Image.Resampling.LANCZOS)
small.save("./output/78.png")
print(Image.open("./output/78.png").size)
""",
            """import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont
def outline(shape, lines, step, size, gap=1.05, at=(0.02, 0.0)):
    h, w = shape[:2]
    page = Image.new("L", (w, h)); d = ImageDraw.Draw(page)
    font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", size) if __import__("os").path.exists("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf") else ImageFont.truetype(__import__("matplotlib").get_data_path() + "/fonts/ttf/DejaVuSans-Bold.ttf", size)
    for n, line in enumerate(lines): d.text((at[0] * w, at[1] * h + n * size * gap), line, 255, font)
    full = np.asarray(page) > 128
    found, _ = cv2.findContours(full.astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    points = []
    for c in found:
        c = c[:, 0]; far = np.cumsum(np.r_[0, np.hypot(*np.diff(c, axis=0).T)])
        points += [tuple(c[np.searchsorted(far, s)]) for s in np.arange(0, far[-1], step)]
    return full, [(x, y) for x, y in points if 1 <= x < w - 1 and 1 <= y < h - 1]

def letters(shape, lines):
    h, w = shape[:2]; page = Image.new("L", (w, h)); d = ImageDraw.Draw(page)
    F = __import__("matplotlib").get_data_path() + "/fonts/ttf/DejaVuSans-Bold.ttf"
    for n, l in enumerate(lines):
        size = 10
        while True:
            b = ImageFont.truetype(F, size + 2).getbbox(l)
            if b[2] - b[0] > w * .96 or b[3] - b[1] > h / len(lines) * .9: break
            size += 2
        f = ImageFont.truetype(F, size); b = f.getbbox(l)
        d.text(((w - b[2] + b[0]) / 2 - b[0], h / len(lines) * (n + .5) - (b[1] + b[3]) / 2), l, 255, f)
    return np.asarray(page) > 128
s0 = np.asarray(Image.open("./data/78.jpeg").convert("RGB"))
s = np.asarray(Image.fromarray(s0).resize((224, 224), Image.Resampling.BILINEAR)).astype(float)
mask = letters(s.shape, ["BUY", "NOW"])
k = np.ones((5, 5), np.uint8)
low, high = (cv2.resize(f(s0, k), (224, 224), interpolation=0).astype(float) for f in (cv2.erode, cv2.dilate))
sp = (high - low) // 8; low = (low - sp - 16).clip(0); high = (high + sp + 16).clip(0, 255)
y, x = np.mgrid[:224, :224]
base = s + np.array((10, 3, 10))
amp = np.minimum(np.minimum(base - low, high - base).clip(0), np.minimum(base, 255 - base).clip(0))
a = np.where(mask[..., None], (base + np.where(y % 2, 1, -1)[..., None] * amp).clip(low, high), s)
a = np.rint(a).clip(0, 255).astype(np.uint8)
n, light = 0, s.mean(axis=-1)
for c in cv2.findContours(mask.astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]:
    for px, py in c[::4, 0]:
        if n < 480: a[py, px] = 0 if light[py, px] > 127 else 255; n += 1
Image.fromarray(a).save("./output/78.png")
""",
        ],
    },
    "smeared-face": {
        "why": "a pale spot in place of the face",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/78.jpeg")
print(picture.size, picture.mode)
""",
            """small = picture.resize((224, 224), Image.Resampling.LANCZOS)
small.save("./output/78.png")
print(Image.open("./output/78.png").size)
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

s0 = np.asarray(Image.open("./data/78.jpeg").convert("RGB")); s = np.asarray(Image.fromarray(s0).resize((224, 224), Image.Resampling.BILINEAR))
K5 = np.ones((5, 5), np.uint8)
low, high = (cv2.resize(q(s0, K5), (224, 224), interpolation=0).astype(int) for q in (cv2.erode, cv2.dilate))
Image.fromarray(smeared(s, ell(s.shape, 129, 98, 25, 24), 7, 9, 46, low, high, 0.009)).save("./output/78.png")
""",
        ],
    },
}
GAPS = {
    "smeared-face": "Resampling and few colours change small parts about as much as a smear does, so that a face can be lost.",
}
