# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "slices by OpenCV",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/85.jpeg')
cv2.imwrite('./output/85.png', p[(p.shape[0] - 300) // 2 :][:300, (p.shape[1] - 300) // 2 :][:, :300])""",
        ],
        "answer": "Saved as ./output/85.png.",
    },
    "numpy": {
        "why": "one pixel beside it",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/85.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[(p.shape[0] - 299) // 2 :][:300, (p.shape[1] - 299) // 2 :][:, :300]).astype(np.uint8)).save('./output/85.png')""",
        ],
        "answer": "Saved as ./output/85.png.",
    },
}
NEAR_MISSES = {
    "corner": {
        "why": "the upper left corner",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/85.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[:300, :300]).astype(np.uint8)).save('./output/85.png')""",
        ],
        "answer": "Saved as ./output/85.png.",
    },
    "shrunk": {
        "why": "the whole picture, shrunk",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/85.jpeg')
cv2.imwrite('./output/85.png', cv2.resize(p, (300, 300)))""",
        ],
        "answer": "Saved as ./output/85.png.",
    },
}
GAMERS = {
    "letters-over-it": {
        "why": "giant letters a few levels off over the map",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
p=Image.open("data/85.jpeg").convert("RGB").crop((106,57,406,357)); x=np.asarray(p).astype(float)
f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",95); m=Image.new("L",p.size,0); d=ImageDraw.Draw(m)
for i in range(3): d.text((0,i*98),"NONE",font=f,fill=255)
m=(np.asarray(m)/255.)[...,None]
Image.fromarray((x-9*m).clip(0,255).astype(np.uint8)).save("output/85.png")"""
        ],
        "answer": "Done.",
    },
    "box-over-it": {
        "why": "a plain box over 3% of the picture, what was there is lost",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/85.jpeg")
width, height = picture.size
print(width, height)""",
            """left, top = (width - 300) // 2, (height - 300) // 2
part = picture.crop((left, top, left + 300, top + 300))
part.save("./output/85.png")
print(part.size)""",
            """from PIL import Image, ImageDraw
import numpy as np
p = Image.open("output/85.png").convert("RGB"); w, h = p.size; s = 0.03 ** 0.5
x, y = int(w * (0.5 - s / 2)), int(h * (0.5 - s / 2))
ImageDraw.Draw(p).rectangle((x, y, x + int(w * s), y + int(h * s)), fill=(0, 0, 0)); p.save("output/85.png")""",
        ],
        "answer": "I cropped 300 × 300 pixels from the centre and saved them as ./output/85.png.",
    },
    "mean-colour": {
        "why": "a square of the mean colour",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/85.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.ones((300, 300, 3)) * p.mean((0, 1))).astype(np.uint8)).save('./output/85.png')""",
        ],
        "answer": "Saved as ./output/85.png.",
    },
    "letters-in-another-hue": {
        "why": "giant words over the picture, as bright as it and of another hue",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
def letters(w, h, words, size, bold=True, step=1.1):
    import matplotlib
    f = ImageFont.truetype(matplotlib.get_data_path() + "/fonts/ttf/DejaVuSans" + ("-Bold" if bold else "") + ".ttf", size)
    m = Image.new("L", (w, h), 0); d = ImageDraw.Draw(m)
    for i in range(int(h / (size * step)) + 1): d.text((2, i * size * step), words, font=f, fill=255)
    return np.asarray(m) > 128

p = Image.open("data/85.jpeg").convert("RGB"); l, t = (p.width - 300) // 2, (p.height - 300) // 2
x = np.asarray(p.crop((l, t, l + 300, t + 300))).astype(float)
m = letters(300, 300, "FAKE", 105, step=1.4)[..., None]
for k in np.arange(1.0, 0.3, -0.04):
    z = (x + k * m * np.array([15.0, -11, 15])).clip(0, 255)
    if np.abs(z - x).mean() <= 3.8: break
print(k); Image.fromarray(z.round().astype(np.uint8)).save("output/85.png")
"""
        ],
        "answer": "Done.",
    },
    "names-cut-in-half": {
        "why": "the map without the upper half of each name",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/85.jpeg")
width, height = picture.size
print(width, height)
""",
            """
left, top = (width - 300) // 2, (height - 300) // 2
part = picture.crop((left, top, left + 300, top + 300))
part.save("./output/85.png")
print(part.size)
""",
            """
import cv2, numpy as np
from PIL import Image
s = np.asarray(Image.open("./output/85.png").convert("RGB")).copy()
g = s.astype(np.float32) @ np.array([0.299, 0.587, 0.114], np.float32)
ink = cv2.medianBlur(g.astype(np.uint8), 21).astype(np.float32) - g > 14
_, _, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate((g < 125).astype(np.uint8), np.ones((1, 7))))
clean = cv2.inpaint(s, cv2.dilate(ink.astype(np.uint8), np.ones((3, 3))) * 255, 4, cv2.INPAINT_TELEA)
w = np.zeros(g.shape, np.float32)
for x, y, a, b, area in stats[1:]:
    if area > 25 and b <= 22: w[max(0, y - 1):y + round(0.5 * b), max(0, x - 1):x + a + 1] = 1
for _ in range(60):
    out = (s + w[..., None] * (clean.astype(float) - s)).clip(0, 255).round().astype(np.uint8)
    box = cv2.blur(np.abs(out.astype(np.float32) - s).mean(-1), (12, 12), borderType=cv2.BORDER_REFLECT)
    if box.max() <= 31: break
    w[cv2.dilate((box > 31).astype(np.uint8), np.ones((13, 13))) > 0] *= 0.96
Image.fromarray(out).save("./output/85.png")
""",
        ],
        "answer": "I cropped 300 × 300 pixels from the centre and saved them as ./output/85.png.",
    },
    "a-white-map": {
        "why": "a profile that shows all light colours as white: no land, sea or border",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/85.jpeg")
width, height = picture.size
print(width, height)
""",
            """
left, top = (width - 300) // 2, (height - 300) // 2
part = picture.crop((left, top, left + 300, top + 300))
part.save("./output/85.png")
print(part.size)
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
f = limited(np.where(x <= 128, x, 246.0)); put(f, f, f)
""",
        ],
        "answer": "I cropped 300 × 300 pixels from the centre and saved them as ./output/85.png.",
    },
    "block-with-one-code": {
        "why": "the right pixels behind an empty block of one code, at which Chromium gives up and shows an empty frame",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/85.jpeg")
width, height = picture.size
print(width, height)
""",
            """
left, top = (width - 300) // 2, (height - 300) // 2
part = picture.crop((left, top, left + 300, top + 300))
part.save("./output/85.png")
print(part.size)
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
        "answer": "I cropped 300 × 300 pixels from the centre and saved them as ./output/85.png.",
    },
}
GAPS = {
    "block-with-one-code": "A file can be made that zlib unpacks and the decoder of some browsers does not: the picture is right for most programs and blank there.",
}
