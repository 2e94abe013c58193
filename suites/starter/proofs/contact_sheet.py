# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "contain": {
        "why": "ImageOps.contain, pasted with whole-number centring",
        "edits": {
            "scale = min(W / picture.width, H / picture.height)\n    picture = picture.resize((round(picture.width * scale), round(picture.height * scale)), Image.LANCZOS)": "from PIL import ImageOps\n    picture = ImageOps.contain(picture, (W, H), Image.BICUBIC)"
        },
    },
    "opencv": {
        "why": "OpenCV with area interpolation and sizes cut to whole pixels",
        "cells": [
            """
import cv2, numpy as np
bg = '«background»'.lstrip('#')
bgr = tuple(int(bg[i:i+2], 16) for i in (4, 2, 0))
sheet = np.full((336, 648, 3), bgr, np.uint8)
for n, k in enumerate((1, 2, 3, 10, 11, 20)):
    im = cv2.imread(f'data/shot{k}.png', cv2.IMREAD_COLOR)
    h, w = im.shape[:2]
    s = min(200 / w, 150 / h)
    im = cv2.resize(im, (max(1, int(w * s + 1e-9)), max(1, int(h * s + 1e-9))), interpolation=cv2.INTER_AREA if s < 1 else cv2.INTER_LINEAR)
    h, w = im.shape[:2]
    r, c = divmod(n, 3)
    x, y = 12 + 212 * c + int((200 - w) / 2 + .5), 12 + 162 * r + int((150 - h) / 2 + .5)
    sheet[y:y+h, x:x+w] = im
cv2.imwrite('output/sheet.png', sheet)
"""
        ],
        "answer": "Saved to output/sheet.png.",
    },
    "box-filter": {
        "why": "another filter, sizes rounded down",
        "edits": {
            "Image.LANCZOS": "Image.HAMMING",
            "round(picture.width * scale)": "int(picture.width * scale + 1e-6)",
            "round(picture.height * scale)": "int(picture.height * scale + 1e-6)",
        },
    },
    "reducing": {
        "why": "bilinear",
        "edits": {"Image.LANCZOS": "Image.BILINEAR"},
        "answer": "Done.",
    },
}
NEAR_MISSES = {
    "column-by-column": {
        "why": "fills column by column",
        "edits": {"row, column = divmod(i, 3)": "column, row = divmod(i, 2)"},
    },
    "not-centred": {
        "why": "puts each picture into its cell's top left corner",
        "edits": {"+ (W - picture.width) // 2": "", "+ (H - picture.height) // 2": ""},
    },
    "cropped-to-fill": {
        "why": "fills each cell and cuts off what is over",
        "edits": {
            "scale = min(W / picture.width, H / picture.height)\n    picture = picture.resize((round(picture.width * scale), round(picture.height * scale)), Image.LANCZOS)": "from PIL import ImageOps\n    picture = ImageOps.fit(picture, (W, H))"
        },
    },
    "last-two-exchanged": {
        "why": "exchanges the last two pictures",
        "edits": {"for f in files:": "files[4:] = files[:3:-1]\nfor f in files:"},
    },
    "grey-ground": {
        "why": "another colour for what is not covered",
        "edits": {"'«background»')": "'#808080')"},
    },
    "mirrored": {
        "why": "each picture mirrored",
        "edits": {".convert('RGB')\n    scale": ".convert('RGB').transpose(0)\n    scale"},
    },
    "rows-exchanged": {
        "why": "the rows exchanged",
        "edits": {"row, column = divmod(i, 3)": "row, column = divmod(i, 3)\n    row = 1 - row"},
    },
    "wider-gap": {
        "why": "everything four pixels further right",
        "edits": {"x = GAP + column": "x = GAP + 4 + column"},
    },
    "a-little-smaller": {
        "why": "pictures a tenth smaller than would fit",
        "edits": {
            "scale = min(W / picture.width, H / picture.height)": "scale = 0.9 * min(W / picture.width, H / picture.height)"
        },
    },
    "grey-pictures": {
        "why": "pictures in grey",
        "edits": {"Image.open(f).convert('RGB')": "Image.open(f).convert('L').convert('RGB')"},
    },
}
