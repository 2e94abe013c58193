"""Faces of type for social cards, and names as these faces can draw them."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from leaderboard.rendering.text import strip_invisible

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

OWN = Path("static/fonts/inter.woff2")  # of the project; the others come with the system
SYSTEM = (
    Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"),
    Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"),
)
REGULAR, BOLD = 450, 650  # weights of our own face
MAX_CHARS = 120  # of a name, before it is cut to the card's width
RIGHT_TO_LEFT = ("R", "AL", "AN")
SAMPLE_PX = 16  # at which a face is asked for a letter
ABSENT = "\U000fffff"  # a private character that no face draws


@cache
def list_faces() -> tuple[Path, ...]:
    """The faces that this machine has, ours first."""
    own = Path(settings.BASE_DIR) / OWN
    return (own, *(path for path in SYSTEM if path.is_file()))


@lru_cache(64)
def load_face(path: Path, size_px: int, weight: int) -> FreeTypeFont:
    from PIL import ImageFont

    face = ImageFont.truetype(path, size_px)
    if path.suffix == ".woff2":
        face.set_variation_by_axes([weight])
    return face


@lru_cache(8192)
def can_draw(path: Path, letter: str) -> bool:
    """True if the face has the letter: it draws it otherwise than one that it lacks."""
    if letter == " " or unicodedata.combining(letter):
        return True
    face = load_face(path, SAMPLE_PX, REGULAR)
    return bytes(face.getmask(letter)) != bytes(face.getmask(ABSENT))


@cache
def can_reorder() -> bool:
    """True if Pillow sets scripts that run from right to left."""
    from PIL import features

    return bool(features.check("raqm"))


def choose_face(text: str) -> tuple[Path, str]:
    """The face that has most of the text's letters, and the text with those alone."""
    plain = " ".join(strip_invisible(text[:MAX_CHARS]).split())
    if not can_reorder():
        plain = "".join(c for c in plain if unicodedata.bidirectional(c) not in RIGHT_TO_LEFT)
    drawn = {
        path: "".join(letter for letter in plain if can_draw(path, letter)) for path in list_faces()
    }
    best = max(drawn, key=lambda path: len(drawn[path]))  # the first of equals
    return best, " ".join(drawn[best].split())


def is_told(text: str, drawn: str) -> bool:
    """True if `drawn` still says what the text does: half of its letters and a word character."""
    letters = sum(letter.isalnum() for letter in strip_invisible(text[:MAX_CHARS]))
    kept = sum(letter.isalnum() for letter in drawn)
    return kept > 0 and 2 * kept >= letters


def fit(path: Path, text: str, size_px: int, weight: int, room_px: float) -> str:
    """The text, cut with "…" to what the room holds."""
    face = load_face(path, size_px, weight)
    if face.getlength(text) <= room_px:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        fits = face.getlength(f"{text[:middle].rstrip()}…") <= room_px
        low, high = (middle, high) if fits else (low, middle - 1)
    return f"{text[:low].rstrip()}…"
