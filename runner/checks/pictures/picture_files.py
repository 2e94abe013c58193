"""Files of still pictures that viewers must show as Pillow reads them."""

from __future__ import annotations

import io
import re
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
FLOATS = 0x0100  # Little CMS: no whole numbers, which overflow
PREAMBLE = 200_000  # bytes, in which EXIF stands
ODD_EXIF = re.compile(rb"\xff\xe1..Exif(?!\0\0)", re.DOTALL)  # some viewers follow it, some do not


def require_plain(path: Path) -> None:
    """Raise ValueError where a file has parts or kinds of colour that viewers differ about."""
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
        is_shifted = shift > images.MOST_SHIFT or is_moved_in_floats(raw)
        width = picture.getexif().get_ifd(EXIF).get(EXIF_WIDTH, picture.width)
    if gamma is not None and not PLAIN_GAMMA[0] <= gamma <= PLAIN_GAMMA[1]:
        raise ValueError(f"its gamma of {gamma:g} changes how it is shown")
    if colours and np.abs(np.subtract(colours, PLAIN_COLOURS)).max() > MOST_OFF_COLOUR:
        raise ValueError("its chromaticities change how it is shown")
    if not across <= MOST_UNEVEN * down <= MOST_UNEVEN**2 * across:
        raise ValueError("its densities have viewers stretch it")
    if width != picture.width or ODD_EXIF.search(path.read_bytes()[:PREAMBLE]):
        raise ValueError("its EXIF part has viewers show it otherwise")
    if is_shifted or (raw[16:20] not in (b"", b"RGB ") and not (is_grey and raw[16:20] == b"GRAY")):
        raise ValueError("its colour profile is none for its colours")
    if (b"ICC_PROFILE" in path.read_bytes() and not raw) or any(map(TABLES.match, tags_of(raw))):
        raise ValueError("viewers read its colour profile each in a way of its own")


def is_moved_in_floats(profile: bytes) -> bool:
    """True if a colour profile moves greys far where it is computed in floats, as browsers do."""
    if not profile:
        return False
    ramp = Image.fromarray(np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=-1))
    try:
        own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        plain = ImageCms.createProfile("sRGB")
        shown = ImageCms.profileToProfile(
            ramp, own, plain, outputMode="RGB", flags=ImageCms.Flags(FLOATS)
        )
    except (ImageCms.PyCMSError, OSError, ValueError):
        return profile[16:20] == b"RGB "
    return images.difference(np.asarray(shown), np.asarray(ramp)) > images.MOST_SHIFT


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
