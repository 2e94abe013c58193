"""A QR code with a picture as its logo."""

from runner.checks import Case, codes, images

INDEX = "120"
TITLE = "A QR code with a logo"
CATEGORY = "image"
OUTPUTS = ["120.png"]
NOTE = "The code must still be readable with the picture in its middle, at a tenth to nearly half of its width, cropped or framed as one likes."


def check(case: Case) -> None:
    import cv2
    import numpy as np

    pixels = images.read(case, "120.png", "PNG")
    code = codes.read(case, "120.png", pixels)
    if not codes.expect_link(case, code, "modelbest.cn", "120.png"):
        return
    left, top, width, height = code.box
    middle = (top + height // 2, left + width // 2)
    logo = cv2.cvtColor(cv2.imread(str(case.data / "120.webp")), cv2.COLOR_BGR2RGB)
    best = 0.0
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
            best = max(
                best,
                float(
                    cv2.matchTemplate(
                        np.ascontiguousarray(around), small, cv2.TM_CCOEFF_NORMED
                    ).max()
                ),
            )
    case.expect(
        "the picture in its middle",
        best >= 0.75,
        "a likeness of 0.75 or more",
        f"{best:.2f}",
        "120.png",
        f"The given picture is not in the middle of the code in 120.png (likeness {best:.2f}).",
    )


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
