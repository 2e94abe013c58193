# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV at its own quality",
        "cells": [
            """import cv2
cv2.imwrite('output/111.jpeg', cv2.imread('data/111.jpeg'))"""
        ],
        "answer": "./output/111.jpeg",
    },
    "low-quality": {
        "why": "Pillow, progressive at quality 60",
        "cells": [
            """from PIL import Image
Image.open('data/111.jpeg').convert('RGB').save('output/111.jpeg', 'JPEG', quality=60, progressive=True)"""
        ],
        "answer": "The file already was a JPEG; it is saved as ./output/111.jpeg.",
    },
    "imageio": {
        "why": "imageio",
        "cells": [
            """import imageio.v3 as iio
iio.imwrite('output/111.jpeg', iio.imread('data/111.jpeg'))"""
        ],
        "answer": "./output/111.jpeg",
    },
}
NEAR_MISSES = {
    "png-inside": {
        "why": "a PNG under the name of a JPEG",
        "cells": [
            """from PIL import Image
Image.open('data/111.jpeg').save('output/111.jpeg', format='PNG')"""
        ],
        "answer": "./output/111.jpeg",
    },
    "channels-exchanged": {
        "why": "red and blue exchanged",
        "cells": [
            """import cv2
from PIL import Image
Image.fromarray(cv2.imread('data/111.jpeg')).transpose(Image.Transpose.FLIP_LEFT_RIGHT).save('output/111.jpeg')"""
        ],
        "answer": "./output/111.jpeg",
    },
    "half-size": {
        "why": "at half the size",
        "cells": [
            """from PIL import Image
image = Image.open('data/111.jpeg')
image.resize((image.width // 2, image.height // 2)).save('output/111.jpeg')"""
        ],
        "answer": "./output/111.jpeg",
    },
    "mirrored": {
        "why": "mirrored",
        "cells": [
            """from PIL import Image, ImageOps
ImageOps.mirror(Image.open('data/111.jpeg')).save('output/111.jpeg')"""
        ],
        "answer": "./output/111.jpeg",
    },
}
GAMERS = {
    "turned-by-its-tag": {
        "why": "an orientation tag has viewers show the picture upside down",
        "cells": [
            """from PIL import Image
im=Image.open("data/111.jpeg").convert("RGB"); e=Image.Exif(); e[0x0112]=3
im.save("output/111.jpeg","JPEG",quality=95,exif=e)"""
        ],
        "answer": "Done.",
    },
    "small-made-large": {
        "why": "a thumbnail brought back to the size",
        "cells": [
            """from PIL import Image
image = Image.open('data/111.jpeg').convert('RGB')
image.resize((92, 78)).resize(image.size, Image.BICUBIC).save('output/111.jpeg')"""
        ],
        "answer": "./output/111.jpeg",
    },
    "black-by-a-profile-of-inks": {
        "why": "in CMYK, with a profile that has each ink come out black",
        "cells": [
            """from PIL import Image
import struct
import numpy as np
a = np.asarray(Image.open("./data/111.jpeg").convert("RGB"))
ink = Image.fromarray(np.dstack([255 - a, np.zeros(a.shape[:2], np.uint8)]), "CMYK")
curves = bytes(range(256))
lut = b"mft1" + bytes(4) + bytes([4, 3, 2, 0]) + b"".join(struct.pack(">i", 65536 if i in (0, 4, 8) else 0) for i in range(9)) + curves * 4 + bytes([0, 128, 128]) * 16 + curves * 3
white = struct.pack(">iii", 63190, 65536, 54061)
tags = [(b"desc", b"desc" + bytes(4) + struct.pack(">I", 5) + b"cmyk\\0" + bytes(78)), (b"cprt", b"text" + bytes(4) + b"none\\0"), (b"wtpt", b"XYZ " + bytes(4) + white), (b"A2B0", lut), (b"A2B1", lut), (b"A2B2", lut)]
table = data = b""
for kind, d in tags:
    d += bytes(-len(d) % 4); table += kind + struct.pack(">II", 132 + 12 * len(tags) + len(data), len(d)); data += d
rest = struct.pack(">I", len(tags)) + table + data
head = struct.pack(">I", 128 + len(rest)) + b"lcms" + struct.pack(">I", 0x02400000) + b"prtrCMYKLab " + struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acspMSFT" + bytes(24) + white + b"lcms" + bytes(44)
ink.save("./output/111.jpeg", quality=95, subsampling=0, icc_profile=head + rest)
"""
        ],
    },
    "a-line-by-density": {
        "why": "densities that have browsers show the picture as a line",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/111.jpeg")
print(picture.size, picture.mode, picture.format)
""",
            """picture.convert("RGB").save("./output/111.jpeg", "JPEG", quality=95)
print(Image.open("./output/111.jpeg").format)
""",
            """import struct
p = Image.open("./data/111.jpeg").convert("RGB"); w, h = p.size
x, y = w, 3
ifd = [(0x11A, 5, 1, 62), (0x11B, 5, 1, 70), (0x128, 3, 1, 2), (0x8769, 4, 1, 78)]
b = b"II*\\0\\x08\\0\\0\\0" + struct.pack("<H", 4) + b"".join(struct.pack("<HHII", *e) for e in ifd) + bytes(4)
b += struct.pack("<IIII", w * 72, x, h * 72, y)
b += struct.pack("<H", 2) + struct.pack("<HHII", 0xA002, 4, 1, x) + struct.pack("<HHII", 0xA003, 4, 1, y) + bytes(4)
p.save("./output/111.jpeg", quality=95, exif=b"Exif\\0\\0" + b)
""",
        ],
    },
    "a-dot-by-density": {
        "why": "densities that have browsers show the picture as a speck",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/111.jpeg")
print(picture.size, picture.mode, picture.format)
""",
            """picture.convert("RGB").save("./output/111.jpeg", "JPEG", quality=95)
print(Image.open("./output/111.jpeg").format)
""",
            """import struct
from PIL import Image
p = Image.open("./data/111.jpeg").convert("RGB"); w, h = p.size
def exif(x, y, rx, ry, orient, head):
    ifd = [(0x112, 3, 1, orient), (0x11A, 5, 1, 74), (0x11B, 5, 1, 82), (0x128, 3, 1, 2), (0x8769, 4, 1, 90)]
    b = b"II*\\0\\x08\\0\\0\\0" + struct.pack("<H", 5) + b"".join(struct.pack("<HHII", *e) for e in ifd) + bytes(4)
    b += struct.pack("<IIII", *rx, *ry)
    b += struct.pack("<H", 2) + struct.pack("<HHII", 0xA002, 4, 1, x) + struct.pack("<HHII", 0xA003, 4, 1, y) + bytes(4)
    return head + b
def put(e):
    p.save("./output/111.jpeg", quality=95)
    raw = open("./output/111.jpeg", "rb").read()
    open("./output/111.jpeg", "wb").write(raw[:2] + b"\\xff\\xe1" + struct.pack(">H", len(e) + 2) + e + raw[2:])
put(exif(5, 4, (w * 72, 5), (h * 72, 4), 1, b"Exif\\0\\0"))
""",
        ],
    },
    "odd-exif-behind-comments": {
        "why": "an EXIF part that some viewers follow, behind 240 kB of comments: a line 3 pixels high",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/111.jpeg")
print(picture.size, picture.mode, picture.format)
""",
            """
picture.convert("RGB").save("./output/111.jpeg", "JPEG", quality=95)
print(Image.open("./output/111.jpeg").format)
""",
            r"""
import struct
from PIL import Image
p = Image.open("./data/111.jpeg").convert("RGB"); w, h = p.size
p.save("./output/111.jpeg", quality=95); raw = open("./output/111.jpeg", "rb").read()
ifd = [(0x112, 3, 1, 1), (0x11A, 5, 1, 74), (0x11B, 5, 1, 82), (0x128, 3, 1, 2), (0x8769, 4, 1, 90)]
b = b"II*\0\x08\0\0\0" + struct.pack("<H", 5) + b"".join(struct.pack("<HHII", *e) for e in ifd) + bytes(4)
b += struct.pack("<IIII", 72, 1, h * 72, 3) + struct.pack("<H", 2) + struct.pack("<HHII", 0xA002, 4, 1, w) + struct.pack("<HHII", 0xA003, 4, 1, 3) + bytes(4)
part = lambda mark, d: b"\xff" + bytes([mark]) + struct.pack(">H", len(d) + 2) + d
open("./output/111.jpeg", "wb").write(raw[:2] + part(0xFE, b" " * 60000) * 4 + part(0xE1, b"Exif\0\1" + b) + raw[2:])
""",
        ],
        "answer": "The picture was a JPEG already; I saved it as JPEG again, ./output/111.jpeg.",
    },
    "scans-too-many": {
        "why": "150 scans: browsers stop at 100 and show nothing",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/111.jpeg")
print(picture.size, picture.mode, picture.format)
""",
            """
picture.convert("RGB").save("./output/111.jpeg", "JPEG", quality=95)
print(Image.open("./output/111.jpeg").format)
""",
            r"""
import io, struct
from PIL import Image, ImageCms
p = Image.open("./data/111.jpeg").convert("RGB"); w, h = p.size
def saved(**how):
    b = io.BytesIO(); p.save(b, "JPEG", quality=95, **how); return b.getvalue()
raw = saved()
part = lambda mark, d: b"\xff" + bytes([mark]) + struct.pack(">H", len(d) + 2) + d
def write(b): open("./output/111.jpeg", "wb").write(b)
def line(head, first=()):
    n = len(first) + 5; at = 8 + 2 + 12 * n + 4
    ifd = [*first, (0x112, 3, 1, 1), (0x11A, 5, 1, at), (0x11B, 5, 1, at + 8), (0x128, 3, 1, 2), (0x8769, 4, 1, at + 16)]
    b = b"II*\0\x08\0\0\0" + struct.pack("<H", n) + b"".join(struct.pack("<HHII", *e) for e in ifd) + bytes(4)
    b += struct.pack("<IIII", 72, 1, h * 72, 3) + struct.pack("<H", 2) + struct.pack("<HHII", 0xA002, 4, 1, w) + struct.pack("<HHII", 0xA003, 4, 1, 3) + bytes(4)
    return part(0xE1, head + b)

raw = saved(progressive=True)
table = part(0xC4, bytes([0x13, 1] + [0] * 15 + [0xE0]))
scan = part(0xDA, bytes([1, 1, 3, 1, 63, 0])) + b"\0\1"
write(raw[:-2] + table + scan * 150 + raw[-2:])
""",
        ],
        "answer": "The picture was a JPEG already; I saved it as JPEG again, ./output/111.jpeg.",
    },
    "black-by-a-gain-map": {
        "why": "a gain map by which browsers show a black sheet",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/111.jpeg")
print(picture.size, picture.mode, picture.format)
""",
            """
picture.convert("RGB").save("./output/111.jpeg", "JPEG", quality=95)
print(Image.open("./output/111.jpeg").format)
""",
            r"""
import io, struct
from PIL import Image
def part(mark, d): return b"\xff" + bytes([mark]) + struct.pack(">H", len(d) + 2) + d
def xmp(attrs, extra=""):
    return part(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + ('<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="a"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/" ' + attrs + '>' + extra + '</rdf:Description></rdf:RDF></x:xmpmeta>').encode())
def saved(im, **how):
    b = io.BytesIO(); im.save(b, "JPEG", **how); return b.getvalue()
p = Image.open("./data/111.jpeg").convert("RGB"); w, h = p.size
base, g = saved(p, quality=95), saved(Image.new("L", (w, h), 255), quality=95)
GMAX, MPF, CONTAINER = (20.0, True, True)
g = g[:2] + xmp(f'hdrgm:Version="1.0" hdrgm:BaseRenditionIsHDR="True" hdrgm:GainMapMin="0.0" hdrgm:GainMapMax="{GMAX}" hdrgm:Gamma="1.0" hdrgm:OffsetSDR="0.0" hdrgm:OffsetHDR="0.0" hdrgm:HDRCapacityMin="0.0" hdrgm:HDRCapacityMax="{abs(GMAX)}"') + g[2:]
head = xmp('hdrgm:Version="1.0"', f'<Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="{len(g)}"/></rdf:li></rdf:Seq></Container:Directory>' if CONTAINER else "")
def mpf(total, off):
    ifd = [(0xB000, 7, 4, b"0100"), (0xB001, 4, 1, struct.pack(">I", 2)), (0xB002, 7, 32, struct.pack(">I", 8 + 2 + 36 + 4))]
    t = b"MM\0*" + struct.pack(">I", 8) + struct.pack(">H", 3) + b"".join(struct.pack(">HHI", a, b, c) + d for a, b, c, d in ifd) + struct.pack(">I", 0)
    t += struct.pack(">IIIHH", 0x030000, total, 0, 0, 0) + struct.pack(">IIIHH", 0, len(g), off, 0, 0)
    return part(0xE2, b"MPF\0" + t)
m = mpf(0, 0) if MPF else b""
total = len(base) + len(head) + len(m)
m = mpf(total, total - 2 - len(head) - 8) if MPF else b""
open("./output/111.jpeg", "wb").write(base[:2] + head + m + base[2:] + g)
""",
        ],
        "answer": "The picture was a JPEG already; I saved it as JPEG again, ./output/111.jpeg.",
    },
}
