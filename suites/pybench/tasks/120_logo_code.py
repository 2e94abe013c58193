# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A QR code with a picture as its logo."""

from runner.checks import Case
from runner.checks.pictures import images, qr_codes

INDEX = "120"
TITLE = "A QR code with a logo"
CATEGORY = "image"
OUTPUTS = ["120.png"]
NOTE = "The code must still be readable with the picture in its middle, at a tenth to nearly half of its width, cropped or framed as one likes."


def check(case: Case) -> None:
    import cv2
    import numpy as np

    pixels = images.read(case, "120.png", "PNG")
    code = qr_codes.read(case, "120.png", pixels)
    if not qr_codes.expect_link(case, code, "modelbest.cn", "120.png"):
        return
    left, top, width, height = code.box
    middle = (top + height // 2, left + width // 2)
    logo = cv2.cvtColor(cv2.imread(str(case.data / "120.webp")), cv2.COLOR_BGR2RGB)
    best, depth = 0.0, 0.0
    for share in np.arange(0.09, 0.46, 0.012):
        side = max(8, round(float(share) * width))
        small = cv2.resize(logo, (side, side), interpolation=cv2.INTER_AREA)[
            side // 10 : -max(1, side // 10), side // 10 : -max(1, side // 10)
        ]
        reach = side // 2 + 8
        around = pixels[
            max(0, middle[0] - reach) : middle[0] + reach,
            max(0, middle[1] - reach) : middle[1] + reach,
        ]
        if min(around.shape[:2]) >= small.shape[0]:
            alike = cv2.matchTemplate(np.ascontiguousarray(around), small, cv2.TM_CCOEFF_NORMED)
            if float(alike.max()) > best:
                best, depth = float(alike.max()), depth_of(around, small, alike)
    case.expect(
        "the picture in its middle",
        best >= 0.75,
        "a likeness of 0.75 or more",
        f"{best:.2f}",
        "120.png",
        f"The given picture is not in the middle of the code in 120.png (likeness {best:.2f}).",
    )
    case.expect(
        "its contrast",
        depth >= 0.4,
        "two fifths of the picture's own or more",
        f"{depth:.0%}",
        "120.png",
        f"The picture in the middle of 120.png is hardly to be seen ({depth:.0%} of its contrast).",
    )


def depth_of(around, small, alike) -> float:
    """The contrast of what is seen where `small` lies best, as a share of its own."""
    top, left = divmod(int(alike.argmax()), alike.shape[1])
    seen = around[top : top + small.shape[0], left : left + small.shape[1]]
    return float(seen.std() / max(1.0, small.std()))


REFERENCE = {
    "cells": [
        "from PIL import Image\nlogo = Image.open('data/120.webp').convert('RGB')\nprint(logo.size)\nimport qrcode\ncode = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, box_size=12, border=4)\ncode.add_data('https://modelbest.cn')\ncode.make(fit=True)\npicture = code.make_image().convert('RGB')\nprint(picture.size)",
        """
side = picture.width // 5
small = logo.resize((side, side), Image.LANCZOS)
at = (picture.width - side) // 2
picture.paste(small, (at, at))
picture.save("output/120.png")
import cv2
print("reads:", cv2.QRCodeDetector().detectAndDecode(cv2.imread("output/120.png"))[0])
""",
    ],
    "answer": "The QR code for modelbest.cn with the picture as its logo is saved in ./output/120.png.",
}
WRONG = {
    "no-logo": {
        "why": "leaves the logo out",
        "cells": ["import qrcode\nqrcode.make('https://modelbest.cn').save('output/120.png')"],
        "answer": "Saved in ./output/120.png.",
    },
    "logo-at-full-size": {
        "why": "pastes the picture at its full size, over most of the code",
        "cells": [
            "import qrcode\nfrom PIL import Image\nq = qrcode.make('https://modelbest.cn').convert('RGB')\nl = Image.open('data/120.webp').convert('RGB')\nq.paste(l, ((q.width - l.width) // 2, (q.height - l.height) // 2))\nq.save('output/120.png')"
        ],
        "answer": "Saved in ./output/120.png.",
    },
    "logo-in-a-corner": {
        "why": "puts the logo below the code",
        "cells": [
            "import qrcode\nfrom PIL import Image\nq = qrcode.make('https://modelbest.cn').convert('RGB')\nl = Image.open('data/120.webp').convert('RGB').resize((90, 90))\nc = Image.new('RGB', (q.width, q.height + 100), 'white')\nc.paste(q, (0, 0))\nc.paste(l, (10, q.height))\nc.save('output/120.png')"
        ],
        "answer": "Saved in ./output/120.png.",
    },
}
