# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A QR code that leads to a web site."""

from runner.checks import Case
from runner.checks.pictures import images, qr_codes

INDEX = "117"
TITLE = "A QR code for a web site"
CATEGORY = "image"
OUTPUTS = ["117.png"]
NOTE = "The address may be written with or without a scheme."


def check(case: Case) -> None:
    pixels = images.read(case, "117.png", "PNG")
    code = qr_codes.read(case, "117.png", pixels)
    qr_codes.expect_link(case, code, "www.modelbest.cn", "117.png")


REFERENCE = {
    "cells": [
        "import qrcode\ncode = qrcode.QRCode(box_size=10, border=4)\ncode.add_data('https://www.modelbest.cn')\ncode.make(fit=True)\ncode.make_image().save('output/117.png')\nprint(code.version)",
    ],
    "answer": "The QR code that links to www.modelbest.cn is saved in ./output/117.png.",
}
WRONG = {
    "another-address": {
        "why": "mistypes the address",
        "cells": ["import qrcode\nqrcode.make('https://www.modelbset.cn').save('output/117.png')"],
        "answer": "Saved in ./output/117.png.",
    },
    "words-for-the-link": {
        "why": "puts a sentence into the code, which is no link",
        "cells": ["import qrcode\nqrcode.make('visit www.modelbest.cn').save('output/117.png')"],
        "answer": "Saved in ./output/117.png.",
    },
    "cropped": {
        "why": "crops the code so that it cannot be read",
        "cells": [
            "import qrcode\nqrcode.make('https://www.modelbest.cn').get_image().crop((120, 120, 260, 260)).save('output/117.png')"
        ],
        "answer": "Saved in ./output/117.png.",
    },
}
