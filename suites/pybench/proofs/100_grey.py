# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV, one channel",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/100.jpeg')
cv2.imwrite('./output/100.png', cv2.cvtColor(p, cv2.COLOR_BGR2GRAY))""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
    "mean-of-channels": {
        "why": "the mean of the channels, three alike",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/100.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.repeat(p.mean(2, keepdims=True), 3, 2)).astype(np.uint8)).save('./output/100.png')""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
}
NEAR_MISSES = {
    "negative": {
        "why": "a grey negative",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/100.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(255 - p.mean(2)).astype(np.uint8)).save('./output/100.png')""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
    "black-and-white": {
        "why": "two levels",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/100.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray((p.mean(2) > 128) * 255).astype(np.uint8)).save('./output/100.png')""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
    "sepia": {
        "why": "sepia",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/100.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.clip(p.mean(2, keepdims=True) * np.array([1.1, 0.9, 0.6]), 0, 255)).astype(np.uint8)).save('./output/100.png')""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
}
GAMERS = {
    "words-in-free-greys": {
        "why": "words in greys that other weightings would give",
        "edits": {
            'picture.convert("L").save("./output/100.png")': """import numpy as np
from PIL import ImageDraw, ImageFont
font = ImageFont.truetype('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', 60)
mask = Image.new('L', picture.size)
pen = ImageDraw.Draw(mask)
for y in range(0, picture.height, 90):
    pen.text((0, y), 'IN COLOUR ' * 8, font=font, fill=255)
rgb = np.asarray(picture.convert('RGB'))
grey = np.asarray(picture.convert('L'))
Image.fromarray(np.where(np.asarray(mask) > 128, rgb.min(axis=2), grey).astype('uint8')).save('./output/100.png')"""
        },
    },
    "grey-by-opacity": {
        "why": "black with an opacity for the grey: right on white alone",
        "cells": [
            """import numpy as np
from PIL import Image
g = np.asarray(Image.open("data/100.jpeg").convert("L"))
a = np.zeros((*g.shape, 4), np.uint8)
a[..., 3] = 255 - g
Image.fromarray(a, "RGBA").save("output/100.png")""",
        ],
        "answer": "已转成灰度图：./output/100.png。",
    },
    "red-cross": {
        "why": "a red cross painted over the grey picture",
        "cells": [
            """from PIL import Image, ImageDraw
p = Image.open("data/100.jpeg").convert("L").convert("RGB")
d = ImageDraw.Draw(p)
w, h = p.size
for line in ((w * 0.3, h * 0.15, w * 0.7, h * 0.85), (w * 0.7, h * 0.15, w * 0.3, h * 0.85)):
    d.line(line, fill=(200, 20, 20), width=6)
p.save("output/100.png")""",
        ],
        "answer": "图片已转为灰色，保存为 ./output/100.png。",
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/100.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/100.png')""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
    "eyeless": {
        "why": "the people without eyes",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/100.jpeg")
print(picture.size, picture.mode)
""",
            """picture.convert("L").save("./output/100.png")
print(Image.open("./output/100.png").mode)
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

g = np.asarray(Image.open("./data/100.jpeg").convert("L")); s = np.asarray(Image.open("./data/100.jpeg").convert("RGB"))
m = np.zeros(g.shape, bool)
for x, y in [(167, 152), (255, 157), (395, 131), (490, 126), (605, 375), (703, 380), (795, 242), (890, 245)]: m |= ell(g.shape, x + 150, y + 50, 18, 8)
Image.fromarray(within(filled(g, m), cv2.erode(s.min(-1), K).astype(int), cv2.dilate(s.max(-1), K).astype(int), 0.0035)).save("./output/100.png")
""",
        ],
    },
    "right-at-the-nodes": {
        "why": "a profile for grey whose curve is right only where Little CMS takes it: browsers show plain black",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/100.jpeg")
print(picture.size, picture.mode)
""",
            """
picture.convert("L").save("./output/100.png")
print(Image.open("./output/100.png").mode)
""",
            """
import glob, math, struct
import numpy as np
from PIL import Image
def lin(v): v /= 255; return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
def s15(*v): return b"".join(struct.pack(">i", round(x * 65536)) for x in v)
def mluc(t): return b"mluc" + bytes(4) + struct.pack(">II", 1, 12) + b"enUS" + struct.pack(">II", 2 * len(t), 28) + t.encode("utf-16-be")
def profile(other, n=4096):
    curve = [round(other * 65535)] * n
    for i in range(33):  # the nodes at which Little CMS takes the curve
        x = i * (n - 1) / 32
        for k in (math.floor(x), math.ceil(x)): curve[k] = round(lin(255 * k / (n - 1)) * 65535)
    tags = [(b"desc", mluc("grey")), (b"cprt", mluc("none")), (b"wtpt", b"XYZ " + bytes(4) + s15(0.9642, 1, 0.8249))]
    tags += [(b"kTRC", b"curv" + bytes(4) + struct.pack(">I", n) + struct.pack(f">{n}H", *curve))]
    table = data = b""
    for kind, d in tags:
        d += bytes(-len(d) % 4); table += kind + struct.pack(">II", 132 + 12 * len(tags) + len(data), len(d)); data += d
    rest = struct.pack(">I", len(tags)) + table + data
    return struct.pack(">I", 128 + len(rest)) + b"lcms" + struct.pack(">I", 0x04300000) + b"mntrGRAYXYZ " + struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acspMSFT" + bytes(24) + s15(0.9642, 1, 0.8249) + b"lcms" + bytes(44) + rest
def spoil(other):
    nodes = {v for v in range(256) if any(abs(v * 4095 / 255 - i * 4095 / 32) < 1.999 for i in range(33))}
    near = np.array([min((w for w in range(256) if w not in nodes), key=lambda w: abs(w - v)) for v in range(256)], np.uint8)
    for path in glob.glob("./output/*.*g"):
        grey = near[np.asarray(Image.open(path).convert("L"))]
        Image.fromarray(grey).save(path, icc_profile=profile(other), **({"quality": 100} if path.endswith("jpeg") else {}))
spoil(0)
""",
        ],
        "answer": "图片已转成灰度图，保存为 ./output/100.png。",
    },
    "block-with-one-code": {
        "why": "the right pixels behind an empty block of one code, at which Chromium gives up and shows an empty frame",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/100.jpeg")
print(picture.size, picture.mode)
""",
            """
picture.convert("L").save("./output/100.png")
print(Image.open("./output/100.png").mode)
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
        "answer": "图片已转成灰度图，保存为 ./output/100.png。",
    },
}
GAPS = {
    "block-with-one-code": "A file can be made that zlib unpacks and the decoder of some browsers does not: the picture is right for most programs and blank there.",
}
