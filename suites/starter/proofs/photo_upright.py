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
