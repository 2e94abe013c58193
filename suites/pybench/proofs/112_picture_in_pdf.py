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
