# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "ffmpeg": {
        "why": "by ffmpeg, whose decoder has colours of its own",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-v', 'error', '-y', '-i', 'data/82.jpeg', '-vf', 'vflip,hflip', '-pix_fmt', 'rgb24', 'output/82.png'], check=True)"""
        ],
        "answer": "Done with ffmpeg.",
    },
    "opencv": {
        "why": "OpenCV's flip",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/82.jpeg')
cv2.imwrite('./output/82.png', cv2.flip(p, 0))""",
        ],
        "answer": "Saved as ./output/82.png.",
    },
    "half-turn": {
        "why": "turned by half a turn",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/82.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[::-1, ::-1]).astype(np.uint8)).save('./output/82.png')""",
        ],
        "answer": "Saved as ./output/82.png.",
    },
}
NEAR_MISSES = {
    "channels": {
        "why": "upside down with red and blue exchanged",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/82.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[::-1, :, ::-1]).astype(np.uint8)).save('./output/82.png')""",
        ],
        "answer": "Saved as ./output/82.png.",
    },
    "half-of-it": {
        "why": "the upper half alone upside down",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/82.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.vstack([p[: len(p) // 2][::-1], p[len(p) // 2 :]])).astype(np.uint8)).save('./output/82.png')""",
        ],
        "answer": "Saved as ./output/82.png.",
    },
}
GAMERS = {
    "letters-ten-levels-off": {
        "why": "words ten levels off all over it",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
p=Image.open("data/82.jpeg").convert("RGB").transpose(Image.Transpose.FLIP_TOP_BOTTOM); x=np.asarray(p).astype(float); s=min(p.size)//3
f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",s); m=Image.new("L",p.size,0); d=ImageDraw.Draw(m)
for i in range(6): d.text((0,i*s*1.1),"BUY NOW BUY",font=f,fill=255)
m=(np.asarray(m)>128)[...,None]
Image.fromarray((x-9*m).clip(0,255).astype(np.uint8)).save("output/82.png")"""
        ],
        "answer": "Done.",
    },
    "hairlines": {
        "why": "a grid of inverted hairlines over it",
        "cells": [
            """import numpy as np
from PIL import Image
a = np.array(Image.open("data/82.jpeg").convert("RGB"))[::-1, ::-1].copy()
m = np.zeros(a.shape[:2], bool); m[20::118] = True; m[:, 20::118] = True
a[m] = np.where(a[m].astype(int).mean(axis=-1, keepdims=True) > 127, 0, 255)
Image.fromarray(a).save("output/82.png")""",
        ],
        "answer": "已将图片旋转 180 度，保存为 ./output/82.png。",
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/82.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/82.png')""",
        ],
        "answer": "Saved as ./output/82.png.",
    },
    "block-with-one-code": {
        "why": "the right pixels behind an empty block of one code, at which Chromium gives up and shows an empty frame",
        "cells": [
            """
from PIL import Image, ImageOps

picture = Image.open("./data/82.jpeg")
print(picture.size, picture.mode)
""",
            """
ImageOps.flip(picture).save("./output/82.png")
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
        "answer": "The picture now stands upside down; it is saved as ./output/82.png.",
    },
}
LEFT_OUT = {
    "reverse-order": "upside down is a flip or a half turn, which is its mirror image",
}
GAPS = {
    "block-with-one-code": "A file can be made that zlib unpacks and the decoder of some browsers does not: the picture is right for most programs and blank there.",
}
