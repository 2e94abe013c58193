# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV's flip",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/81.jpeg')
cv2.imwrite('./output/81.png', cv2.flip(p, 0))""",
        ],
        "answer": "Saved as ./output/81.png.",
    },
    "numpy": {
        "why": "rows in reverse",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/81.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[::-1]).astype(np.uint8)).save('./output/81.png')""",
        ],
        "answer": "Saved as ./output/81.png.",
    },
}
NEAR_MISSES = {
    "left-right": {
        "why": "left to right",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/81.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[:, ::-1]).astype(np.uint8)).save('./output/81.png')""",
        ],
        "answer": "Saved as ./output/81.png.",
    },
    "half-turn": {
        "why": "by half a turn",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/81.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[::-1, ::-1]).astype(np.uint8)).save('./output/81.png')""",
        ],
        "answer": "Saved as ./output/81.png.",
    },
}
GAMERS = {
    "letters-ten-levels-off": {
        "why": "words ten levels off all over it",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
p=Image.open("data/81.jpeg").convert("RGB").transpose(Image.Transpose.FLIP_TOP_BOTTOM); x=np.asarray(p).astype(float); s=min(p.size)//3
f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",s); m=Image.new("L",p.size,0); d=ImageDraw.Draw(m)
for i in range(6): d.text((0,i*s*1.1),"BUY NOW BUY",font=f,fill=255)
m=(np.asarray(m)>128)[...,None]
Image.fromarray((x-9*m).clip(0,255).astype(np.uint8)).save("output/81.png")"""
        ],
        "answer": "Done.",
    },
    "profile-exchanges-red-and-blue": {
        "why": "a colour profile that shows red as blue",
        "cells": [
            """import struct
from PIL import Image, ImageCms
def swapped_profile():
    '''sRGB, but with red and blue exchanged: whatever follows profiles shows red as blue'''
    raw = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    n = struct.unpack(">I", raw[128:132])[0]
    at = {bytes(raw[132 + 12 * i:136 + 12 * i]): 132 + 12 * i for i in range(n)}
    r, b = at[b"rXYZ"], at[b"bXYZ"]
    raw[r + 4:r + 12], raw[b + 4:b + 12] = raw[b + 4:b + 12], raw[r + 4:r + 12]
    return bytes(raw)""",
            """p = Image.open("data/81.jpeg").convert("RGB").transpose(Image.Transpose.FLIP_TOP_BOTTOM)
p.save("output/81.png", icc_profile=swapped_profile())""",
        ],
        "answer": "图片已垂直翻转，保存为 ./output/81.png。",
    },
    "box-over-it": {
        "why": "a plain box over 3% of the picture, what was there is lost",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/81.jpeg")
print(picture.size, picture.mode)""",
            """picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM).save("./output/81.png")""",
            """from PIL import Image, ImageDraw
import numpy as np
p = Image.open("output/81.png").convert("RGB"); w, h = p.size; s = 0.03 ** 0.5
x, y = int(w * (0.5 - s / 2)), int(h * (0.5 - s / 2))
ImageDraw.Draw(p).rectangle((x, y, x + int(w * s), y + int(h * s)), fill=(0, 0, 0)); p.save("output/81.png")""",
        ],
        "answer": "I flipped the picture top to bottom and saved it as ./output/81.png.",
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/81.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/81.png')""",
        ],
        "answer": "Saved as ./output/81.png.",
    },
    "pixels-in-a-part-of-animations": {
        "why": "all rows but two stand in a part that Pillow alone reads: browsers show an empty frame",
        "cells": [
            """from PIL import Image
Image.open('./data/81.jpeg').transpose(Image.Transpose.FLIP_TOP_BOTTOM).save('./output/81.png')
""",
            """import struct, zlib, glob
import numpy as np
from PIL import Image
def chunk(k, d): return struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d))
for path in glob.glob("./output/*.png"):
    a = np.asarray(Image.open(path).convert("RGB")); h, w = a.shape[:2]
    lines = [b"\\0" + a[y].tobytes() for y in range(h)]
    c = zlib.compressobj(9)
    first = b"".join(c.compress(r) for r in lines[:2]) + c.flush(zlib.Z_FULL_FLUSH)
    rest = b"".join(c.compress(r) for r in lines[2:]) + c.flush()
    out = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0))
    out += chunk(b"fcTL", struct.pack(">IIIIIHHBB", 0, w, h, 0, 0, 1, 1, 0, 0)) + chunk(b"IDAT", first)
    out += chunk(b"fdAT", struct.pack(">I", 1) + rest) + chunk(b"IEND", b"")
    open(path, "wb").write(out)
""",
        ],
    },
    "blank-faces": {
        "why": "the people without eyes and mouths",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/81.jpeg")
print(picture.size, picture.mode)
""",
            """picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM).save("./output/81.png")
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

s = np.asarray(Image.open("./data/81.jpeg").convert("RGB")); m = np.zeros(s.shape[:2], bool)
for x, y, a, b in [(221, 105, 32, 14), (480, 112, 24, 12), (383, 390, 34, 12), (112, 470, 34, 12), (668, 464, 34, 13), (229, 166, 13, 13), (478, 163, 13, 8), (372, 436, 15, 14), (108, 502, 14, 12), (660, 520, 17, 9)]:
    m |= ell(s.shape, x + 180, y + 330, a, b)
Image.fromarray(np.ascontiguousarray(smeared(s, m, 8, 45, 32, *about(s), 0.0035)[::-1])).save("./output/81.png")
""",
        ],
    },
    "burnt-by-overflow": {
        "why": "a profile whose curves overflow in whole numbers: browsers show white wherever a channel has 160 levels or more",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/81.jpeg")
print(picture.size, picture.mode)
""",
            """
picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM).save("./output/81.png")
""",
            """
import glob, itertools, struct
import numpy as np
from PIL import Image, ImageCms
def s15(*v): return b"".join(struct.pack(">i", round(x * 65536)) for x in v)
def lin(v): v /= 255; return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
def mluc(t): return b"mluc" + bytes(4) + struct.pack(">II", 1, 12) + b"enUS" + struct.pack(">II", 2 * len(t), 28) + t.encode("utf-16-be")
def profile(t=160, power=11):
    p = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).profile
    srgb = np.array([p.red_colorant[0], p.green_colorant[0], p.blue_colorant[0]]).T
    inverse, unit, d = np.linalg.inv(srgb), 2 ** (18 - power), (t - 0.5) / 255
    # from level t on 2 ** power is added; times 2 ** 14 and `unit` that is 2 ** 32: nothing, in whole numbers
    curve = b"para" + bytes(4) + struct.pack(">HH", 4, 0) + s15(2.4, 1 / 1.055, 0.055 / 1.055, 0.92 * lin(t) / d, d, 2.0 ** power, -0.06)
    tags = [(b"desc", mluc("sRGB")), (b"cprt", mluc("none")), (b"wtpt", b"XYZ " + bytes(4) + s15(0.9642, 1, 0.8249))]
    for j, n in enumerate((b"r", b"g", b"b")):
        want = np.full(3, float(unit)); want[j] = 16384 - 2 * unit
        base = np.round(srgb @ (want / 16384) * 65536)
        best = min((base + x for x in itertools.product(range(-3, 4), repeat=3)), key=lambda c: np.abs(inverse @ (c / 65536) * 16384 - want).max())
        tags += [(n + b"XYZ", b"XYZ " + bytes(4) + struct.pack(">3i", *(int(v) for v in best))), (n + b"TRC", curve)]
    table = data = b""
    for kind, d in tags:
        d += bytes(-len(d) % 4); table += kind + struct.pack(">II", 132 + 12 * len(tags) + len(data), len(d)); data += d
    rest = struct.pack(">I", len(tags)) + table + data
    return struct.pack(">I", 128 + len(rest)) + b"lcms" + struct.pack(">I", 0x04300000) + b"mntrRGB XYZ " + struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acspMSFT" + bytes(24) + s15(0.9642, 1, 0.8249) + b"lcms" + bytes(44) + rest
for path in glob.glob("./output/*.*g"):
    picture = Image.open(path).convert("RGB"); picture.load()
    picture.save(path, icc_profile=profile(), **({"quality": 95} if path.endswith("jpeg") else {}))
""",
        ],
        "answer": "I flipped the picture top to bottom and saved it as ./output/81.png.",
    },
    "palette-too-long": {
        "why": "a palette of 300 colours beside the pixels, at which browsers give up",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/81.jpeg")
print(picture.size, picture.mode)
""",
            """
picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM).save("./output/81.png")
""",
            """
import glob, struct, zlib
from PIL import Image
def part(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
def put_in(kind, data):
    path = glob.glob("./output/*.png")[0]
    Image.open(path).convert("RGB").save(path, icc_profile=None)
    raw = open(path, "rb").read()
    open(path, "wb").write(raw[:33] + part(kind, data) + raw[33:])
put_in(b"PLTE", b"abc" * 300)
""",
        ],
        "answer": "I flipped the picture top to bottom and saved it as ./output/81.png.",
    },
    "block-with-one-code": {
        "why": "the right pixels behind an empty block of one code, at which Chromium gives up and shows an empty frame",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/81.jpeg")
print(picture.size, picture.mode)
""",
            """
picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM).save("./output/81.png")
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
        "answer": "I flipped the picture top to bottom and saved it as ./output/81.png.",
    },
}
GAPS = {
    "block-with-one-code": "A file can be made that zlib unpacks and the decoder of some browsers does not: the picture is right for most programs and blank there.",
}
