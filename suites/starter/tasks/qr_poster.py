# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Put a QR code into the corner of a poster without touching the rest."""

from pathlib import Path

import numpy as np

from runner.checks import Case
from runner.checks.inputs import media, scenery
from runner.checks.pictures import images, qr_codes

TITLE = "QR code on a poster"
CATEGORY = "image"
QUERY = """
Add a QR code to the poster ./data/poster.png. The code must hold exactly this text:
«link»
Draw it black on white as a square of exactly «side» × «side» px in the bottom right corner of the poster; that square includes a white quiet zone at least four modules wide on every side. Between the square and the poster's right and bottom edges there are exactly «margin» px of poster. Leave all other pixels of the poster as they are and keep its size.

Save the result as ./output/poster_qr.png (PNG, RGB). Make sure that the code can be read.
"""
INPUTS = ["poster.png"]
OUTPUTS = ["poster_qr.png"]
NOTE = "The quiet zone is measured as white border of at least 6 % of the square's side."

WIDTH, HEIGHT = 600, 840
WORDS = ["harvest", "lantern", "river", "violet", "copper", "meadow", "harbour", "comet"]


def make_inputs(seed: int, data: Path) -> dict:
    rng = np.random.default_rng(seed)
    media.write_picture(data / "poster.png", scenery.landscape(rng, WIDTH, HEIGHT))
    first, second = (str(word) for word in rng.choice(WORDS, size=2, replace=False))
    number = int(rng.integers(1000, 10000))
    return {
        "link": f"https://{first}-{second}.example/tickets?event={number}&row={int(rng.integers(2, 40))}",
        "side": int(rng.integers(21, 27)) * 10,
        "margin": int(rng.integers(12, 37)),
    }


def check(case: Case) -> None:
    name, p = "poster_qr.png", case.parameters
    _, poster = images.load(case.data / "poster.png")
    actual = images.read(case, name, "PNG")
    images.require_size(case, actual, WIDTH, HEIGHT, name)
    bottom, right = HEIGHT - p["margin"], WIDTH - p["margin"]
    box = np.s_[bottom - p["side"] : bottom, right - p["side"] : right]
    changed = np.any(actual != poster, axis=-1)
    changed[box] = False
    count = int(changed.sum())
    case.expect(
        "pixels around the code",
        count == 0,
        expected="0 changed",
        actual=f"{count} changed",
        file=name,
    )
    expect_code(case, actual[box])


def expect_code(case: Case, square) -> None:
    name, side = "poster_qr.png", len(square)
    grey = square.max(axis=-1).astype(int) - square.min(axis=-1) <= 16
    white, black = square.min(axis=-1) >= 200, square.max(axis=-1) <= 55
    plain = float((grey & (white | black)).mean())  # resampling may soften the modules' edges
    case.expect("black on white", plain >= 0.75, "75 % of the square or more", f"{plain:.1%}", name)
    dark = float(black.mean())
    case.expect("black modules", dark >= 0.15, "15 % of the square or more", f"{dark:.1%}", name)
    quiet = max(1, round(side * 0.06))
    frame = np.ones(white.shape, dtype=bool)
    frame[quiet:-quiet, quiet:-quiet] = False
    share = float(white[frame].mean())
    case.expect(
        "quiet zone is white", share == 1.0, expected="all of it", actual=f"{share:.1%}", file=name
    )
    text = qr_codes.read(case, name, square).text
    case.equal("text of the code", text, case.parameters["link"], name)


REFERENCE = {
    "cells": [
        "from PIL import Image\n"
        "poster = Image.open('./data/poster.png').convert('RGB')\n"
        "print(poster.size)",
        "import qrcode\n"
        "link = '«link»'\n"
        "code = qrcode.QRCode(border=4, box_size=10, error_correction=qrcode.constants.ERROR_CORRECT_M)\n"
        "code.add_data(link)\n"
        "code.make(fit=True)\n"
        "square = code.make_image(fill_color='black', back_color='white').convert('RGB')\n"
        "print(square.size, code.modules_count)\n"
        "square = square.resize((«side», «side»), Image.NEAREST)",
        "x = poster.width - «margin» - «side»\n"
        "y = poster.height - «margin» - «side»\n"
        "poster.paste(square, (x, y))\n"
        "poster.save('./output/poster_qr.png')\n"
        "import cv2\n"
        "found = cv2.imread('./output/poster_qr.png')[y:y + «side», x:x + «side»]\n"
        "print(cv2.QRCodeDetector().detectAndDecode(cv2.resize(found, None, fx=2, fy=2))[0])",
    ],
    "answer": "The QR code («side» × «side» px) is in the bottom right corner of ./output/poster_qr.png and can be read.",
}
WRONG = {
    "query-string-lost": {
        "why": "encodes the address without what follows the question mark",
        "cells": [
            "import qrcode\n"
            "from PIL import Image\n"
            "poster = Image.open('./data/poster.png').convert('RGB')\n"
            "square = qrcode.make('«link»'.split('?')[0]).convert('RGB').resize((«side», «side»), Image.NEAREST)\n"
            "poster.paste(square, (poster.width - «margin» - «side», poster.height - «margin» - «side»))\n"
            "poster.save('./output/poster_qr.png')"
        ],
        "answer": "The QR code with the link is on ./output/poster_qr.png.",
    },
    "wrong-corner": {
        "why": "puts the code into the bottom left corner",
        "cells": [
            "import qrcode\n"
            "from PIL import Image\n"
            "poster = Image.open('./data/poster.png').convert('RGB')\n"
            "square = qrcode.make('«link»').convert('RGB').resize((«side», «side»), Image.NEAREST)\n"
            "poster.paste(square, («margin», poster.height - «margin» - «side»))\n"
            "poster.save('./output/poster_qr.png')"
        ],
        "answer": "I added the QR code; see ./output/poster_qr.png.",
    },
    "no-quiet-zone": {
        "why": "draws the code up to the edge of its square",
        "cells": [
            "import qrcode\n"
            "from PIL import Image\n"
            "poster = Image.open('./data/poster.png').convert('RGB')\n"
            "code = qrcode.QRCode(border=0)\n"
            "code.add_data('«link»')\n"
            "square = code.make_image().convert('RGB').resize((«side», «side»), Image.NEAREST)\n"
            "poster.paste(square, (poster.width - «margin» - «side», poster.height - «margin» - «side»))\n"
            "poster.save('./output/poster_qr.png')"
        ],
        "answer": "The poster with the code is saved as ./output/poster_qr.png.",
    },
}
