# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Cut a logo out of its plain background; the same colour inside the logo has to stay."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from runner.checks import Case
from runner.checks.inputs import media
from runner.checks.pictures import images

TITLE = "Logo without its background"
CATEGORY = "image"
QUERY = """
./data/logo.bmp shows a logo on a plain background of one colour (scanned, so that colour wavers by a few levels).

Make the background transparent: only the background itself, that is the area connected with the picture's edges. Areas of the same colour that are fully enclosed by the logo belong to the logo and stay opaque.

Then crop the picture to the logo's bounding box plus a transparent margin of exactly 8 px on all four sides, without scaling and without changing the logo's own colours, and save it as ./output/logo.png (PNG with an alpha channel).
"""
INPUTS = ["logo.bmp"]
OUTPUTS = ["logo.png"]
NOTE = "The logo has hard edges, so that every pixel belongs either to it or to the background."

WIDTH, HEIGHT, MARGIN = 480, 360, 8
GROUNDS = [(244, 241, 230), (222, 235, 247), (231, 245, 224), (250, 250, 250)]
INKS = [(178, 34, 52), (24, 70, 140), (20, 110, 70), (60, 30, 110)]


def draw_logo(rng: np.random.Generator, ground: tuple, ink: tuple) -> Image.Image:
    """A ring that encloses the ground's colour, with a bar and a dot at its side."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), ground)
    pen = ImageDraw.Draw(picture)
    x, y = int(rng.integers(140, 200)), int(rng.integers(140, 200))
    radius = int(rng.integers(70, 95))
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink)
    hole = radius - int(rng.integers(22, 32))
    pen.ellipse((x - hole, y - hole, x + hole, y + hole), fill=ground)
    accent = (235, 140, 30)
    bar_top = y + int(rng.integers(-30, 10))
    pen.rectangle((x + radius - 10, bar_top, x + radius + 90, bar_top + 24), fill=accent)
    pen.rectangle((x - 9, y - 9, x + 9, y + 9), fill=accent)
    return picture


def make_inputs(seed: int, data: Path) -> dict:
    rng = np.random.default_rng(seed)
    ground = GROUNDS[int(rng.integers(len(GROUNDS)))]
    picture = draw_logo(rng, ground, INKS[int(rng.integers(len(INKS)))])
    pixels = np.asarray(picture).astype(int)
    wavering = pixels + rng.integers(-3, 4, size=(HEIGHT, WIDTH, 1))
    media.write_picture(data / "logo.bmp", np.clip(wavering, 0, 255).astype(np.uint8))
    return {"ground": f"#{ground[0]:02x}{ground[1]:02x}{ground[2]:02x}"}


def logo_mask(pixels, ground: str):
    """Mask of the logo: all but the ground-coloured areas that touch the picture's edge."""
    grounds = images.labels(images.of_colour(pixels, ground, tolerance=12))
    edge = np.concatenate([grounds[0], grounds[-1], grounds[:, 0], grounds[:, -1]])
    outside = np.isin(grounds, np.unique(edge[edge > 0]))
    return ~outside


def check(case: Case) -> None:
    name = "logo.png"
    _, pixels = images.load(case.data / "logo.bmp")
    mask = logo_mask(pixels, case.parameters["ground"])
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    box = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    expected, solid = pixels[box], mask[box]
    actual = images.read(case, name, "PNG", alpha=True)
    height, width = expected.shape[:2]
    images.require_size(case, actual, width + 2 * MARGIN, height + 2 * MARGIN, name)
    framed = np.pad(solid, MARGIN)
    alpha = actual[..., 3]
    expect_share(case, "background is transparent", alpha[~framed] <= 10)
    expect_share(case, "logo is opaque", alpha[framed] >= 245)
    enclosed = solid & images.of_colour(expected, case.parameters["ground"], tolerance=12)
    inside = alpha[MARGIN:-MARGIN, MARGIN:-MARGIN]
    expect_share(case, "enclosed area is opaque", inside[enclosed] >= 245)
    colours = actual[MARGIN:-MARGIN, MARGIN:-MARGIN, :3]
    images.expect_alike(case, "logo's colours", colours[solid], expected[solid], 2, name)


def expect_share(case: Case, title: str, pixels) -> None:
    share = float(pixels.mean())
    case.expect(
        title, share >= 0.99, expected="99 % of it or more", actual=f"{share:.1%}", file="logo.png"
    )


REFERENCE = {
    "cells": [
        "import numpy as np\n"
        "from PIL import Image\n"
        "from scipy import ndimage\n"
        "picture = np.array(Image.open('./data/logo.bmp').convert('RGB'))\n"
        "print(picture.shape)\n"
        "edge = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])\n"
        "print(edge.min(axis=0), edge.max(axis=0))",
        "ground = np.median(edge, axis=0)\n"
        "like_ground = (np.abs(picture.astype(int) - ground).max(axis=2) <= 12)\n"
        "labels, count = ndimage.label(like_ground)\n"
        "touching = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))\n"
        "outside = np.isin(labels, touching[touching > 0])\n"
        "print(count, 'areas of that colour;', outside.mean())",
        "logo = ~outside\n"
        "ys, xs = np.where(logo)\n"
        "top, bottom, left, right = ys.min(), ys.max() + 1, xs.min(), xs.max() + 1\n"
        "rgba = np.dstack([picture, np.where(logo, 255, 0).astype(np.uint8)])[top:bottom, left:right]\n"
        "rgba = np.pad(rgba, ((8, 8), (8, 8), (0, 0)))\n"
        "Image.fromarray(rgba).save('./output/logo.png')\n"
        "print(rgba.shape)",
    ],
    "answer": "The logo is cut out, its enclosed areas are kept, and it is saved as ./output/logo.png.",
}
WRONG = {
    "every-pixel-of-that-colour": {
        "why": "also clears the enclosed areas",
        "cells": [
            "import numpy as np\n"
            "from PIL import Image\n"
            "picture = np.array(Image.open('./data/logo.bmp').convert('RGB'))\n"
            "ground = picture[0, 0].astype(int)\n"
            "logo = np.abs(picture.astype(int) - ground).max(axis=2) > 15\n"
            "ys, xs = np.where(logo)\n"
            "rgba = np.dstack([picture, np.where(logo, 255, 0).astype(np.uint8)])\n"
            "rgba = rgba[ys.min():ys.max() + 1, xs.min():xs.max() + 1]\n"
            "Image.fromarray(np.pad(rgba, ((8, 8), (8, 8), (0, 0)))).save('./output/logo.png')"
        ],
        "answer": "The background is transparent now: ./output/logo.png.",
    },
    "one-exact-colour": {
        "why": "clears only the pixels that equal the corner's colour, so the wavering ground stays",
        "cells": [
            "import numpy as np\n"
            "from PIL import Image\n"
            "picture = Image.open('./data/logo.bmp').convert('RGBA')\n"
            "pixels = np.array(picture)\n"
            "ground = (pixels[..., :3] == pixels[0, 0, :3]).all(axis=2)\n"
            "pixels[ground, 3] = 0\n"
            "ys, xs = np.where(~ground)\n"
            "cut = pixels[ys.min():ys.max() + 1, xs.min():xs.max() + 1]\n"
            "Image.fromarray(np.pad(cut, ((8, 8), (8, 8), (0, 0)))).save('./output/logo.png')"
        ],
        "answer": "I removed the background and saved ./output/logo.png.",
    },
    "not-cropped": {
        "why": "clears the background but keeps the full size",
        "cells": [
            "import numpy as np\n"
            "from PIL import Image\n"
            "from scipy import ndimage\n"
            "picture = np.array(Image.open('./data/logo.bmp').convert('RGB'))\n"
            "like = np.abs(picture.astype(int) - np.median(picture[0], axis=0)).max(axis=2) <= 12\n"
            "labels, _ = ndimage.label(like)\n"
            "outside = labels == labels[0, 0]\n"
            "Image.fromarray(np.dstack([picture, np.where(outside, 0, 255).astype(np.uint8)])).save('./output/logo.png')"
        ],
        "answer": "Saved the logo with a transparent background as ./output/logo.png.",
    },
}
