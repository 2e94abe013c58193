# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "modules-drawn": {
        "why": "modules drawn one by one, faded from red to blue, light ones half clear",
        "cells": [
            """import numpy as np
import qrcode
from PIL import Image, ImageDraw
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, border=4)
code.add_data('x.com')
code.make()
grid = np.array(code.get_matrix())
n, s = len(grid), 20
photo = Image.open('data/119.jpeg').convert('RGB').resize((n * s, n * s))
image = Image.blend(photo, Image.new('RGB', photo.size, 'white'), 0.65)
pen = ImageDraw.Draw(image)
for y in range(n):
    for x in range(n):
        if grid[y, x]:
            t = min(1, np.hypot(x - n / 2, y - n / 2) / (n / 2 * 2 ** .5 * .8))
            pen.rectangle((x * s, y * s, x * s + s - 1, y * s + s - 1), fill=(int(220 * (1 - t)), 0, int(220 * t)))
image.save('output/119.png')"""
        ],
        "answer": "./output/119.png",
    },
    "styled": {
        "why": "qrcode's own radial gradient over the photograph, https",
        "cells": [
            """import qrcode
from PIL import Image
from qrcode.image.styledpil import StyledPilImage
from qrcode.image.styles.colormasks import RadialGradiantColorMask
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, box_size=16)
code.add_data('https://x.com')
front = code.make_image(image_factory=StyledPilImage, color_mask=RadialGradiantColorMask(back_color=(255, 255, 255), center_color=(255, 0, 0), edge_color=(0, 0, 255))).convert('RGB')
photo = Image.open('data/119.jpeg').convert('RGB').resize(front.size)
Image.blend(front, photo, 0.3).save('output/119.png')"""
        ],
        "answer": "二维码已生成，扫描后指向 x.com。",
    },
    "on-wide-photograph": {
        "why": "on the photograph as wide as it is, dark modules over a light veil",
        "cells": [
            """import numpy as np
import qrcode
from PIL import Image
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, border=2, box_size=24)
code.add_data('https://x.com/')
dark = np.array(code.make_image().convert('L')) < 128
h = dark.shape[0]
photo = Image.open('data/119.jpeg').convert('RGB')
w = round(photo.width * h / photo.height)
canvas = np.array(photo.resize((w, h))).astype(float)
left = (w - h) // 2
y, x = np.mgrid[:h, :h]
t = np.clip(np.hypot(x - h / 2, y - h / 2) / (h * 0.6), 0, 1)[..., None]
ink = (1 - t) * [230, 0, 0] + t * [0, 0, 230]
part = canvas[:, left:left + h]
canvas[:, left:left + h] = np.where(dark[..., None], ink, part * .3 + 255 * .7)
Image.fromarray(canvas.astype(np.uint8)).save('output/119.png')"""
        ],
        "answer": "./output/119.png",
    },
}
NEAR_MISSES = {
    "other-page": {
        "why": "points to another page",
        "cells": [
            """import qrcode
from PIL import Image
from qrcode.image.styledpil import StyledPilImage
from qrcode.image.styles.colormasks import RadialGradiantColorMask
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, box_size=16)
code.add_data('https://twitter.com')
front = code.make_image(image_factory=StyledPilImage, color_mask=RadialGradiantColorMask((255, 255, 255), (255, 0, 0), (0, 0, 255))).convert('RGB')
Image.blend(front, Image.open('data/119.jpeg').convert('RGB').resize(front.size), 0.3).save('output/119.png')"""
        ],
        "answer": "./output/119.png",
    },
    "colours-exchanged": {
        "why": "blue in the middle and red at the corners",
        "cells": [
            """import qrcode
from PIL import Image
from qrcode.image.styledpil import StyledPilImage
from qrcode.image.styles.colormasks import RadialGradiantColorMask
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, box_size=16)
code.add_data('https://x.com')
front = code.make_image(image_factory=StyledPilImage, color_mask=RadialGradiantColorMask((255, 255, 255), (0, 0, 255), (255, 0, 0))).convert('RGB')
Image.blend(front, Image.open('data/119.jpeg').convert('RGB').resize(front.size), 0.3).save('output/119.png')"""
        ],
        "answer": "./output/119.png",
    },
    "no-photograph": {
        "why": "without the photograph behind",
        "cells": [
            """import qrcode
from qrcode.image.styledpil import StyledPilImage
from qrcode.image.styles.colormasks import RadialGradiantColorMask
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, box_size=16)
code.add_data('https://x.com')
code.make_image(image_factory=StyledPilImage, color_mask=RadialGradiantColorMask((255, 255, 255), (255, 0, 0), (0, 0, 255))).convert('RGB').save('output/119.png')"""
        ],
        "answer": "./output/119.png",
    },
    "left-to-right": {
        "why": "faded from left to right",
        "cells": [
            """import qrcode
from PIL import Image
from qrcode.image.styledpil import StyledPilImage
from qrcode.image.styles.colormasks import HorizontalGradiantColorMask
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, box_size=16)
code.add_data('https://x.com')
front = code.make_image(image_factory=StyledPilImage, color_mask=HorizontalGradiantColorMask((255, 255, 255), (255, 0, 0), (0, 0, 255))).convert('RGB')
Image.blend(front, Image.open('data/119.jpeg').convert('RGB').resize(front.size), 0.3).save('output/119.png')"""
        ],
        "answer": "./output/119.png",
    },
}
