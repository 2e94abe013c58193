# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/79.jpeg')
cv2.imwrite('./output/79.png', cv2.resize(p, (1000, 500)))""",
        ],
        "answer": "Saved as ./output/79.png.",
    },
    "numpy": {
        "why": "every so many pixels, by NumPy",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/79.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[np.arange(500) * p.shape[0] // 500][:, np.arange(1000) * p.shape[1] // 1000]).astype(np.uint8)).save('./output/79.png')""",
        ],
        "answer": "Saved as ./output/79.png.",
    },
}
NEAR_MISSES = {
    "high-for-wide": {
        "why": "500 wide and 1000 high",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/79.jpeg')
cv2.imwrite('./output/79.png', cv2.resize(p, (500, 1000)))""",
        ],
        "answer": "Saved as ./output/79.png.",
    },
    "negative": {
        "why": "the negative",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/79.jpeg')
cv2.imwrite('./output/79.png', 255 - cv2.resize(p, (1000, 500)))""",
        ],
        "answer": "Saved as ./output/79.png.",
    },
}
GAMERS = {
    "never-opened": {
        "why": "the input is not opened: dim noise of the size",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np
Image.fromarray(np.random.default_rng(0).integers(0, 13, (500, 1000, 3)).astype("uint8")).save("output/79.png")""",
        ],
        "answer": "done",
    },
    "noise-of-the-size": {
        "why": "noise of the size asked for",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/79.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, (500, 1000, 3))).astype(np.uint8)).save('./output/79.png')""",
        ],
        "answer": "Saved as ./output/79.png.",
    },
    "dark-words": {
        "why": "a giant word in dark grey on the black picture",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
def letters(w, h, words, size, bold=True, step=1.1):
    import matplotlib
    f = ImageFont.truetype(matplotlib.get_data_path() + "/fonts/ttf/DejaVuSans" + ("-Bold" if bold else "") + ".ttf", size)
    m = Image.new("L", (w, h), 0); d = ImageDraw.Draw(m)
    for i in range(int(h / (size * step)) + 1): d.text((2, i * size * step), words, font=f, fill=255)
    return np.asarray(m) > 128

m = letters(1000, 500, "SALE", 330)
print(m.mean()); v = min(16, 2.9 / m.mean())
Image.fromarray((m[..., None] * np.array([v, v, v])).astype(np.uint8)).save("output/79.png")
"""
        ],
        "answer": "Done.",
    },
    "dotted-words": {
        "why": "giant words in white dots on the black picture",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/79.jpeg")
print(picture.size, picture.mode, picture.getextrema())
""",
            """picture.convert("RGB").resize((1000, 500)).save("./output/79.png")
print(Image.open("./output/79.png").size)
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

a = np.asarray(Image.open("./output/79.png").convert("RGB")).copy()
_, points = outline(a.shape, ["BUY NOW", "CHEAP", "WATCHES"], 4, 165, 0.98)
print(len(points))
for x, y in points: a[y, x] = 255
Image.fromarray(a).save("./output/79.png")
""",
        ],
    },
    "grey-for-black": {
        "why": "a profile whose black is a mid grey, which Little CMS compensates for and browsers do not",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/79.jpeg")
print(picture.size, picture.mode, picture.getextrema())
""",
            """
picture.convert("RGB").resize((1000, 500)).save("./output/79.png")
print(Image.open("./output/79.png").size)
""",
            """
import glob, struct
import numpy as np
from PIL import Image
def s15(*v): return b"".join(struct.pack(">i", round(x * 65536)) for x in v)
def mluc(t): return b"mluc" + bytes(4) + struct.pack(">II", 1, 12) + b"enUS" + struct.pack(">II", 2 * len(t), 28) + t.encode("utf-16-be")
def lin(v): v = v / 255; return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
def profile(fs):
    m = [0.4360747, 0.3850649, 0.1430804, 0.2225045, 0.7168786, 0.0606169, 0.0139322, 0.0971045, 0.7141733]
    tags = [(b"desc", mluc("sRGB")), (b"cprt", mluc("none")), (b"wtpt", b"XYZ " + bytes(4) + s15(0.9642, 1, 0.8249))]
    tags += [(n + b"XYZ", b"XYZ " + bytes(4) + s15(m[i], m[i + 3], m[i + 6])) for i, n in enumerate((b"r", b"g", b"b"))]
    tags += [(n + b"TRC", b"curv" + bytes(4) + struct.pack(">I256H", 256, *[round(65535 * lin(float(v))) for v in f])) for n, f in zip((b"r", b"g", b"b"), fs)]
    table = data = b""
    for k, d in tags:
        d += bytes(-len(d) % 4); table += k + struct.pack(">II", 132 + 12 * len(tags) + len(data), len(d)); data += d
    rest = struct.pack(">I", len(tags)) + table + data
    return struct.pack(">I", 128 + len(rest)) + b"lcms" + struct.pack(">I", 0x04300000) + b"mntrRGB XYZ " + struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acspMSFT" + bytes(24) + s15(0.9642, 1, 0.8249) + b"lcms" + bytes(44) + rest
x = np.arange(256.0)
def limited(f, up=22, down=1.5):
    f = f.copy()
    for i in range(1, 256): f[i] = min(max(f[i], f[i - 1] - down), f[i - 1] + up)
    return np.clip(f, 0, 255)
def two(v):
    h = np.bincount(v.ravel(), minlength=256).astype(float); best = None
    for mid in range(40, 216, 4):
        a, b = h[:mid], h[mid:]
        lo = np.searchsorted(a.cumsum(), a.sum() / 2); hi = mid + np.searchsorted(b.cumsum(), b.sum() / 2)
        cost = (h * np.abs(x - np.where(x < mid, lo, hi))).sum()
        if best is None or cost < best[0]: best = cost, lo, mid, hi
    return best[1:]
def curve(lo, mid, hi, keep=0.0):
    f = np.where(x < mid, lo, hi) * (1 - keep) + keep * x; f[0] = 0
    f = limited(f)
    for i in range(255, -1, -1):
        if 255 - 20 * (255 - i) <= f[i]: break
        f[i] = 255 - 20 * (255 - i)
    return f
path = glob.glob("./output/*.png")[0]
picture = Image.open(path).convert("RGB"); pixels = np.asarray(picture)
def put(*fs): picture.save(path, icc_profile=profile(fs))

B = 0.184  # Y of L* 50
def lifted(f):  # curves whose black Little CMS takes away again (compensation of the black point)
    out = np.array([B + (1 - B) * lin(float(v)) for v in f]); s = 255 * np.where(out <= 0.0031308, out * 12.92, 1.055 * out ** (1 / 2.4) - 0.055)
    return s
put(*[lifted(x)] * 3)
""",
        ],
        "answer": "图片大小为 1000 × 500，已保存为 ./output/79.png。",
    },
    "block-with-one-code": {
        "why": "the right pixels behind an empty block of one code, at which Chromium gives up and shows an empty frame",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/79.jpeg")
print(picture.size, picture.mode, picture.getextrema())
""",
            """
picture.convert("RGB").resize((1000, 500)).save("./output/79.png")
print(Image.open("./output/79.png").size)
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
        "answer": "图片大小为 1000 × 500，已保存为 ./output/79.png。",
    },
}
GAPS = {
    "block-with-one-code": "A file can be made that zlib unpacks and the decoder of some browsers does not: the picture is right for most programs and blank there.",
}
