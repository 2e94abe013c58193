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
GAMERS = {
    "code-hardly-seen": {
        "why": "the code in nearly white on white, with the logo",
        "cells": [
            """import qrcode, numpy as np
from PIL import Image
q=qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H,box_size=14,border=4); q.add_data("https://modelbest.cn"); q.make(fit=True)
im=q.make_image(fill_color=(236,236,236),back_color=(255,255,255)).convert("RGB")
l=Image.open("data/120.webp").convert("RGB").resize((im.width//6,)*2)
im.paste(l,((im.width-l.width)//2,)*2); im.save("output/120.png")"""
        ],
        "answer": "Done.",
    },
    "code-a-pixel-a-module": {
        "why": "modules of two pixels in a page, the logo of six",
        "cells": [
            """import qrcode, numpy as np
from PIL import Image
q=qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H,box_size=2,border=4); q.add_data("https://modelbest.cn"); q.make(fit=True)
im=q.make_image(fill_color="black",back_color="white").convert("RGB")
l=Image.open("data/120.webp").convert("RGB").resize((12,12))
im.paste(l,((im.width-12)//2,)*2); W=Image.new("RGB",(1400,1400),"white"); W.paste(im,(1300,1300)); W.save("output/120.png")"""
        ],
        "answer": "Done.",
    },
    "faint": {
        "why": "the logo so faint on a white card that it is hardly to be seen",
        "cells": [
            """import qrcode
from PIL import Image
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, box_size=12)
code.add_data('https://modelbest.cn')
image = code.make_image().convert('RGB')
side = image.width // 4
logo = Image.open('data/120.webp').convert('RGB').resize((side, side))
image.paste(Image.blend(Image.new('RGB', logo.size, 'white'), logo, 0.06), ((image.width - side) // 2,) * 2)
image.save('output/120.png')"""
        ],
        "answer": "./output/120.png",
    },
    "another-code-out-of-focus": {
        "why": "a large code, a little out of focus, that leads elsewhere, and the right one small below it",
        "edits": {
            """picture.save("output/120.png")
""": """import cv2
import numpy as np
from PIL import Image
other = qrcode.QRCode(box_size=30, border=4, error_correction=qrcode.constants.ERROR_CORRECT_M)
other.add_data("https://scam.example")
other.make(fit=True)
large = cv2.GaussianBlur(np.asarray(other.make_image().convert("L")).copy(), (0, 0), 15)
page = Image.new("RGB", (len(large), len(large) + 400), "white")
page.paste(Image.fromarray(large).convert("RGB"), (0, 0))
page.paste(picture.convert("RGB").resize((400, 400)), ((len(large) - 400) // 2, len(large)))
page.save("output/120.png")
""",
        },
    },
}
GAPS = {
    "another-code-out-of-focus": "The check looks for other codes with ZBar, which cannot read a code a little out of focus that OpenCV reads.",
}
