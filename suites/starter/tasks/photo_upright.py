# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Turn a photo upright by its orientation tag, cut out an area, save it as webp."""

from pathlib import Path

import numpy as np

from runner.checks import Case
from runner.checks.inputs import media, scenery
from runner.checks.pictures import images

TITLE = "Photo turned upright and cropped"
CATEGORY = "image"
QUERY = """
My phone stored ./data/photo.jpg lying on its side; only the EXIF orientation tag says how it is meant to be seen.

Please turn the picture upright as that tag says. Then cut out of the upright picture the area whose top left corner is «left» px from the left edge and «top» px from the top edge, «width» px wide and «height» px high, without any scaling.

Save that area as ./output/upright.webp (lossless, or at quality 90 or better). The new file must not need an orientation tag any more.
"""
INPUTS = ["photo.jpg"]
OUTPUTS = ["upright.webp"]

WIDTH, HEIGHT = 420, 600  # of the upright picture
MOST_LOST = 2.6  # levels, on average: quality 90 loses up to 2.0, 80 from 2.9 on
CLOCKWISE, COUNTER_CLOCKWISE = 6, 8  # EXIF: how a viewer has to turn the stored picture


def make_inputs(seed: int, data: Path) -> dict:
    rng = np.random.default_rng(seed)
    upright = scenery.landscape(rng, WIDTH, HEIGHT)
    orientation = int(rng.choice([CLOCKWISE, COUNTER_CLOCKWISE]))
    stored = np.rot90(upright, 1 if orientation == CLOCKWISE else -1)
    media.write_picture(data / "photo.jpg", np.ascontiguousarray(stored), orientation)
    width, height = int(rng.integers(16, 22)) * 10, int(rng.integers(24, 32)) * 10
    return {
        "left": int(rng.integers(21, 90)),
        "top": int(rng.integers(91, 240)),
        "width": width,
        "height": height,
        "orientation": orientation,
    }


def upright_area(case: Case):
    """The asked-for area, out of the pristine input."""
    p = case.parameters
    _, stored = images.load(case.data / "photo.jpg")
    upright = np.rot90(stored, -1 if p["orientation"] == CLOCKWISE else 1)
    return upright[p["top"] : p["top"] + p["height"], p["left"] : p["left"] + p["width"]]


def check(case: Case) -> None:
    name = "upright.webp"
    expected = upright_area(case)
    actual = images.read(case, name, "WEBP")
    images.require_size(case, actual, case.parameters["width"], case.parameters["height"], name)
    images.expect_alike(case, "the area's pixels", actual, expected, MOST_LOST, name)
    images.expect_in_place(case, "the area's place", actual, expected, name)
    turned = images.orientation(case, name)
    case.expect("orientation tag", turned == 1, expected="none, or 1", actual=turned, file=name)


REFERENCE = {
    "cells": [
        "from PIL import Image, ImageOps\n"
        "picture = Image.open('./data/photo.jpg')\n"
        "print(picture.size, picture.getexif().get(0x0112))",
        "upright = ImageOps.exif_transpose(picture)\n"
        "print(upright.size)\n"
        "left, top, width, height = «left», «top», «width», «height»\n"
        "area = upright.crop((left, top, left + width, top + height))\n"
        "area.info.clear()\n"
        "area.save('./output/upright.webp', lossless=True)\n"
        "print(area.size, dict(Image.open('./output/upright.webp').getexif()))",
    ],
    "answer": "I turned the photo upright and saved the «width» × «height» area as ./output/upright.webp.",
}
WRONG = {
    "tag-ignored": {
        "why": "crops the picture as it is stored",
        "cells": [
            "from PIL import Image\n"
            "picture = Image.open('./data/photo.jpg').convert('RGB')\n"
            "area = picture.crop((«left», «top», «left» + «width», «top» + «height»))\n"
            "area.save('./output/upright.webp', lossless=True)"
        ],
        "answer": "The upright area is saved as ./output/upright.webp.",
    },
    "wrong-direction": {
        "why": "turns the picture the other way round",
        "cells": [
            "from PIL import Image\n"
            "picture = Image.open('./data/photo.jpg')\n"
            "tag = picture.getexif().get(0x0112)\n"
            "upright = picture.rotate(90 if tag == 6 else -90, expand=True)\n"
            "area = upright.crop((«left», «top», «left» + «width», «top» + «height»))\n"
            "area.save('./output/upright.webp', lossless=True, exif=b'')"
        ],
        "answer": "The picture was rotated by 90 degrees, cropped and saved as ./output/upright.webp.",
    },
    "scaled-instead-of-cut": {
        "why": "resizes the whole picture to the asked-for size",
        "cells": [
            "from PIL import Image, ImageOps\n"
            "upright = ImageOps.exif_transpose(Image.open('./data/photo.jpg'))\n"
            "upright.resize((«width», «height»)).save('./output/upright.webp', lossless=True)"
        ],
        "answer": "Saved ./output/upright.webp with «width» × «height» px.",
    },
}
