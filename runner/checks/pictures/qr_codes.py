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
LEAST_CONTRAST = 50  # levels between a code's dark and light modules
MOST_LONE = 0.25  # share of the marks that are a single pixel wide
LEAST_SHARE = 0.2  # of the picture's shorter side
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


def expect_alone(case: Case, code: Code, pixels: Any, name: str) -> None:
    """No other code can be read in the picture, dark on light or light on dark."""
    from pyzbar import pyzbar

    texts = set()
    with case.reading(name, "a picture with a QR code"):
        for _, picture in sizes(pixels):
            for one in (picture, 255 - picture):
                found = pyzbar.decode(one, symbols=[pyzbar.ZBarSymbol.QRCODE])
                texts |= {mended(each.data).strip() for each in found}
    others = sorted(texts - {code.text.strip(), ""})
    case.expect(
        "no other code",
        not others,
        "one text in all of them",
        others[0][:120] if others else "",
        name,
        f"Another code in {name} says {others[0][:80]}." if others else "",
    )


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


def expect_seen(case: Case, code: Code, pixels: Any, name: str) -> None:
    """The code stands out to an eye, and its modules are larger than a pixel."""
    left, top, width, height = code.box
    area = pixels[max(0, top) : top + height, max(0, left) : left + width]
    grey = cv2.cvtColor(np.ascontiguousarray(area), cv2.COLOR_RGB2GRAY)
    low, high = (float(np.percentile(grey, share)) for share in (10, 90))
    case.expect(
        "its contrast",
        high - low >= LEAST_CONTRAST,
        f"{LEAST_CONTRAST} levels or more between dark and light",
        f"{high - low:.0f}",
        name,
        f"The code in {name} can hardly be seen.",
    )
    changes = np.diff((grey > (low + high) / 2).astype(np.int8), axis=1) != 0
    lone = (changes[:, 1:] & changes[:, :-1]).sum() / max(1, int(changes.sum()))
    case.expect(
        "its size",
        lone <= MOST_LONE,
        "modules of 2 pixels or more",
        f"{lone:.0%} of its marks are a pixel wide",
        name,
        f"The code in {name} is too small to be read off a screen.",
    )


def expect_large(case: Case, code: Code, pixels: Any, name: str) -> None:
    """The code is the picture's main thing, or a large part of it: no stamp on a poster."""
    share = max(code.box[2:]) / min(pixels.shape[:2])
    case.expect(
        "its share of the picture",
        share >= LEAST_SHARE,
        f"{LEAST_SHARE:.0%} of its shorter side or more",
        f"{share:.0%}",
        name,
        f"The code in {name} is a small part of the picture.",
    )


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
