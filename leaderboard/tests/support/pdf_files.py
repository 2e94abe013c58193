"""PDF files."""

from __future__ import annotations

import io

from PIL import Image

from leaderboard.tests.support.rows import make_png


def make_pdf(colour: str = "#0072b2", size: tuple[int, int] = (320, 200)) -> bytes:
    buffer = io.BytesIO()
    with Image.open(io.BytesIO(make_png(colour, size))) as image:
        image.save(buffer, "PDF")
    return buffer.getvalue()
