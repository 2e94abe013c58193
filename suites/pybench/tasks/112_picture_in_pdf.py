# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Save a picture as a PDF."""

from runner.checks import Case

INDEX = "112"
TITLE = "A picture as a PDF"
CATEGORY = "image"
OUTPUTS = ["112.pdf"]
NOTE = "One page that shows the whole picture in proportion, with or without margins."


def check(case: Case) -> None:
    from runner.checks.media import pages_and_frames
    from runner.checks.pictures import edits, placement

    name = "112.pdf"
    pages = pages_and_frames.pdf_pages(case, name, side=900)
    case.demand("pages", len(pages) == 1, expected=1, actual=len(pages), file=name)
    source = edits.original(case, "112.jpeg")
    place = placement.require_shown(case, pages[0], source, "the picture", name, inside=0.99)
    wanted = source.shape[1] / source.shape[0]
    found = place.width / place.height
    case.expect(
        "in proportion",
        abs(found / wanted - 1) <= 0.02,
        expected=f"width to height {wanted:.3f}",
        actual=f"{found:.3f}",
        file=name,
    )
    sharpness = detail_kept(pages[0], source, place)
    case.expect(
        "its detail",
        sharpness >= 0.5,
        expected="half of what a page of that size can show, or more",
        actual=f"{sharpness:.0%}",
        file=name,
    )
    share = place.width * place.height / (pages[0].shape[0] * pages[0].shape[1])
    case.expect(
        "size on the page", share >= 0.1, "a tenth of the page or more", f"{share:.0%}", name
    )


def detail_kept(page, source, place) -> float:
    """The steepness of edges where the picture lies, as a share of the input's at that size."""
    import cv2

    left, top = max(0, round(place.left)), max(0, round(place.top))
    seen = page[top : round(place.top + place.height), left : round(place.left + place.width)]
    wanted = cv2.resize(source, (seen.shape[1], seen.shape[0]), interpolation=cv2.INTER_AREA)
    found, asked = (cv2.Laplacian(one, cv2.CV_32F).std() for one in (seen, wanted))
    return float(found / asked)


REFERENCE = {
    "cells": [
        """
from PIL import Image

picture = Image.open("./data/112.jpeg")
print(picture.size, picture.mode)
""",
        """
picture.convert("RGB").save("./output/112.pdf", "PDF", resolution=150)
""",
    ],
    "answer": "The picture is saved as a one-page PDF, ./output/112.pdf.",
}
WRONG = {
    "over-the-edge": {
        "why": "draws the picture at its own size, a point a pixel, on a page that is smaller",
        "cells": [
            """
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas

page = canvas.Canvas("./output/112.pdf", pagesize=A4)
page.drawImage("./data/112.jpeg", 0, 0)
page.save()
"""
        ],
        "answer": "The image has been saved as a PDF file.",
    },
    "stretched": {
        "why": "stretches the picture over the whole page",
        "cells": [
            """
from reportlab.lib.pagesizes import letter
from reportlab.pdfgen import canvas

page = canvas.Canvas("./output/112.pdf", pagesize=letter)
page.drawImage("./data/112.jpeg", 0, 0, width=letter[0], height=letter[1])
page.save()
"""
        ],
        "answer": "The image has been saved to ./output/112.pdf.",
    },
    "renamed": {
        "why": "copies the JPEG under a name that ends in .pdf",
        "cells": [
            """
import shutil

shutil.copy("./data/112.jpeg", "./output/112.pdf")
"""
        ],
        "answer": "Saved the image as ./output/112.pdf.",
    },
}
