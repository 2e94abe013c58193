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
PALETTES = range(3, 769, 3)  # bytes
GREY_KINDS = (0, 4)  # of a PNG's colours: without a palette
PLAIN_GAMMA = (0.42, 0.48)  # of sRGB, 0.45, rounded in any way
PLAIN_COLOURS = (0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06)  # x and y: white, then sRGB's
MOST_OFF_COLOUR = 0.01
MOST_OTHERWISE = 1.0  # levels, between two readers of a file
TABLES = re.compile(b"[AB]2[AB]|[BD]2[BD]|cicp")  # of a colour profile: viewers differ about them
MOST_MOVED = 12  # levels by which a profile may move one: gamma 2.2 for sRGB moves some by 9
PROFILE, ONE_OF_ONE = b"ICC_PROFILE\0", b"\1\1"  # in a JPEG
FAST, FLOATS = 0, 0x0100  # ways of Little CMS to compute: in whole numbers, in floats
INTENTS = (ImageCms.Intent.PERCEPTUAL, ImageCms.Intent.RELATIVE_COLORIMETRIC)
JPEG_MARK = b"\xff\xd8"
APP1, APP2, SCAN = 0xE1, 0xE2, 0xDA  # second bytes of a JPEG's parts
APPS = range(0xE0, 0xF0)  # those of programs, which begin as follows
PLAIN_HEADS = (b"JFIF\0", b"Exif\0\0", PROFILE, b"Adobe", b"http://ns.adobe.com/xap/1.0/\0")
GAIN_MAP = re.compile(b"hdrgm|gainmap", re.IGNORECASE)  # by which browsers change brightness
WITHOUT_LENGTH = (0, 1, *range(0xD0, 0xDA), 0xFF)  # of these
ARITHMETIC = (0xC9, 0xCF)  # the first and last of these that are coded so
MOST_SCANS = 20  # Pillow writes 10, browsers stop at 100


def require_plain(path: Path) -> None:
    """Raise ValueError where a file has parts or kinds of colour that viewers differ about."""
    stored, chunks = path.read_bytes(), images.chunks(path)
    parts = list(jpeg_parts(stored))
    odd = next((kind for kind, _ in chunks if kind not in PLAIN_PARTS), None)
    if odd:
        raise ValueError(f"its {odd.decode('latin-1')} part is none of a still picture's")
    palette = dict(chunks).get(b"PLTE")
    if palette is not None and (palette not in PALETTES or stored[25] in GREY_KINDS):
        raise ValueError("its palette is none for its colours")
    with images.opened(path) as picture:
        if picture.mode == "CMYK":
            raise ValueError("its colours are those of inks (CMYK)")
        require_plain_exif(picture, parts)
        gamma, colours = picture.info.get("gamma"), picture.info.get("chromaticity")
        profile = picture.info.get("icc_profile") or b""
        is_grey = picture.mode in visibility.GREY_MODES
    if gamma is not None and not PLAIN_GAMMA[0] <= gamma <= PLAIN_GAMMA[1]:
        raise ValueError(f"its gamma of {gamma:g} changes how it is shown")
    if colours and np.abs(np.subtract(colours, PLAIN_COLOURS)).max() > MOST_OFF_COLOUR:
        raise ValueError("its chromaticities change how it is shown")
    if any(kind in APPS and not is_plain_part(content) for kind, content in parts):
        raise ValueError("it has parts that some viewers alone follow")
    if stored.startswith(JPEG_MARK) and stored.count(JPEG_MARK + b"\xff") > 1:
        raise ValueError("another picture goes along with it")
    many_scans = stored.startswith(JPEG_MARK) and stored.count(bytes([0xFF, SCAN])) > MOST_SCANS
    if many_scans or any(ARITHMETIC[0] <= kind <= ARITHMETIC[1] for kind, _ in parts):
        raise ValueError("its coding is one that browsers do not open")
    if profile and stored[24:25] == b"\x10" and chunks:
        raise ValueError("its colours of 16 bits have a profile")
    spaces = (b"RGB ", b"GRAY") if is_grey else (b"RGB ",)
    if profile and (profile[16:20] not in spaces or not is_plain_profile(profile)):
        raise ValueError("its colour profile is none for its colours")
    profiles = [content for kind, content in parts if kind == APP2 and content.startswith(PROFILE)]
    is_whole = all(content.startswith(PROFILE + ONE_OF_ONE) for content in profiles)
    if (b"ICC_PROFILE" in stored and not profile) or len(profiles) > 1 or not is_whole:
        raise ValueError("viewers read its colour profile each in a way of its own")


def is_plain_part(content: bytes) -> bool:
    """True of a program's part of a JPEG that viewers agree on."""
    return content.startswith(PLAIN_HEADS) and not GAIN_MAP.search(content)


def require_plain_exif(picture: Image.Image, parts: list[tuple[int, bytes]]) -> None:
    """Raise ValueError where a picture's EXIF holds more than that it stands upright.

    Viewers follow sizes, densities and turns in it, and read broken ones each in its own way.
    """
    exif, raw = picture.getexif(), picture.info.get("exif", b"")
    stored = [content for kind, content in parts if kind == APP1 and content.startswith(b"Exif")]
    is_upright = dict(exif) in ({}, {images.ORIENTATION_TAG: 1})
    if not is_upright or raw not in (b"", exif.tobytes()) or stored not in ([], [raw]):
        raise ValueError("its EXIF part has viewers show it otherwise")


def is_plain_profile(profile: bytes) -> bool:
    """True if a colour profile leaves each level of each channel and of grey about where it is.

    So it must be however it is computed: Little CMS's whole numbers overflow, and take 33 places
    of a grey curve alone; browsers use floats and do not move black.
    """
    if any(map(TABLES.match, tags_of(profile))):
        return False
    grey_or_one = np.array([(1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)], np.uint8)
    ramps = np.arange(256, dtype=np.uint8)[None, :, None] * grey_or_one[:, None]
    tests = Image.fromarray(ramps).convert("L" if profile[16:20] == b"GRAY" else "RGB")
    stored, plain = np.asarray(tests.convert("RGB")).astype(int), ImageCms.createProfile("sRGB")
    try:
        own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        shown = [
            ImageCms.profileToProfile(tests, own, plain, intent, "RGB", flags=ImageCms.Flags(how))
            for intent in INTENTS
            for how in (FAST, FLOATS)
        ]
        return bool(
            np.abs(np.stack([np.asarray(one, int) for one in shown]) - stored).max() <= MOST_MOVED
        )
    except (ImageCms.PyCMSError, OSError, ValueError):
        return False


def jpeg_parts(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """Kind and content of each part of a JPEG before its first scan; none for another file."""
    place = len(JPEG_MARK)
    while raw.startswith(JPEG_MARK) and raw[place : place + 2] != bytes([0xFF, SCAN]):
        kind = raw[place : place + 2]
        length = int.from_bytes(raw[place + 2 : place + 4], "big")
        if len(kind) < 2 or kind[0] != 0xFF or kind[1] in WITHOUT_LENGTH or length < 2:
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
