"""Differences between colours that an eye sees, and what a file has viewers do to its colours."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import numpy as np

EYE = np.array([0.35, 0.5, 0.15], np.float32)  # how much of a channel's difference
GREY_MODES = ("1", "L", "LA", "La", "I", "I;16", "F")  # of Pillow
SPACES = {"L": b"GRAY", "RGB": b"RGB "}  # in a profile's head, by the mode of the pixels
BROKEN = 255.0  # levels
MOST_FALL, MOST_STEP = 2, 24  # levels between two greys beside each other: linear light has 13
PARTS, WORST_TIMES = 24, 3.0  # a side of the picture; how far a part may be moved beyond the mean
STEPS = (0, 64, 128, 191, 255)  # levels of the test colours in each channel
PLAIN_PRIMARIES = ((0.64, 0.33), (0.3, 0.6), (0.15, 0.06))  # of sRGB: x and y of its three colours
MOST_OFF_PRIMARY = 0.15  # Display P3 and Adobe RGB are within 0.11


def seen(off: Any) -> Any:
    """The part of differences in red, green and blue that an eye sees, in levels of grey."""
    return np.abs(off[..., :3]).astype(np.float32) @ EYE


def shift_by_profile(picture: Any) -> float:
    """By how many levels a viewer changes a picture of Pillow's for the colour profile in its file.

    That is the mean over test colours, or over the picture's own, or a third of that in its worst
    part, whichever is most: 0.1 for sRGB, 9 for Display P3 and Adobe RGB, 20 for the widest in use,
    69 where red and blue are exchanged. A profile of another kind than the pixels is passed over,
    as viewers do; one that is broken they follow in ways of their own, so it is BROKEN.
    """
    raw = picture.info.get("icc_profile") or b""
    mode = "L" if picture.mode in GREY_MODES else "RGB"
    if not raw or raw[16:20] != SPACES[mode]:
        return 0.0
    tests = shift_of_tests(raw, mode)
    if not 0 < tests < BROKEN:
        return tests
    own = moved_by(raw, picture.convert(mode))
    return max(tests, *mean_and_worst(own))


@cache
def shift_of_tests(raw: bytes, mode: str) -> float:
    """Mean number of levels by which a profile moves test colours; BROKEN if it has no order."""
    from PIL import Image

    greys = np.arange(256, dtype=np.uint8)[None]
    ramp = moved_by(raw, Image.fromarray(greys).convert(mode))
    if ramp is None:
        return BROKEN
    shown = np.asarray(ramp[1]).astype(int)[0]
    steps = np.diff(shown, axis=0)
    if steps.min() < -MOST_FALL or steps.max() > MOST_STEP:
        return BROKEN
    if mode == "L":
        return mean_and_worst(ramp)[0]
    levels = np.array(STEPS, np.uint8)
    colours = np.stack(np.meshgrid(levels, levels, levels), axis=-1)
    return mean_and_worst(moved_by(raw, Image.fromarray(colours.reshape(1, -1, 3))))[0]


def moved_by(raw: bytes, colours: Any) -> tuple[Any, Any] | None:
    """A picture of Pillow's as stored and as a profile has it shown; None if that is broken."""
    from PIL import ImageCms

    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(raw))
        plain = ImageCms.createProfile("sRGB")
        shown = ImageCms.profileToProfile(colours, profile, plain, outputMode="RGB")
    except (ImageCms.PyCMSError, OSError, ValueError):
        return None
    return colours.convert("RGB"), shown


def mean_and_worst(pair: tuple[Any, Any] | None) -> tuple[float, float]:
    """Mean number of levels between two pictures, and a third of that in their worst part."""
    from PIL import Image, ImageChops, ImageStat

    if pair is None:
        return BROKEN, BROKEN
    off = ImageChops.difference(*pair)
    parts = off.resize((PARTS, PARTS), Image.Resampling.BOX)
    mean = sum(ImageStat.Stat(off).mean) / 3
    return mean, float(np.asarray(parts).mean(axis=-1).max()) / WORST_TIMES


def is_plain_chromaticity(found: Any) -> bool:
    """True if a PNG's chromaticities (white, red, green, blue: x and y) are near those of sRGB."""
    places = np.asarray(found, float).reshape(4, 2)[1:]
    return bool(np.abs(places - PLAIN_PRIMARIES).max() <= MOST_OFF_PRIMARY)
