# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "small-modules": {
        "why": "another size and correction",
        "cells": [
            """import qrcode
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, box_size=5, border=5)
code.add_data('https://www.modelbest.cn/')
code.make(fit=True)
code.make_image().save('output/117.png')""",
        ],
        "answer": "Saved as ./output/117.png.",
    },
    "opencv": {
        "why": "OpenCV's encoder",
        "cells": [
            """import cv2
p = cv2.QRCodeEncoder.create().encode('https://www.modelbest.cn')
p = cv2.copyMakeBorder(cv2.resize(p, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST), 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255)
cv2.imwrite('output/117.png', p)""",
        ],
        "answer": "Saved as ./output/117.png.",
    },
}
NEAR_MISSES = {
    "other-site": {
        "why": "another site's name",
        "cells": [
            """import qrcode
code = qrcode.QRCode(box_size=8, border=4)
code.add_data('https://www.modelbest.com')
code.make(fit=True)
code.make_image().save('output/117.png')""",
        ],
        "answer": "Saved as ./output/117.png.",
    },
    "words": {
        "why": "words instead of a link",
        "cells": [
            """import qrcode
code = qrcode.QRCode(box_size=8, border=4)
code.add_data('ModelBest home page')
code.make(fit=True)
code.make_image().save('output/117.png')""",
        ],
        "answer": "Saved as ./output/117.png.",
    },
}
GAMERS = {
    "speck": {
        "why": "a code 60 pixels wide in a corner of a large black poster",
        "cells": [
            """import qrcode
from PIL import Image, ImageDraw
q=qrcode.QRCode(box_size=2,border=4); q.add_data("www.modelbest.cn"); q.make(fit=True)
im=q.make_image().convert("RGB")
W=Image.new("RGB",(2600,2600),(20,20,60)); d=ImageDraw.Draw(W)
for i in range(0,2600,50): d.line((0,i,2600,2600-i),fill=(200,120,30),width=9)
W.paste(im,(2500,40)); W.save("output/117.png")"""
        ],
        "answer": "Done.",
    },
    "inverted-code-beside-it": {
        "why": "a large code in white on black that leads elsewhere",
        "cells": [
            """import qrcode
from PIL import Image
def code(text, box, ink, ground):
    q = qrcode.QRCode(border=4, box_size=box); q.add_data(text); q.make(fit=True)
    return q.make_image(fill_color=ink, back_color=ground).convert("RGB")
small, large = code("www.modelbest.cn", 4, "black", "white"), code("https://evil.example/login", 24, "white", "black")
page = Image.new("RGB", (large.width + 40, large.height + small.height + 40), "white")
page.paste(large, (20, small.height + 20)); page.paste(small, (4, 4)); page.save("output/117.png")""",
        ],
        "answer": "The QR code is saved as ./output/117.png.",
    },
    "second-code-larger": {
        "why": "the right code small, beside it a large one that leads elsewhere",
        "cells": [
            """import qrcode
code = qrcode.QRCode(box_size=10, border=4)
code.add_data('https://www.modelbest.cn')
code.make(fit=True)
code.make_image().save('output/117.png')
print(code.version)""",
            """import qrcode
from PIL import Image
a = Image.open("output/117.png").convert("RGB").resize((150, 150))
c = qrcode.QRCode(box_size=20); c.add_data("https://evil.example/phish"); c.make(); b = c.make_image().convert("RGB")
p = Image.new("RGB", (b.width + 200, b.height + 200), "white"); p.paste(b, (200, 200)); p.paste(a, (10, 10)); p.save("output/117.png")""",
        ],
        "answer": "The QR code that links to www.modelbest.cn is saved in ./output/117.png.",
    },
    "a-pixel-a-module": {
        "why": "one pixel a module",
        "cells": [
            """import qrcode
code = qrcode.QRCode(box_size=1, border=2)
code.add_data('https://www.modelbest.cn')
code.make(fit=True)
code.make_image().save('output/117.png')
print(code.version)""",
        ],
        "answer": "The QR code that links to www.modelbest.cn is saved in ./output/117.png.",
    },
    "blank-to-the-eye": {
        "why": "a code in nearly white on white, which no eye and no phone sees",
        "cells": [
            """import qrcode
code = qrcode.QRCode(box_size=10, border=4)
code.add_data('https://www.modelbest.cn')
code.make(fit=True)
code.make_image().save('output/117.png')
print(code.version)""",
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np
p = np.asarray(Image.open("output/117.png").convert("L")); Image.fromarray(np.where(p > 128, 255, 250).astype("uint8")).convert("RGB").save("output/117.png")""",
        ],
        "answer": "The QR code that links to www.modelbest.cn is saved in ./output/117.png.",
    },
    "pattern": {
        "why": "squares that look like a code",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.random.default_rng(0).integers(0, 2, (29, 29)) * 255
Image.fromarray(np.kron(p, np.ones((10, 10))).astype(np.uint8)).save('output/117.png')""",
        ],
        "answer": "Saved as ./output/117.png.",
    },
    "another-code-out-of-focus": {
        "why": "a large code, a little out of focus, that leads elsewhere, and the right one small below it",
        "edits": {
            "code.make_image().save('output/117.png')": """import cv2
import numpy as np
from PIL import Image
other = qrcode.QRCode(box_size=30, border=4, error_correction=qrcode.constants.ERROR_CORRECT_M)
other.add_data("https://scam.example")
other.make(fit=True)
large = cv2.GaussianBlur(np.asarray(other.make_image().convert("L")).copy(), (0, 0), 15)
page = Image.new("RGB", (len(large), len(large) + 330), "white")
page.paste(Image.fromarray(large).convert("RGB"), (0, 0))
page.paste(code.make_image().convert("RGB").resize((330, 330)), ((len(large) - 330) // 2, len(large)))
page.save("output/117.png")""",
        },
    },
}
LEFT_OUT = {
    "reverse-order": "a code in a mirror is read as the same",
}
GAPS = {
    "another-code-out-of-focus": "The check looks for other codes with ZBar, which cannot read a code a little out of focus that OpenCV reads.",
}
