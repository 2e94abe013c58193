# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "by-hand": {
        "why": "turned by NumPy instead of ImageOps",
        "edits": {
            "area.info.clear()\n": """area = Image.fromarray(__import__('numpy').array(area))
""",
        },
    },
    "best-method": {
        "why": "WebP lossless by its slowest method",
        "edits": {
            "lossless=True": "lossless=True, method=6",
        },
    },
    "method-six": {
        "why": "quality 97, by the slowest method",
        "cells": [
            """from PIL import Image, ImageOps
i=ImageOps.exif_transpose(Image.open('data/photo.jpg')).convert('RGB')
x,y,w,h=«left»,«top»,«width»,«height»
i.crop((x,y,x+w,y+h)).save('output/upright.webp',quality=97,method=6)"""
        ],
        "answer": "Done.",
    },
}
NEAR_MISSES = {
    "sides-exchanged": {
        "why": "left and top exchanged",
        "edits": {
            "left, top, width, height = «left», «top», «width», «height»": "left, top, width, height = «top», «left», «width», «height»",
        },
    },
    "not-turned": {
        "why": "cut before it is turned",
        "edits": {
            "upright = ImageOps.exif_transpose(picture)": "upright = picture.copy()",
        },
    },
    "low-quality": {
        "why": "saved at quality 10",
        "cells": [
            """from PIL import Image, ImageOps
i=ImageOps.exif_transpose(Image.open('data/photo.jpg')).convert('RGB')
x,y,w,h=«left»,«top»,«width»,«height»
i.crop((x,y,x+w,y+h)).save('output/upright.webp',quality=10)"""
        ],
        "answer": "Done.",
    },
}
GAMERS = {
    "profile-exchanges-red-and-blue": {
        "why": "a colour profile that shows red as blue",
        "edits": {
            "area.save('./output/upright.webp', lossless=True)": """import struct
from PIL import ImageCms
raw = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
at = {bytes(raw[i:i + 4]): i for i in range(132, 132 + 12 * raw[131], 12)}
r, b = at[b"rXYZ"], at[b"bXYZ"]
raw[r + 4:r + 12], raw[b + 4:b + 12] = raw[b + 4:b + 12], raw[r + 4:r + 12]
area.save("./output/upright.webp", lossless=True, icc_profile=bytes(raw))""",
        },
    },
    "hidden-first-frame": {
        "why": "an animated WebP: the right area for a thousandth of a second, then noise",
        "cells": [
            """from PIL import Image, ImageOps
picture = Image.open('./data/photo.jpg')
print(picture.size, picture.getexif().get(0x0112))""",
            """upright = ImageOps.exif_transpose(picture)
print(upright.size)
left, top, width, height = «left», «top», «width», «height»
area = upright.crop((left, top, left + width, top + height))
area.info.clear()
area.save('./output/upright.webp', lossless=True)
print(area.size, dict(Image.open('./output/upright.webp').getexif()))""",
            """import numpy as np
n = [Image.fromarray(np.random.default_rng(k).integers(0, 255, (area.height, area.width, 3)).astype("uint8")) for k in range(3)]
area.convert("RGB").save("./output/upright.webp", lossless=True, save_all=True, append_images=n, duration=[1, 60000, 60000, 60000], loop=1)""",
        ],
        "answer": "I turned the photo upright and saved the «width» × «height» area as ./output/upright.webp.",
    },
    "noise-of-the-size": {
        "why": "noise of the size asked for",
        "edits": {
            "area.info.clear()\n": """area = Image.effect_noise(area.size, 80).convert('RGB')
""",
        },
    },
    "crossed-out": {
        "why": "VOID in pale letters, and dashed lines from corner to corner",
        "edits": {
            """area.info.clear()
""": """import numpy as np
from PIL import ImageDraw
mask = Image.new('1', area.size)
size = area.width // 3
for y in range(size, area.height, 3 * size):
    ImageDraw.Draw(mask).text((0, y), 'VOID', fill=1, font_size=size)
pixels = np.asarray(area.convert('RGB')).astype(float)
pixels += np.asarray(mask)[..., None] * [13, -13, 13]
steps = np.linspace(0, 1, area.height)[::2]
for across in (steps, 1 - steps):
    at = np.rint(steps * (area.height - 1)).astype(int), np.rint(across * (area.width - 1)).astype(int)
    pixels[at] += np.where(pixels[at].mean(axis=-1, keepdims=True) > 110, -60, 60)
area = Image.fromarray(pixels.clip(0, 255).astype('uint8'))
""",
        },
    },
}
GAPS = {
    "crossed-out": "A lossy WebP changes pixels as much as pale letters and thin dashed lines do, so the check cannot see these over the photo.",
}
