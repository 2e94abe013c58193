"""Images of cells' outputs: files that a step's packed body names, and no column does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leaderboard.models import Step, unpack_bytes

# As `leaderboard.models.pack` writes {"blob": sha256}. A quote inside text is escaped, so what a
# model wrote never matches.
NAMED = re.compile(rb'"blob":"([0-9a-f]{64})"')
ROWS_AT_ONCE = 500


def images_of(body: bytes | memoryview) -> set[str]:
    """SHA-256 of each image that the body of a step names."""
    return {found.decode() for found in NAMED.findall(unpack_bytes(body))}


def list_named_images() -> Iterator[set[str]]:
    """Sets of the images that each stored step names."""
    for body in Step.objects.order_by("pk").values_list("body", flat=True).iterator(ROWS_AT_ONCE):
        yield images_of(body)
