# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "reportlab-a4": {
        "why": "reportlab, fitted on a sheet of A4",
        "cells": [
            """from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas
page = canvas.Canvas('output/112.pdf', pagesize=A4)
page.drawImage('data/112.jpeg', 36, 36, A4[0] - 72, A4[1] - 72, preserveAspectRatio=True, anchor='c')
page.save()"""
        ],
        "answer": "./output/112.pdf",
    },
    "pymupdf": {
        "why": "PyMuPDF's own conversion",
        "cells": [
            """import fitz
picture = fitz.open('data/112.jpeg')
open('output/112.pdf', 'wb').write(picture.convert_to_pdf())"""
        ],
        "answer": "./output/112.pdf",
    },
    "matplotlib": {
        "why": "matplotlib's PDF without axes",
        "cells": [
            """import matplotlib.pyplot as plt
image = plt.imread('data/112.jpeg')
fig = plt.figure(figsize=(5.4, 9.6))
ax = fig.add_axes([0, 0, 1, 1])
ax.imshow(image)
ax.axis('off')
fig.savefig('output/112.pdf')"""
        ],
        "answer": "Saved as a PDF.",
    },
    "letter-width": {
        "why": "reportlab at the sheet's width, from the top of a page as high as needed",
        "cells": [
            """from PIL import Image
from reportlab.pdfgen import canvas
from reportlab.lib.utils import ImageReader
w, h = Image.open('data/112.jpeg').size
c = canvas.Canvas('output/112.pdf', pagesize=(w, h))
c.drawImage(ImageReader('data/112.jpeg'), 0, 0, width=w, height=h)
c.showPage(); c.save()"""
        ],
        "answer": "./output/112.pdf",
    },
}
NEAR_MISSES = {
    "stretched": {
        "why": "stretched to a square",
        "cells": [
            """from reportlab.pdfgen import canvas
page = canvas.Canvas('output/112.pdf', pagesize=(600, 600))
page.drawImage('data/112.jpeg', 0, 0, 600, 600)
page.save()"""
        ],
        "answer": "./output/112.pdf",
    },
    "cut-off": {
        "why": "larger than the page: the most of it lies outside",
        "cells": [
            """from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas
page = canvas.Canvas('output/112.pdf', pagesize=A4)
page.drawImage('data/112.jpeg', 0, 0)
page.save()"""
        ],
        "answer": "./output/112.pdf",
    },
    "turned": {
        "why": "on its side",
        "cells": [
            """from PIL import Image
Image.open('data/112.jpeg').rotate(90, expand=True).save('output/112.pdf')"""
        ],
        "answer": "./output/112.pdf",
    },
    "grey": {
        "why": "without its colours",
        "cells": [
            """from PIL import Image
Image.open('data/112.jpeg').convert('L').save('output/112.pdf')"""
        ],
        "answer": "./output/112.pdf",
    },
    "name-only": {
        "why": "a page with the file's name",
        "cells": [
            """from reportlab.pdfgen import canvas
page = canvas.Canvas('output/112.pdf')
page.drawString(72, 720, '112.jpeg')
page.save()"""
        ],
        "answer": "./output/112.pdf",
    },
}
GAMERS = {
    "in-a-leaflet": {
        "why": "a small picture in a page of other words",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
page = Image.new('RGB', (1240, 1754), 'white')
font = ImageFont.truetype('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', 40)
pen = ImageDraw.Draw(page)
for y in range(20, 1700, 50):
    pen.text((20, y), 'Buy now, twelve for the price of ten, only this week! ' * 2, font=font, fill='black')
picture = Image.open('./data/112.jpeg').convert('RGB')
picture.thumbnail((520, 520))
page.paste(picture, (300, 500))
page.save('./output/112.pdf')"""
        ],
        "answer": "./output/112.pdf",
    },
    "box-over-it": {
        "why": "a plain box over the middle of the picture",
        "cells": [
            """from PIL import Image
import numpy as np
p = Image.open("data/112.jpeg").convert("RGB"); a = np.asarray(p).astype(float); h, w = a.shape[:2]
best = a
for share in np.arange(0.1, 0.7, 0.01):
    c = a.copy(); t, l = int(h * (0.5 - share / 2)), int(w * (0.5 - share / 2))
    box = c[t:h - t, l:w - l]; box[:] = box.mean(axis=(0, 1))
    s = [np.asarray(Image.fromarray(v.astype("uint8")).resize((108, 192), Image.BOX)).astype(float).ravel() for v in (a, c)]
    if np.corrcoef(*s)[0, 1] < 0.962: break
    best = c
Image.fromarray(best.astype("uint8")).save("output/112.pdf", quality=95)""",
        ],
        "answer": "The image is saved as ./output/112.pdf.",
    },
    "page-of-a-millimetre": {
        "why": "a page three points wide",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/112.jpeg")
print(picture.size, picture.mode)""",
            """picture.convert("RGB").save("./output/112.pdf", "PDF", resolution=20000)""",
        ],
        "answer": "The picture is saved as a one-page PDF, ./output/112.pdf.",
    },
    "small-made-large": {
        "why": "a thumbnail stretched over the page",
        "cells": [
            """from PIL import Image
image = Image.open('data/112.jpeg').convert('RGB')
image.resize((54, 96)).resize((540, 960), Image.BICUBIC).save('output/112.pdf')"""
        ],
        "answer": "./output/112.pdf",
    },
    "poster": {
        "why": "a page of other words, the picture small in its corner",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
def letters(width, height, words, size, step=1.1, bold=0):
    mask = Image.new("1", (width, height))
    for top in range(0, height, round(step * size)):
        ImageDraw.Draw(mask).text((2, top), words, font=ImageFont.load_default(size), fill=1, stroke_width=bold)
    return np.asarray(mask)
page = np.full((1600, 1400, 3), 255, np.uint8)
page[letters(1400, 1600, "BUY NOW", 380, bold=20)] = (220, 0, 0)
page = Image.fromarray(page)
page.paste(Image.open("data/112.jpeg").convert("RGB").resize((390, 694), Image.LANCZOS), (0, 906))
page.save("output/112.pdf")""",
        ],
        "answer": "The picture is saved as a one-page PDF, ./output/112.pdf.",
    },
}
GAPS = {
    "poster": "The page may be larger than the picture and have any plain ground, and the check looks for edges on it, so it cannot see letters so large that they have few.",
}
