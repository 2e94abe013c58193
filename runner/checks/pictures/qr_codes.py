"""Reading QR codes in an agent's picture, and where they lie in it.

    code = codes.read(case, "117.png", pixels)
    code.text, code.box        # "" when none can be read

Two decoders try, at several sizes: what any phone reads, one of them should.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from runner.checks.case import Case

MOST_SIDE_PX = 3000
MISREAD = ("shift_jis", "big5", "latin-1", "cp932")  # what UTF-8 is at times taken for


@dataclass(frozen=True)
class Code:
    """A code's text and its box in the picture: left, top, width, height in pixels."""

    text: str
    box: tuple[int, int, int, int] = (0, 0, 0, 0)


def read(case: Case, name: str, pixels: Any) -> Code:
    """The code in `pixels` (height, width, 3) of the output `name`."""
    with case.reading(name, "a picture with a QR code"):
        for scale, picture in sizes(pixels):
            for decode in (by_zbar, by_opencv):
                code = decode(picture, scale)
                if code.text:
                    return code
    return Code("")


def sizes(pixels: Any) -> Iterator[tuple[float, Any]]:
    """The picture in grey on white, as it is, larger and smaller."""
    grey = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY)
    side = max(grey.shape)
    for scale in (1.0, 2.0, 3.0, 0.5):
        if 60 <= side * scale <= MOST_SIDE_PX:
            how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
            grown = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=how)
            yield scale, cv2.copyMakeBorder(grown, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255)


def by_zbar(picture: Any, scale: float) -> Code:
    from pyzbar import pyzbar

    codes = pyzbar.decode(picture, symbols=[pyzbar.ZBarSymbol.QRCODE])
    for found in sorted(codes, key=lambda code: -code.rect.width * code.rect.height):
        left, top, width, height = found.rect
        box = [round((v - 40 * (n < 2)) / scale) for n, v in enumerate((left, top, width, height))]
        return Code(mended(found.data), (box[0], box[1], box[2], box[3]))
    return Code("")


def mended(raw: bytes) -> str:
    """The text of a code whose UTF-8 a decoder took for an old encoding."""
    text = raw.decode("utf-8", "replace")
    for encoding in MISREAD:
        with suppress(UnicodeError):
            return text.encode(encoding).decode("utf-8")
    return text


def by_opencv(picture: Any, scale: float) -> Code:
    for detector in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
        with suppress(cv2.error, UnicodeError):
            text, corners, _ = detector.detectAndDecode(picture)
            if text and corners is not None:
                left, top, width, height = cv2.boundingRect(corners.reshape(-1, 2))
                box = [round(v / scale) for v in (left - 40, top - 40, width, height)]
                return Code(str(text), (box[0], box[1], box[2], box[3]))
    return Code("")


def expect_link(case: Case, code: Code, host: str, name: str) -> bool:
    """The code leads to `host`, with or without a scheme and a closing stroke."""
    text = code.text.strip().lower().rstrip("/")
    plain = text.removeprefix("https://").removeprefix("http://")
    return case.expect(
        "where it leads",
        plain == host or (plain == f"www.{host}" and not host.startswith("www.")),
        host,
        code.text[:120] or "no code can be read",
        name,
        f"The code in {name} leads to {code.text[:80]}."
        if code.text
        else f"No QR code can be read in {name}.",
    )
