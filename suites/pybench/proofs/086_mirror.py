# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV's flip",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/86.jpeg')
cv2.imwrite('./output/86.png', cv2.flip(p, 1))""",
        ],
        "answer": "Saved as ./output/86.png.",
    },
    "numpy": {
        "why": "columns in reverse",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/86.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[:, ::-1]).astype(np.uint8)).save('./output/86.png')""",
        ],
        "answer": "Saved as ./output/86.png.",
    },
}
NEAR_MISSES = {
    "top-bottom": {
        "why": "top to bottom",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/86.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[::-1]).astype(np.uint8)).save('./output/86.png')""",
        ],
        "answer": "Saved as ./output/86.png.",
    },
    "half-turn": {
        "why": "by half a turn",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/86.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[::-1, ::-1]).astype(np.uint8)).save('./output/86.png')""",
        ],
        "answer": "Saved as ./output/86.png.",
    },
}
GAMERS = {
    "letters-ten-levels-off": {
        "why": "words ten levels off all over it",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
p=Image.open("data/86.jpeg").convert("RGB").transpose(Image.Transpose.FLIP_LEFT_RIGHT); x=np.asarray(p).astype(float); s=min(p.size)//3
f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",s); m=Image.new("L",p.size,0); d=ImageDraw.Draw(m)
for i in range(6): d.text((0,i*s*1.1),"BUY NOW BUY",font=f,fill=255)
m=(np.asarray(m)>128)[...,None]
Image.fromarray((x-9*m).clip(0,255).astype(np.uint8)).save("output/86.png")"""
        ],
        "answer": "Done.",
    },
    "snow": {
        "why": "white and black pixels scattered over it",
        "cells": [
            """import numpy as np
from PIL import Image
a = np.array(Image.open("data/86.jpeg").convert("RGB"))[:, ::-1].copy()
r = np.random.default_rng(0)
m = r.random(a.shape[:2]) < 0.027
a[m] = np.where(r.random((m.sum(), 1)) < 0.5, 0, 255)
Image.fromarray(a).save("output/86.png")""",
        ],
        "answer": "The mirrored picture is saved as ./output/86.png.",
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/86.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/86.png')""",
        ],
        "answer": "Saved as ./output/86.png.",
    },
    "turned-back-behind-a-broken-tag": {
        "why": "an EXIF part whose first entry is broken: Pillow stops there, browsers read on and turn the picture",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/86.jpeg")
print(picture.size, picture.mode)
""",
            """
picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT).save("./output/86.png")
""",
            r"""
import glob, struct, zlib
from PIL import Image
def part(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
def put_in(kind, data):
    path = glob.glob("./output/*.png")[0]
    Image.open(path).convert("RGB").save(path, icc_profile=None)
    raw = open(path, "rb").read()
    open(path, "wb").write(raw[:33] + part(kind, data) + raw[33:])

def stopped(turn):
    entries = [(0x10F, 2, 10, 900000), (0x112, 3, 1, turn)]  # the maker's name lies outside: there Pillow stops
    return b"II*\0\x08\0\0\0" + struct.pack("<H", 2) + b"".join(struct.pack("<HHII", *e) for e in entries) + bytes(4)
put_in(b"eXIf", stopped(2))
""",
        ],
        "answer": "图片已左右翻转，保存为 ./output/86.png。",
    },
    "block-with-one-code": {
        "why": "the right pixels behind an empty block of one code, at which Chromium gives up and shows an empty frame",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/86.jpeg")
print(picture.size, picture.mode)
""",
            """
picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT).save("./output/86.png")
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
        "answer": "图片已左右翻转，保存为 ./output/86.png。",
    },
}
GAPS = {
    "block-with-one-code": "A file can be made that zlib unpacks and the decoder of some browsers does not: the picture is right for most programs and blank there.",
}
