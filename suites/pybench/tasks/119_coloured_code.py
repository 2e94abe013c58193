# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A QR code over a photograph, red in the middle and blue towards its corners."""

from runner.checks import Case
from runner.checks.pictures import images, qr_codes

INDEX = "119"
TITLE = "照片上的渐变色二维码"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["119.png"]
STRENGTH = "partial"
NOTE = "The code must be readable, its marks red in the middle and blue at the corners, and the photograph seen in or around it. How the colours pass into each other is not judged, and of the photograph, whose detail the code hides, the broad light and shade alone."


def check(case: Case) -> None:
    import cv2
    import numpy as np

    pixels = images.read(case, "119.png", "PNG")
    code = qr_codes.read(case, "119.png", pixels)
    if not qr_codes.expect_link(case, code, "x.com", "119.png"):
        return
    left, top, width, height = code.box
    area = pixels[max(0, top) : top + height, max(0, left) : left + width].astype(int)
    middle = area[int(0.38 * height) : int(0.62 * height), int(0.38 * width) : int(0.62 * width)]
    side_y, side_x = max(2, int(0.28 * height)), max(2, int(0.28 * width))
    corners = [
        area[:side_y, :side_x],
        area[:side_y, -side_x:],
        area[-side_y:, :side_x],
        area[-side_y:, -side_x:],
    ]
    red = share(middle, 0)
    blue = [share(corner, 2) for corner in corners]
    case.expect(
        "red in the middle",
        red >= 0.15,
        "15 % of the middle or more",
        f"{red:.0%}",
        "119.png",
        f"The code in 119.png is {red:.0%} red in the middle.",
    )
    case.expect(
        "blue at the corners",
        sum(b >= 0.12 for b in blue) >= 3,
        "12 % of each corner or more",
        ", ".join(f"{b:.0%}" for b in blue),
        "119.png",
        "The corners of the code in 119.png are not blue.",
    )
    photo = cv2.cvtColor(cv2.imread(str(case.data / "119.jpeg")), cv2.COLOR_BGR2GRAY)
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    alike = max(
        likeness(grey, photo),
        likeness(cv2.cvtColor(area.astype(np.uint8), cv2.COLOR_RGB2GRAY), photo),
    )
    case.expect(
        "the photograph behind it",
        alike >= 0.3,
        "a likeness of 0.3 or more",
        f"{alike:.2f}",
        "119.png",
        f"The photograph is not seen in 119.png (likeness {alike:.2f}).",
    )


def share(part, channel: int) -> float:
    """Share of a part that is clearly of one colour: red (0) or blue (2)."""
    others = [c for c in range(3) if c != channel]
    lead = part[..., channel] - part[..., others].max(axis=-1)
    return float((lead > 40).mean())


def likeness(grey, photo) -> float:
    """The correlation of two pictures' broad light and shade, stretched over each other."""
    import cv2
    import numpy as np

    small = [
        cv2.GaussianBlur(cv2.resize(p, (96, 54), interpolation=cv2.INTER_AREA), (0, 0), 4).ravel()
        for p in (grey, photo)
    ]
    return float(np.corrcoef(*small)[0, 1]) if small[0].std() > 1 else 0.0


REFERENCE = {
    "cells": [
        "from PIL import Image\nphoto = Image.open('data/119.jpeg').convert('RGB')\nprint(photo.size)\nimport qrcode\ncode = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, border=2)\ncode.add_data('https://x.com')\ncode.make(fit=True)\nprint(code.version, len(code.get_matrix()))",
        """
import numpy as np

matrix = np.array(code.get_matrix())
box = 16
side = matrix.shape[0] * box
width = int(photo.width * side / photo.height)
ground = np.asarray(photo.resize((width, side))).astype(float)
left = (width - side) // 2
rows, columns = np.mgrid[:side, :side]
far = np.clip(np.hypot(rows - side / 2, columns - side / 2) / (side / 2), 0, 1)[..., None]
ink = (1 - far) * np.array([215, 0, 0]) + far * np.array([0, 0, 205])
dark = np.kron(matrix, np.ones((box, box), bool))[..., None]
window = ground[:, left:left + side]
pale = 0.32 * window + 0.68 * 255
ground[:, left:left + side] = np.where(dark, ink, pale)
Image.fromarray(ground.astype(np.uint8)).save("output/119.png")
""",
        "import cv2\nprint('reads:', cv2.QRCodeDetector().detectAndDecode(cv2.imread('output/119.png'))[0])",
    ],
    "answer": "二维码已以照片为背景生成，中间红色、四角蓝色渐变，扫描指向 x.com，保存在 ./output/119.png。",
}
WRONG = {
    "plain-code": {
        "why": "makes a plain black code without the photograph",
        "cells": ["import qrcode\nqrcode.make('https://x.com').save('output/119.png')"],
        "answer": "二维码已保存到 ./output/119.png。",
    },
    "colours-swapped": {
        "why": "makes the middle blue and the corners red, on white",
        "cells": [
            "import numpy as np, qrcode\nfrom PIL import Image\nc = qrcode.QRCode()\nc.add_data('https://x.com')\nc.make()\nm = np.kron(np.array(c.get_matrix()), np.ones((12, 12), bool))\nn = m.shape[0]\ny, x = np.mgrid[:n, :n]\nf = np.clip(np.hypot(y - n / 2, x - n / 2) / (n / 2), 0, 1)[..., None]\nink = (1 - f) * np.array([0, 0, 205]) + f * np.array([215, 0, 0])\nImage.fromarray(np.where(m[..., None], ink, 255).astype(np.uint8)).save('output/119.png')"
        ],
        "answer": "二维码已保存到 ./output/119.png。",
    },
    "unreadable": {
        "why": "lays the code over the dark photograph so faintly that nothing reads it",
        "cells": [
            "import qrcode\nfrom PIL import Image\np = Image.open('data/119.jpeg').convert('RGB')\nq = qrcode.make('https://x.com').convert('RGB').resize(p.size)\nImage.blend(p, q, 0.08).save('output/119.png')"
        ],
        "answer": "二维码已保存到 ./output/119.png。",
    },
}
