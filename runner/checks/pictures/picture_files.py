"""Files of still pictures that viewers must show as Pillow reads them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageCms

from runner.checks.pictures import images, visibility

PLAIN_PARTS = (  # of a PNG: what honest programs write around a still picture, and viewers agree on
    b"IHDR PLTE IDAT IEND tRNS sRGB gAMA cHRM iCCP sBIT bKGD pHYs tIME eXIf tEXt zTXt iTXt".split()
)
PLAIN_GAMMA = (0.42, 0.48)  # of sRGB, 0.45, rounded in any way
PLAIN_COLOURS = (0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06)  # x and y: white, then sRGB's
MOST_OFF_COLOUR = 0.01
MOST_OTHERWISE = 1.0  # levels, between two readers of a file
TABLES = re.compile(b"[AB]2[AB]|[BD]2[BD]|cicp")  # of a colour profile: viewers differ about them
MOST_UNEVEN = 1.1  # of the density across to that down, by which viewers stretch a picture
DENSITIES, EXIF, EXIF_WIDTH = (0x011A, 0x011B), 0x8769, 0xA002  # tags
FAST, FLOATS = 0, 0x0100  # ways of Little CMS to compute: in whole numbers, in floats
MOST_APART = 4  # levels between the two: honest profiles have 2, and 1 in colours
LEAST_MOVED = 1.0  # levels: by less no picture is moved
JPEG_MARK = b"\xff\xd8"
APP1, SCAN, FILLING = 0xE1, 0xDA, 0xFF  # second bytes of a JPEG's parts
ARITHMETIC = (0xC9, 0xCF)  # the first and last of these that are coded so
ODD_EXIF = re.compile(rb"Exif(?!\0\0)")  # some viewers follow it, some do not


def require_plain(path: Path) -> None:
    """Raise ValueError where a file has parts or kinds of colour that viewers differ about."""
    stored = path.read_bytes()
    odd = next((kind for kind, _ in images.chunks(path) if kind not in PLAIN_PARTS), None)
    if odd:
        raise ValueError(f"its {odd.decode('latin-1')} part is none of a still picture's")
    with images.opened(path) as picture:
        if picture.mode == "CMYK":
            raise ValueError("its colours are those of inks (CMYK)")
        gamma, colours = picture.info.get("gamma"), picture.info.get("chromaticity")
        across, down = (picture.getexif().get(tag) or 1 for tag in DENSITIES)
        raw = picture.info.get("icc_profile") or b""
        is_grey = picture.mode in visibility.GREY_MODES
        # A grey picture made from a coloured one keeps its profile, which some viewers follow;
        # colours have been through theirs in `images.require_shown_as_stored`.
        shift = visibility.shift_by_profile(picture.convert("RGB")) if is_grey else 0.0
        is_shifted = shift > images.MOST_SHIFT or is_moved_in_floats(picture, raw)
        width = picture.getexif().get_ifd(EXIF).get(EXIF_WIDTH, picture.width)
    if gamma is not None and not PLAIN_GAMMA[0] <= gamma <= PLAIN_GAMMA[1]:
        raise ValueError(f"its gamma of {gamma:g} changes how it is shown")
    if colours and np.abs(np.subtract(colours, PLAIN_COLOURS)).max() > MOST_OFF_COLOUR:
        raise ValueError("its chromaticities change how it is shown")
    if not across <= MOST_UNEVEN * down <= MOST_UNEVEN**2 * across:
        raise ValueError("its densities have viewers stretch it")
    odd_exif = any(kind == APP1 and ODD_EXIF.match(content) for kind, content in jpeg_parts(stored))
    if width != picture.width or odd_exif:
        raise ValueError("its EXIF part has viewers show it otherwise")
    if any(ARITHMETIC[0] <= kind <= ARITHMETIC[1] for kind, _ in jpeg_parts(stored)):
        raise ValueError("its coding is one that browsers do not open")
    if raw and stored[24:25] == b"\x10" and stored.startswith(images.PNG_MARK):
        raise ValueError("its colours of 16 bits have a profile")
    if is_shifted or (raw[16:20] not in (b"", b"RGB ") and not (is_grey and raw[16:20] == b"GRAY")):
        raise ValueError("its colour profile is none for its colours")
    if (b"ICC_PROFILE" in stored and not raw) or any(map(TABLES.match, tags_of(raw))):
        raise ValueError("viewers read its colour profile each in a way of its own")


def is_moved_in_floats(picture: Image.Image, profile: bytes) -> bool:
    """True if viewers that compute a colour profile in floats, as browsers do, show other colours.

    Little CMS's whole numbers overflow, and of a grey curve they take 33 places alone. All levels
    of each channel and of grey are compared, and then the picture's own.
    """
    if not profile:
        return False
    mode = "L" if profile[16:20] == b"GRAY" else "RGB"
    grey_or_one = np.array([(1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)], np.uint8)
    ramps = np.arange(256, dtype=np.uint8)[None, :, None] * grey_or_one[:, None]
    tests = Image.fromarray(ramps).convert(mode)
    try:
        fast, exact = (shown(tests, profile, how) for how in (FAST, FLOATS))
        if np.abs(fast - exact).max() > MOST_APART:
            return True
        if images.difference(exact, np.asarray(tests.convert("RGB"))) < LEAST_MOVED:
            return False
        own = picture.convert(mode)
        off = shown(own, profile, FLOATS) - np.asarray(own.convert("RGB"))
        return float(np.abs(off).mean()) > images.MOST_SHIFT
    except (ImageCms.PyCMSError, OSError, ValueError):
        return profile[16:20] in (b"RGB ", b"GRAY")


def shown(picture: Image.Image, profile: bytes, how: int) -> Any:
    """The picture's colours as a profile has them shown, in numbers that can be subtracted."""
    own, plain = ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB")
    flags = ImageCms.Flags(how)
    made = ImageCms.profileToProfile(picture, own, plain, outputMode="RGB", flags=flags)
    return np.asarray(made).astype(np.int16)


def jpeg_parts(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """Kind and content of each part of a JPEG before its first scan; none for another file."""
    place = len(JPEG_MARK)
    while raw.startswith(JPEG_MARK) and raw[place + 1 : place + 2] != bytes([SCAN]):
        kind = raw[place : place + 2]
        length = int.from_bytes(raw[place + 2 : place + 4], "big")
        if len(kind) < 2 or kind[0] != FILLING or kind[1] in (0, FILLING) or length < 2:
            raise ValueError("its parts do not follow each other")
        yield kind[1], raw[place + 4 : place + 2 + length]
        place += 2 + length


def tags_of(profile: bytes) -> list[bytes]:
    """Names of the parts of a colour profile."""
    count = int.from_bytes(profile[128:132], "big")
    return [profile[at : at + 4] for at in range(132, min(132 + 12 * count, len(profile)), 12)]


def require_read_alike(path: Path, pixels: Any) -> None:
    """Raise ValueError where OpenCV reads other pixels than Pillow, or none: viewers differ, too.

    `pixels` (height, width, 4) are Pillow's.
    """
    found = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)
    if found is None:
        raise ValueError("some viewers cannot open it")
    if found.dtype == np.uint16:
        found = (found >> 8).astype(np.uint8)
    if found.ndim < 3:
        found = cv2.cvtColor(found, cv2.COLOR_GRAY2BGR)
    to_rgb = cv2.COLOR_BGR2RGBA if found.shape[-1] == 3 else cv2.COLOR_BGRA2RGBA
    found = cv2.cvtColor(found, to_rgb)
    if found.shape != pixels.shape or images.difference(found, pixels) > MOST_OTHERWISE:
        raise ValueError("viewers read other pixels from it, each its own")
