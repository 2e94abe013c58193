"""Differences between colours that an eye sees."""

from __future__ import annotations

from typing import Any

import numpy as np

EYE = np.array([0.35, 0.5, 0.15], np.float32)  # how much of a channel's difference


def seen(off: Any) -> Any:
    """The part of differences in red, green and blue that an eye sees, in levels of grey."""
    return np.abs(off[..., :3]).astype(np.float32) @ EYE
