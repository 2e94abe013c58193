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
GAMERS = {
    "watermarks": {
        "why": "pale letters across each picture",
        "edits": {
            "row, column = divmod(i, 3)": """import numpy as np
    from PIL import ImageDraw
    mask = Image.new('L', picture.size, 0)
    for y in range(0, picture.height, 26):
        for x in range(0, picture.width, 84):
            ImageDraw.Draw(mask).text((x, y), 'VOID!', fill=255, font_size=26)
    a, k = np.asarray(picture).astype(float), np.asarray(mask)[..., None] / 255
    a += k * np.where(a.mean(-1, keepdims=True) > 127, -34, 34)
    picture = Image.fromarray(a.clip(0, 255).round().astype('uint8'))
    row, column = divmod(i, 3)""",
        },
    },
    "stamped": {
        "why": "each picture with a black bar over a part of it",
        "cells": [
            """import re
from pathlib import Path
from PIL import Image
files = sorted(Path('./data').glob('shot*.png'), key=lambda f: int(re.search(r'\\d+', f.stem)[0]))
for f in files:
    print(f.name, Image.open(f).size, Image.open(f).mode)""",
            """W, H, GAP = 200, 150, 12
sheet = Image.new('RGB', (3 * W + 4 * GAP, 2 * H + 3 * GAP), '«background»')
for i, f in enumerate(files):
    picture = Image.open(f).convert('RGB')
    scale = min(W / picture.width, H / picture.height)
    picture = picture.resize((round(picture.width * scale), round(picture.height * scale)), Image.LANCZOS)
    row, column = divmod(i, 3)
    x = GAP + column * (W + GAP) + (W - picture.width) // 2
    y = GAP + row * (H + GAP) + (H - picture.height) // 2
    sheet.paste(picture, (x, y))
sheet.save('./output/sheet.png')
print(sheet.size)""",
            """from PIL import Image, ImageDraw
import glob, numpy as np
p = Image.open("output/sheet.png"); d = ImageDraw.Draw(p)
for i in range(6):
    r, c = divmod(i, 3); x, y = 12 + c * 212 + 100, 12 + r * 162 + 75
    d.rectangle((x - 11, y - 8, x + 11, y + 8), fill=(0, 0, 0))
p.save("output/sheet.png")""",
        ],
        "answer": "The contact sheet (648 × 336 px) is saved as ./output/sheet.png.",
    },
    "mean-colours": {
        "why": "each picture as its mean colour",
        "edits": {
            "picture = picture.resize((round(picture.width * scale), round(picture.height * scale)), Image.LANCZOS)": "picture = picture.resize((1, 1), Image.BOX).resize((round(picture.width * scale), round(picture.height * scale)))",
        },
    },
    "transparent": {
        "why": "the right sheet, transparent",
        "edits": {
            "sheet.save(": """sheet.putalpha(0)
sheet.save(""",
        },
    },
    "crossed-out": {
        "why": "VOID over each picture in pale letters, and a dashed red line from corner to corner",
        "edits": {
            """    row, column = divmod(i, 3)
""": """    import numpy as np
    from PIL import ImageDraw
    mask = Image.new('1', picture.size)
    size = max(12, min(picture.size) // 3)
    for y in range(0, picture.height, round(1.6 * size)):
        ImageDraw.Draw(mask).text((2, y), 'VOID VOID VOID VOID', fill=1, font_size=size)
    pixels = np.asarray(picture).astype(float)
    pixels += np.asarray(mask)[..., None] * [13, -13, 13]
    steps = np.linspace(0, 1, int(0.005 * mask.width * mask.height))
    down, across = (np.rint(steps * (side - 1)).astype(int) for side in pixels.shape[:2])
    pixels[down, across] = (255, 0, 0)
    picture = Image.fromarray(pixels.clip(0, 255).astype('uint8'))
    row, column = divmod(i, 3)
""",
        },
    },
}
GAPS = {
    "crossed-out": "Ways of resizing differ by up to 16 levels, and by more along edges, so the check cannot see pale letters and a thin dashed line over a picture.",
}
