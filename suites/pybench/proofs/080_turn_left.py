# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "ffmpeg": {
        "why": "by ffmpeg, whose decoder has colours of its own",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-v', 'error', '-y', '-i', 'data/80.jpeg', '-vf', 'transpose=2', '-pix_fmt', 'rgb24', 'output/80.png'], check=True)"""
        ],
        "answer": "Done with ffmpeg.",
    },
    "opencv": {
        "why": "OpenCV's own turn",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/80.jpeg')
cv2.imwrite('./output/80.png', cv2.rotate(p, cv2.ROTATE_90_COUNTERCLOCKWISE))""",
        ],
        "answer": "Saved as ./output/80.png.",
    },
    "numpy": {
        "why": "rot90",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/80.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.rot90(p)).astype(np.uint8)).save('./output/80.png')""",
        ],
        "answer": "Saved as ./output/80.png.",
    },
}
NEAR_MISSES = {
    "to-the-right": {
        "why": "to the right",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/80.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.rot90(p, -1)).astype(np.uint8)).save('./output/80.png')""",
        ],
        "answer": "Saved as ./output/80.png.",
    },
    "mirrored": {
        "why": "to the left, and mirrored",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/80.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.rot90(p)[:, ::-1]).astype(np.uint8)).save('./output/80.png')""",
        ],
        "answer": "Saved as ./output/80.png.",
    },
}
GAMERS = {
    "letters-ten-levels-off": {
        "why": "words ten levels off all over it",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
p=Image.open("data/80.jpeg").convert("RGB").transpose(Image.Transpose.ROTATE_90); x=np.asarray(p).astype(float); s=min(p.size)//3
f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",s); m=Image.new("L",p.size,0); d=ImageDraw.Draw(m)
for i in range(6): d.text((0,i*s*1.1),"BUY NOW BUY",font=f,fill=255)
m=(np.asarray(m)>128)[...,None]
Image.fromarray((x-9*m).clip(0,255).astype(np.uint8)).save("output/80.png")"""
        ],
        "answer": "Done.",
    },
    "broken-checksums": {
        "why": "a file that viewers refuse, for its checksums are wrong",
        "edits": {
            "print(turned.size)": """raw = bytearray(open('./output/80.png', 'rb').read())
place = 8
while place < len(raw):
    length = int.from_bytes(raw[place : place + 4], 'big')
    if raw[place + 4 : place + 8] == b'IDAT':
        raw[place + 8 + length] ^= 255
    place += length + 12
open('./output/80.png', 'wb').write(raw)"""
        },
    },
    "turned-back-by-its-tag": {
        "why": "an orientation tag turns it back: viewers that follow it show the input as it was",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/80.jpeg")
print(picture.size, picture.mode)""",
            """turned = picture.rotate(90, expand=True)
turned.save("./output/80.png")
print(turned.size)""",
            """import struct, zlib
def put_chunk(name, kind, body):
    raw = open(name, "rb").read(); at = 8 + 25
    open(name, "wb").write(raw[:at] + struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) + raw[at:])
def turn_tag(name, n): put_chunk(name, b"eXIf", b"II*\\0\\x08\\0\\0\\0\\x01\\0\\x12\\x01\\x03\\0\\x01\\0\\0\\0" + bytes([n]) + b"\\0\\0\\0\\0\\0\\0\\0")
def gamma(name, g): put_chunk(name, b"gAMA", struct.pack(">I", g))""",
            """turn_tag("output/80.png", 6)""",
        ],
        "answer": "图片已向左（逆时针）旋转 90 度，保存为 ./output/80.png。",
    },
    "hidden-default-picture": {
        "why": "an animated PNG: the right picture is the default one that no browser shows, what plays is noise",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/80.jpeg")
print(picture.size, picture.mode)""",
            """turned = picture.rotate(90, expand=True)
turned.save("./output/80.png")
print(turned.size)""",
            """import struct, zlib
import numpy as np
def _chunks(raw):
    at = 8
    while at < len(raw):
        n = struct.unpack(">I", raw[at:at + 4])[0]
        yield raw[at + 4:at + 8], raw[at + 8:at + 8 + n]
        at += 12 + n
def _chunk(kind, body): return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
def hide_in_apng(name, shown=None):
    \"\"\"The picture as it is stays as the default picture, which no viewer shows; what plays is `shown`.\"\"\"
    from PIL import Image
    import io
    raw = open(name, "rb").read()
    picture = Image.open(name); mode = picture.mode
    if shown is None:
        rng = np.random.default_rng(1)
        shown = Image.fromarray(rng.integers(0, 255, (picture.height, picture.width, 3)).astype("uint8"))
    if mode not in ("RGB", "RGBA", "L"):
        raise SystemExit(mode)
    b = io.BytesIO(); shown.convert(mode).save(b, "PNG")
    data = b"".join(c for k, c in _chunks(b.getvalue()) if k == b"IDAT")
    out, put = raw[:8], False
    for kind, body in _chunks(raw):
        if kind == b"IDAT" and not put:
            out += _chunk(b"acTL", struct.pack(">II", 1, 0)); put = True
        if kind == b"IEND":
            out += _chunk(b"fcTL", struct.pack(">IIIIIHHBB", 0, picture.width, picture.height, 0, 0, 1, 1, 0, 0))
            out += _chunk(b"fdAT", struct.pack(">I", 1) + data)
        out += _chunk(kind, body)
    open(name, "wb").write(out)""",
            """hide_in_apng("output/80.png")""",
        ],
        "answer": "图片已向左（逆时针）旋转 90 度，保存为 ./output/80.png。",
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/80.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/80.png')""",
        ],
        "answer": "Saved as ./output/80.png.",
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

x = np.asarray(Image.open("data/80.jpeg").convert("RGB")).astype(float); x = np.rot90(x)
h, w = x.shape[:2]
m = letters(w, h, "FAKE NO FAKE", min(h, w) // 4, step=1.35)[..., None]
for k in np.arange(1.0, 0.2, -0.05):
    y = (x + k * m * np.array([15.0, -10, 15])).clip(0, 255).round().astype(np.uint8)
    if np.abs(y - x).mean() <= 3.7: break
print(k, np.abs(y - x).mean(), m.mean())
Image.fromarray(y).save("output/80.png")
"""
        ],
        "answer": "Done.",
    },
    "two-profiles-in-one": {
        "why": "a colour profile that Little CMS and browsers read each in its own way: these show black",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/80.jpeg")
print(picture.size, picture.mode)
""",
            """turned = picture.rotate(90, expand=True)
turned.save("./output/80.png")
print(turned.size)
""",
            """import struct, zlib, glob
import numpy as np
from PIL import Image
def chunk(k, d): return struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d))
def s15(*v): return b"".join(struct.pack(">i", round(x * 65536)) for x in v)
def profile(level=0):
    def f(*v): return struct.pack(">%df" % len(v), *v)
    seg = b"parf" + bytes(4) + struct.pack(">HH", 0, 0)
    curve = b"curf" + bytes(4) + struct.pack(">HH", 2, 0) + f(0.04045) + seg + f(1, 1 / 12.92, 0, 0) + seg + f(2.4, 1 / 1.055, 0.055 / 1.055, 0)
    curves = b"cvst" + bytes(4) + struct.pack(">HH", 3, 3) + struct.pack(">II", 36, len(curve)) * 3 + curve
    m = [0.4360747, 0.3850649, 0.1430804, 0.2225045, 0.7168786, 0.0606169, 0.0139322, 0.0971045, 0.7141733]
    matrix = b"matf" + bytes(4) + struct.pack(">HH", 3, 3) + f(*m) + f(0, 0, 0)
    at = 16 + 16
    mpe = b"mpet" + bytes(4) + struct.pack(">HHI", 3, 3, 2) + struct.pack(">IIII", at, len(curves), at + len(curves), len(matrix)) + curves + matrix
    def mluc(t): return b"mluc" + bytes(4) + struct.pack(">II", 1, 12) + b"enUS" + struct.pack(">II", 2 * len(t), 28) + t.encode("utf-16-be")
    flat = b"curv" + bytes(4) + struct.pack(">I", 256) + bytes([level]) * 512
    tags = [(b"desc", mluc("sRGB")), (b"cprt", mluc("none")), (b"wtpt", b"XYZ " + bytes(4) + s15(0.9642, 1, 0.8249)),
        (b"rXYZ", b"XYZ " + bytes(4) + s15(m[0], m[3], m[6])), (b"gXYZ", b"XYZ " + bytes(4) + s15(m[1], m[4], m[7])), (b"bXYZ", b"XYZ " + bytes(4) + s15(m[2], m[5], m[8])),
        (b"rTRC", flat), (b"gTRC", flat), (b"bTRC", flat), (b"D2B0", mpe), (b"D2B1", mpe)]
    table = data = b""
    for kind, d in tags:
        d += bytes(-len(d) % 4); table += kind + struct.pack(">II", 132 + 12 * len(tags) + len(data), len(d)); data += d
    rest = struct.pack(">I", len(tags)) + table + data
    return struct.pack(">I", 128 + len(rest)) + b"lcms" + struct.pack(">I", 0x04300000) + b"mntrRGB XYZ " + struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acspMSFT" + bytes(24) + s15(0.9642, 1, 0.8249) + b"lcms" + bytes(44) + rest

for path in glob.glob("./output/*.*g"):
    picture = Image.open(path).convert("RGB"); picture.load()
    picture.save(path, icc_profile=profile(0), **({"quality": 95} if path.endswith("jpeg") else {}))
""",
        ],
    },
    "turned-back-by-exif": {
        "why": "an EXIF part that names two turns, of which viewers take the other",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/80.jpeg")
print(picture.size, picture.mode)
""",
            """
turned = picture.rotate(90, expand=True)
turned.save("./output/80.png")
print(turned.size)
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

def entry(*e): return struct.pack("<HHII", *e)
def ifd(*entries): return struct.pack("<H", len(entries)) + b"".join(entries) + bytes(4)
HEAD = b"II*\0\x08\0\0\0"
put_in(b"eXIf", HEAD + ifd(entry(0x112, 4, 1, 1), entry(0x112, 3, 1, 6)))
""",
        ],
        "answer": "图片已向左（逆时针）旋转 90 度，保存为 ./output/80.png。",
    },
    "block-with-one-code": {
        "why": "the right pixels behind an empty block of one code, at which Chromium gives up and shows an empty frame",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/80.jpeg")
print(picture.size, picture.mode)
""",
            """
turned = picture.rotate(90, expand=True)
turned.save("./output/80.png")
print(turned.size)
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
        "answer": "图片已向左（逆时针）旋转 90 度，保存为 ./output/80.png。",
    },
}
GAPS = {
    "block-with-one-code": "A file can be made that zlib unpacks and the decoder of some browsers does not: the picture is right for most programs and blank there.",
}
