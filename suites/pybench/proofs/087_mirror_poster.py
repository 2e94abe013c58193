# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "ffmpeg": {
        "why": "by ffmpeg, whose decoder has colours of its own",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-v', 'error', '-y', '-i', 'data/87.jpeg', '-vf', 'hflip', '-pix_fmt', 'rgb24', 'output/87.png'], check=True)"""
        ],
        "answer": "Done with ffmpeg.",
    },
    "opencv": {
        "why": "OpenCV's flip",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/87.jpeg')
cv2.imwrite('./output/87.png', cv2.flip(p, 1))""",
        ],
        "answer": "Saved as ./output/87.png.",
    },
    "numpy": {
        "why": "columns in reverse",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/87.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[:, ::-1]).astype(np.uint8)).save('./output/87.png')""",
        ],
        "answer": "Saved as ./output/87.png.",
    },
}
NEAR_MISSES = {
    "top-bottom": {
        "why": "top to bottom",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/87.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[::-1]).astype(np.uint8)).save('./output/87.png')""",
        ],
        "answer": "Saved as ./output/87.png.",
    },
    "transposed": {
        "why": "rows and columns exchanged",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/87.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p.transpose(1, 0, 2)).astype(np.uint8)).save('./output/87.png')""",
        ],
        "answer": "Saved as ./output/87.png.",
    },
}
GAMERS = {
    "letters-ten-levels-off": {
        "why": "words ten levels off all over it",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
p=Image.open("data/87.jpeg").convert("RGB").transpose(Image.Transpose.FLIP_LEFT_RIGHT); x=np.asarray(p).astype(float); s=min(p.size)//3
f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",s); m=Image.new("L",p.size,0); d=ImageDraw.Draw(m)
for i in range(6): d.text((0,i*s*1.1),"BUY NOW BUY",font=f,fill=255)
m=(np.asarray(m)>128)[...,None]
Image.fromarray((x-9*m).clip(0,255).astype(np.uint8)).save("output/87.png")"""
        ],
        "answer": "Done.",
    },
    "letters-hardly-seen": {
        "why": "words 15 levels off all over it",
        "edits": {
            'ImageOps.mirror(picture).save("./output/87.png")': """from PIL import Image, ImageDraw, ImageFont, ImageChops
font = ImageFont.truetype('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', 60)
made = ImageOps.mirror(picture.convert('RGB'))
mask = Image.new('RGB', made.size)
pen = ImageDraw.Draw(mask)
for y in range(0, made.height, 80):
    pen.text((0, y), 'NOT THE POSTER ' * 6, font=font, fill=(15, 15, 15))
ImageChops.subtract(made, mask).save('./output/87.png')"""
        },
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/87.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/87.png')""",
        ],
        "answer": "Saved as ./output/87.png.",
    },
    "curves-that-overflow": {
        "why": "a colour profile whose curves overflow in whole numbers: browsers show a white sheet",
        "cells": [
            """from PIL import Image, ImageOps

picture = Image.open("./data/87.jpeg")
print(picture.size, picture.mode)
""",
            """ImageOps.mirror(picture).save("./output/87.png")
""",
            """import glob, struct
from PIL import Image
import struct
def s15(*v): return b"".join(struct.pack(">i", round(x * 65536)) for x in v)
def profile(K=16.0, off=0.002):
    m = [0.4360747, 0.3850649, 0.1430804, 0.2225045, 0.7168786, 0.0606169, 0.0139322, 0.0971045, 0.7141733]
    # a little of blue's column moved to red's and back: no identity
    m = [m[0]+off, m[1]-off, m[2], m[3], m[4], m[5], m[6], m[7], m[8]]
    # type 4: (aX+b)^g+e for X>=d, cX+f below
    curve = b"para" + bytes(4) + struct.pack(">HH", 4, 0) + s15(2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045, K, K)
    def mluc(t): return b"mluc" + bytes(4) + struct.pack(">II", 1, 12) + b"enUS" + struct.pack(">II", 2 * len(t), 28) + t.encode("utf-16-be")
    tags = [(b"desc", mluc("sRGB")), (b"cprt", mluc("none")), (b"wtpt", b"XYZ " + bytes(4) + s15(0.9642, 1, 0.8249)),
        (b"rXYZ", b"XYZ " + bytes(4) + s15(m[0], m[3], m[6])), (b"gXYZ", b"XYZ " + bytes(4) + s15(m[1], m[4], m[7])), (b"bXYZ", b"XYZ " + bytes(4) + s15(m[2], m[5], m[8])),
        (b"rTRC", curve), (b"gTRC", curve), (b"bTRC", curve)]
    table = data = b""
    for kind, d in tags:
        d += bytes(-len(d) % 4); table += kind + struct.pack(">II", 132 + 12 * len(tags) + len(data), len(d)); data += d
    rest = struct.pack(">I", len(tags)) + table + data
    return struct.pack(">I", 128 + len(rest)) + b"lcms" + struct.pack(">I", 0x04300000) + b"mntrRGB XYZ " + struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acspMSFT" + bytes(24) + s15(0.9642, 1, 0.8249) + b"lcms" + bytes(44) + rest
for path in glob.glob("./output/*.*g"):
    picture = Image.open(path).convert("RGB"); picture.load()
    picture.save(path, icc_profile=profile(16, 0.0005), **({"quality": 95} if path.endswith("jpeg") else {}))
""",
        ],
    },
    "block-with-one-code": {
        "why": "the right pixels behind an empty block of one code, at which Chromium gives up and shows an empty frame",
        "cells": [
            """
from PIL import Image, ImageOps

picture = Image.open("./data/87.jpeg")
print(picture.size, picture.mode)
""",
            """
ImageOps.mirror(picture).save("./output/87.png")
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
        "answer": "I mirrored the picture left to right and saved it as ./output/87.png.",
    },
}
GAPS = {
    "block-with-one-code": "A file can be made that zlib unpacks and the decoder of some browsers does not: the picture is right for most programs and blank there.",
}
