"""Differences between colours that an eye sees, and what a file has viewers do to its colours."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import numpy as np

EYE = np.array([0.35, 0.5, 0.15], np.float32)  # how much of a channel's difference
GREY_MODES = ("1", "L", "LA", "La", "I", "I;16", "F")  # of Pillow
SAMPLE_SIDE = 64  # of the picture, in pixels that are looked at
STEPS = (0, 64, 128, 191, 255)  # levels of the test colours in each channel
PLAIN_PRIMARIES = ((0.64, 0.33), (0.3, 0.6), (0.15, 0.06))  # of sRGB: x and y of its three colours
MOST_OFF_PRIMARY = 0.15  # Display P3 and Adobe RGB are within 0.11


def seen(off: Any) -> Any:
    """The part of differences in red, green and blue that an eye sees, in levels of grey."""
    return np.abs(off[..., :3]).astype(np.float32) @ EYE


def shift_by_profile(picture: Any) -> float:
    """By how many levels a viewer changes a picture of Pillow's for the colour profile in its file.

    That is the mean over test colours or over the picture's own, whichever is more: 0.1 for sRGB,
    9 for Display P3 and Adobe RGB, 20 for the widest in use, 69 where red and blue are exchanged.
    A profile that is broken or of another kind than the pixels is passed over, as viewers do.
    """
    raw = picture.info.get("icc_profile")
    mode = "L" if picture.mode in GREY_MODES else "RGB"
    shift = shift_of_tests(raw, mode) if raw else 0.0
    if not raw or not shift:
        return shift
    from PIL import Image

    own = picture.convert(mode).resize((SAMPLE_SIDE, SAMPLE_SIDE), Image.Resampling.NEAREST)
    return max(shift, shift_of(raw, own))


@cache
def shift_of_tests(raw: bytes, mode: str) -> float:
    """Mean number of levels by which a profile moves test colours; 0 if it cannot be followed."""
    from PIL import Image

    if mode == "L":
        return shift_of(raw, Image.fromarray(np.arange(256, dtype=np.uint8)[None]))
    levels = np.array(STEPS, np.uint8)
    colours = np.stack(np.meshgrid(levels, levels, levels), axis=-1)
    return shift_of(raw, Image.fromarray(colours.reshape(1, -1, 3)))


def shift_of(raw: bytes, colours: Any) -> float:
    """Mean number of levels by which a profile moves the colours of a picture of Pillow's."""
    from PIL import ImageCms

    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(raw))
        plain = ImageCms.createProfile("sRGB")
        shown = ImageCms.profileToProfile(colours, profile, plain, outputMode="RGB")
    except (ImageCms.PyCMSError, OSError, ValueError):
        return 0.0
    stored = np.asarray(colours.convert("RGB"))
    return float(np.abs(np.asarray(shown).astype(np.int16) - stored).mean())


def is_plain_chromaticity(found: Any) -> bool:
    """True if a PNG's chromaticities (white, red, green, blue: x and y) are near those of sRGB."""
    places = np.asarray(found, float).reshape(4, 2)[1:]
    return bool(np.abs(places - PLAIN_PRIMARIES).max() <= MOST_OFF_PRIMARY)
