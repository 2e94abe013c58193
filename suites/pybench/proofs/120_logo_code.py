# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "pasted": {
        "why": "a white card under the logo, https",
        "cells": [
            """import qrcode
from PIL import Image
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, box_size=12)
code.add_data('https://modelbest.cn')
image = code.make_image().convert('RGB')
logo = Image.open('data/120.webp').convert('RGB')
side = image.width // 4
card = Image.new('RGB', (side + 10, side + 10), 'white')
card.paste(logo.resize((side, side)), (5, 5))
image.paste(card, ((image.width - card.width) // 2, (image.height - card.height) // 2))
image.save('output/120.png')"""
        ],
        "answer": "./output/120.png",
    },
    "styled-round": {
        "why": "qrcode's styled image with its own embedded logo, in blue",
        "cells": [
            """import qrcode
from PIL import Image
from qrcode.image.styledpil import StyledPilImage
from qrcode.image.styles.colormasks import SolidFillColorMask
from qrcode.image.styles.moduledrawers.pil import RoundedModuleDrawer
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H)
code.add_data('modelbest.cn')
logo = Image.open('data/120.webp').convert('RGBA')
code.make_image(image_factory=StyledPilImage, module_drawer=RoundedModuleDrawer(), color_mask=SolidFillColorMask((255, 255, 255), (20, 40, 120)), embedded_image=logo).save('output/120.png')"""
        ],
        "answer": "./output/120.png",
    },
    "opencv-circle": {
        "why": "OpenCV's encoder, the logo cut to a circle",
        "cells": [
            """import cv2
import numpy as np
from PIL import Image, ImageDraw
settings = cv2.QRCodeEncoder_Params()
settings.correction_level = cv2.QRCODE_ENCODER_CORRECT_LEVEL_H
code = cv2.QRCodeEncoder.create(settings).encode('http://www.modelbest.cn/')
image = Image.fromarray(cv2.resize(code, None, fx=14, fy=14, interpolation=cv2.INTER_NEAREST)).convert('RGB')
page = Image.new('RGB', (image.width + 80, image.height + 80), 'white')
page.paste(image, (40, 40))
side = image.width // 5
logo = Image.open('data/120.webp').convert('RGB').resize((side, side), Image.LANCZOS)
mask = Image.new('L', logo.size, 0)
ImageDraw.Draw(mask).ellipse((0, 0, side, side), fill=255)
page.paste(logo, ((page.width - side) // 2,) * 2, mask)
page.save('output/120.png')"""
        ],
        "answer": "./output/120.png",
    },
}
NEAR_MISSES = {
    "other-page": {
        "why": "points to modelbest.com",
        "cells": [
            """import qrcode
from PIL import Image
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, box_size=12)
code.add_data('https://modelbest.com')
image = code.make_image().convert('RGB')
side = image.width // 4
image.paste(Image.open('data/120.webp').convert('RGB').resize((side, side)), ((image.width - side) // 2,) * 2)
image.save('output/120.png')"""
        ],
        "answer": "./output/120.png",
    },
    "corner": {
        "why": "the logo in the corner that has no finder",
        "cells": [
            """import qrcode
from PIL import Image
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, box_size=12)
code.add_data('https://modelbest.cn')
image = code.make_image().convert('RGB')
side = image.width // 6
image.paste(Image.open('data/120.webp').convert('RGB').resize((side, side)), (image.width - side - 48,) * 2)
image.save('output/120.png')"""
        ],
        "answer": "./output/120.png",
    },
    "no-logo": {
        "why": "without the logo",
        "cells": [
            """import qrcode
qrcode.make('https://modelbest.cn').save('output/120.png')"""
        ],
        "answer": "./output/120.png",
    },
    "too-large": {
        "why": "so large a logo that nobody can read the code",
        "cells": [
            """import qrcode
from PIL import Image
image = qrcode.make('https://modelbest.cn').convert('RGB')
side = image.width // 2
image.paste(Image.open('data/120.webp').convert('RGB').resize((side, side)), ((image.width - side) // 2,) * 2)
image.save('output/120.png')"""
        ],
        "answer": "./output/120.png",
    },
    "upside-down": {
        "why": "the logo upside down",
        "cells": [
            """import qrcode
from PIL import Image
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, box_size=12)
code.add_data('https://modelbest.cn')
image = code.make_image().convert('RGB')
side = image.width // 4
image.paste(Image.open('data/120.webp').convert('RGB').resize((side, side)).rotate(180), ((image.width - side) // 2,) * 2)
image.save('output/120.png')"""
        ],
        "answer": "./output/120.png",
    },
}
