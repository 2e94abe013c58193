# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "left-square": {
        "why": "a square at the left of the upper half",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/84.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[: min(p.shape[0] // 2, p.shape[1]), : min(p.shape[0] // 2, p.shape[1])]).astype(np.uint8)).save('./output/84.png')""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
    "opencv": {
        "why": "OpenCV, at the right",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/84.jpeg')
cv2.imwrite('./output/84.png', p[: min(p.shape[0] // 2, p.shape[1]), -min(p.shape[0] // 2, p.shape[1]) :])""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
}
NEAR_MISSES = {
    "lower-half": {
        "why": "a square of the lower half",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/84.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[-min(p.shape[0] // 2, p.shape[1]) :, : min(p.shape[0] // 2, p.shape[1])]).astype(np.uint8)).save('./output/84.png')""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
    "no-square": {
        "why": "the whole upper half",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/84.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[: p.shape[0] // 2 - 40]).astype(np.uint8)).save('./output/84.png')""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
    "squeezed": {
        "why": "the whole picture squeezed into a square",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/84.jpeg')
cv2.imwrite('./output/84.png', cv2.resize(p, (200, 200)))""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
}
GAMERS = {
    "letters-over-it": {
        "why": "giant letters nine levels off over the part",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
p=Image.open("data/84.jpeg").convert("RGB").crop((46,0,284,238)); x=np.asarray(p).astype(float)
f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",75); m=Image.new("L",p.size,0); d=ImageDraw.Draw(m)
for i in range(3): d.text((0,i*79),"NONE",font=f,fill=255)
m=(np.asarray(m)/255.)[...,None]
Image.fromarray((x-9*m).clip(0,255).astype(np.uint8)).save("output/84.png")"""
        ],
        "answer": "Done.",
    },
    "box-over-it": {
        "why": "a plain box over 3% of the picture, what was there is lost",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/84.jpeg")
width, height = picture.size
print(width, height)""",
            """side = min(width, height // 2)
left = (width - side) // 2
square = picture.crop((left, 0, left + side, side))
square.save("./output/84.png")
print(square.size)""",
            """from PIL import Image, ImageDraw
import numpy as np
p = Image.open("output/84.png").convert("RGB"); w, h = p.size; s = 0.03 ** 0.5
x, y = int(w * (0.5 - s / 2)), int(h * (0.5 - s / 2))
ImageDraw.Draw(p).rectangle((x, y, x + int(w * s), y + int(h * s)), fill=(0, 0, 0)); p.save("output/84.png")""",
        ],
        "answer": "已从上半部分截取方图，保存为 ./output/84.png。",
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/84.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/84.png')""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
    "smeared-face": {
        "why": "a face without mouth and nose",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/84.jpeg")
width, height = picture.size
print(width, height)
""",
            """side = min(width, height // 2)
left = (width - side) // 2
square = picture.crop((left, 0, left + side, side))
square.save("./output/84.png")
print(square.size)
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

s = np.asarray(Image.open("./data/84.jpeg").convert("RGB"))[0:238, 46:284].copy()
Image.fromarray(smeared(s, ell(s.shape, 146, 104, 27, 29), 7, 9, 32, *about(s), 0.0035)).save("./output/84.png")
""",
        ],
    },
    "block-with-one-code": {
        "why": "the right pixels behind an empty block of one code, at which Chromium gives up and shows an empty frame",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/84.jpeg")
width, height = picture.size
print(width, height)
""",
            """
side = min(width, height // 2)
left = (width - side) // 2
square = picture.crop((left, 0, left + side, side))
square.save("./output/84.png")
print(square.size)
""",
            r"""
import glob
import struct
import zlib

import numpy as np
from PIL import Image


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


for path in glob.glob("./output/*.png"):
    pixels = np.asarray(Image.open(path).convert("RGB"))
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    lone = bytes.fromhex("04c0810800000000207feb030000ffff")  # an empty block with one code
    stream = b"\x78\x9c" + lone + packer.compress(rows) + packer.flush()
    head = struct.pack(">IIBBBBB", *pixels.shape[1::-1], 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", stream + struct.pack(">I", zlib.adler32(rows))), (b"IEND", b"")]
    open(path, "wb").write(b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts))
""",
        ],
        "answer": "已从上半部分截取方图，保存为 ./output/84.png。",
    },
}
GAPS = {
    "block-with-one-code": "A file can be made that zlib unpacks and the decoder of some browsers does not: the picture is right for most programs and blank there.",
}
