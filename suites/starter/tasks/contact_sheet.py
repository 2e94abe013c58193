# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Arrange six pictures of different shapes on a contact sheet, in the order of their numbers."""

from pathlib import Path

import cv2
import numpy as np

from runner.checks import Case
from runner.checks.inputs import media, scenery
from runner.checks.pictures import images

TITLE = "Contact sheet of six pictures"
CATEGORY = "image"
QUERY = """
Make a contact sheet of the six pictures in ./data (shot1.png, shot2.png, shot3.png, shot10.png, shot11.png and shot20.png). Order them by their number (so shot10 comes after shot3), in 3 columns and 2 rows, filled row by row from the top left.

Every cell is 200 px wide and 150 px high, with 12 px between neighbouring cells and 12 px between the cells and the sheet's edges, so the sheet is 648 × 336 px. Scale each picture, up or down, to the largest size that fits in its cell while keeping its proportions, and centre it in the cell. Everything not covered by a picture has the colour «background».

Save the sheet as ./output/sheet.png (PNG, RGB).
"""
INPUTS = ["shot1.png", "shot2.png", "shot3.png", "shot10.png", "shot11.png", "shot20.png"]
OUTPUTS = ["sheet.png"]

CELL_WIDTH, CELL_HEIGHT, GAP, COLUMNS = 200, 150, 12, 3
SHEET_WIDTH, SHEET_HEIGHT = 648, 336
SHAPES = [(4, 3), (2, 3), (2, 1), (1, 1), (4, 1), (1, 3)]  # fit the cell without a fraction
BACKGROUNDS = ["#202830", "#f4efe6", "#123c2f", "#d9e2ec"]


def make_inputs(seed: int, data: Path) -> dict:
    rng = np.random.default_rng(seed)
    shapes = [SHAPES[index] for index in rng.permutation(len(SHAPES))]
    sides = rng.permutation([120, 120, 360, 360, 480, 480])  # some smaller than a cell
    for name, (across, down), longest in zip(INPUTS, shapes, sides, strict=True):
        unit = int(longest) // max(across, down)
        media.write_picture(data / name, scenery.landscape(rng, across * unit, down * unit))
    return {"background": str(rng.choice(BACKGROUNDS))}


def cell_box(position: int) -> tuple[int, int]:
    """Left and top of the cell at `position`, from 0."""
    row, column = divmod(position, COLUMNS)
    return GAP + column * (CELL_WIDTH + GAP), GAP + row * (CELL_HEIGHT + GAP)


def fitted(pixels):
    """The picture scaled to fit a cell, and its left and top in the cell."""
    height, width = pixels.shape[:2]
    scale = min(CELL_WIDTH / width, CELL_HEIGHT / height)
    size = round(width * scale), round(height * scale)
    scaled = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return scaled, (CELL_WIDTH - size[0]) // 2, (CELL_HEIGHT - size[1]) // 2


def check(case: Case) -> None:
    name = "sheet.png"
    sheet = images.read(case, name, "PNG")
    images.require_size(case, sheet, SHEET_WIDTH, SHEET_HEIGHT, name)
    free = np.ones(sheet.shape[:2], dtype=bool)
    for position, source in enumerate(INPUTS):
        _, pixels = images.load(case.data / source)
        expected, left_inside, top_inside = fitted(pixels)
        left, top = cell_box(position)
        left, top = left + left_inside, top + top_inside
        height, width = expected.shape[:2]
        free[top - 2 : top + height + 2, left - 2 : left + width + 2] = False
        actual = sheet[top : top + height, left : left + width]
        compare_cell(case, source, actual, expected)
    painted = images.of_colour(sheet, case.parameters["background"], tolerance=4)[free].mean()
    case.expect(
        "background",
        painted > 0.999,
        expected=f"{case.parameters['background']} everywhere around the pictures",
        actual=f"{painted:.1%} of that area",
        file=name,
    )


def compare_cell(case: Case, source: str, actual, expected) -> None:
    """Resampling differs between libraries: compare after a slight blur."""
    close = images.smooth(actual, 1.5), images.smooth(expected, 1.5)
    images.expect_alike(case, f"{source} in its cell", *close, 8, "sheet.png")
    images.expect_in_place(case, f"{source}: place in the cell", *close, "sheet.png")


REFERENCE = {
    "cells": [
        "import re\n"
        "from pathlib import Path\n"
        "from PIL import Image\n"
        "files = sorted(Path('./data').glob('shot*.png'), key=lambda f: int(re.search(r'\\d+', f.stem)[0]))\n"
        "for f in files:\n"
        "    print(f.name, Image.open(f).size, Image.open(f).mode)",
        "W, H, GAP = 200, 150, 12\n"
        "sheet = Image.new('RGB', (3 * W + 4 * GAP, 2 * H + 3 * GAP), '«background»')\n"
        "for i, f in enumerate(files):\n"
        "    picture = Image.open(f).convert('RGB')\n"
        "    scale = min(W / picture.width, H / picture.height)\n"
        "    picture = picture.resize((round(picture.width * scale), round(picture.height * scale)), Image.LANCZOS)\n"
        "    row, column = divmod(i, 3)\n"
        "    x = GAP + column * (W + GAP) + (W - picture.width) // 2\n"
        "    y = GAP + row * (H + GAP) + (H - picture.height) // 2\n"
        "    sheet.paste(picture, (x, y))\n"
        "sheet.save('./output/sheet.png')\n"
        "print(sheet.size)",
    ],
    "answer": "The contact sheet (648 × 336 px) is saved as ./output/sheet.png.",
}
WRONG = {
    "names-as-text": {
        "why": "sorts the names as text, so that shot10 comes before shot2",
        "cells": [
            "from pathlib import Path\n"
            "from PIL import Image\n"
            "W, H, GAP = 200, 150, 12\n"
            "sheet = Image.new('RGB', (648, 336), '«background»')\n"
            "for i, f in enumerate(sorted(Path('./data').glob('shot*.png'))):\n"
            "    picture = Image.open(f).convert('RGB')\n"
            "    scale = min(W / picture.width, H / picture.height)\n"
            "    picture = picture.resize((round(picture.width * scale), round(picture.height * scale)), Image.LANCZOS)\n"
            "    row, column = divmod(i, 3)\n"
            "    sheet.paste(picture, (GAP + column * (W + GAP) + (W - picture.width) // 2, GAP + row * (H + GAP) + (H - picture.height) // 2))\n"
            "sheet.save('./output/sheet.png')"
        ],
        "answer": "The contact sheet is saved as ./output/sheet.png.",
    },
    "stretched": {
        "why": "stretches every picture to the cell",
        "cells": [
            "from PIL import Image\n"
            "sheet = Image.new('RGB', (648, 336), '«background»')\n"
            "for i, n in enumerate([1, 2, 3, 10, 11, 20]):\n"
            "    picture = Image.open(f'./data/shot{n}.png').convert('RGB').resize((200, 150))\n"
            "    row, column = divmod(i, 3)\n"
            "    sheet.paste(picture, (12 + column * 212, 12 + row * 162))\n"
            "sheet.save('./output/sheet.png')"
        ],
        "answer": "All six pictures are on ./output/sheet.png in the order of their numbers.",
    },
    "never-enlarged": {
        "why": "thumbnail() only shrinks, so small pictures stay small",
        "cells": [
            "from PIL import Image\n"
            "sheet = Image.new('RGB', (648, 336), '«background»')\n"
            "for i, n in enumerate([1, 2, 3, 10, 11, 20]):\n"
            "    picture = Image.open(f'./data/shot{n}.png').convert('RGB')\n"
            "    picture.thumbnail((200, 150))\n"
            "    row, column = divmod(i, 3)\n"
            "    sheet.paste(picture, (12 + column * 212 + (200 - picture.width) // 2, 12 + row * 162 + (150 - picture.height) // 2))\n"
            "sheet.save('./output/sheet.png')"
        ],
        "answer": "The sheet is saved as ./output/sheet.png.",
    },
}
