"""Documents and films that an agent made, as pictures: the pages of a PDF, the frames of a video.

Pictures are arrays (height, width, 3) of uint8, red first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from runner.checks.case import Case

MOST_PAGES = 20
LEAST_PAGE_PT = 28.0  # a centimetre
MOST_FRAMES = 3000
MOST_FRAME_PIXELS = 4_000_000


def pdf_pages(case: Case, name: str, side: int = 800) -> list[Any]:
    """Every page of a PDF drawn with its longest side at `side` pixels."""
    import pymupdf

    with case.reading(name, "PDF") as path:
        if b"%PDF-" not in path.read_bytes()[:1024]:
            raise ValueError("it does not begin like a PDF")
        with pymupdf.open(path, filetype="pdf") as document:
            if document.needs_pass or document.page_count > MOST_PAGES:
                raise ValueError(f"it is locked, or has more than {MOST_PAGES} pages")
            if any(max(page.rect.width, page.rect.height) < LEAST_PAGE_PT for page in document):
                raise ValueError(f"it has a page of less than {LEAST_PAGE_PT:g} points")
            return [drawn(page, side) for page in document]


def drawn(page: Any, side: int) -> Any:
    """A page of PyMuPDF as pixels."""
    zoom = side / max(page.rect.width, page.rect.height, 1)
    picture = page.get_pixmap(dpi=max(1, round(72 * zoom)), alpha=False)
    pixels = np.frombuffer(picture.samples, dtype=np.uint8)
    return pixels.reshape(picture.height, picture.width, picture.n)[..., :3].copy()


@dataclass(frozen=True)
class Video:
    """A film's frames in order, the pictures of which are kept only at the places asked for."""

    width: int
    height: int
    frames: int
    rate: float  # frames per second
    kind: str  # "mp4", "avi", or "" for another container
    kept: dict[int, Any]  # by frame number

    @property
    def seconds(self) -> float:
        return self.frames / self.rate if self.rate else 0.0


def container(head: bytes) -> str:
    """Kind of film that a file is, by its first bytes."""
    if head[4:8] == b"ftyp":
        return "mp4"
    return "avi" if head[:4] == b"RIFF" and head[8:12] == b"AVI " else ""


def read_video(case: Case, name: str, kind: str, keep: int) -> Video:
    """The output `name`, a film in a container of `kind`, with `keep` frames evenly spread."""
    with case.reading(name, f"an {kind} video") as path:
        with path.open("rb") as stream:
            found = container(stream.read(16))
        case.demand("file format", found == kind, kind, found or "something else", name)
        count = sum(1 for _ in decoded(str(path)))
        if not count:
            raise ValueError("it has no frame that can be decoded")
        wanted = {round(place) for place in np.linspace(0, count - 1, keep)}
        kept = {
            number: frame for number, frame in enumerate(decoded(str(path))) if number in wanted
        }
        reader = cv2.VideoCapture(str(path))
        rate = float(reader.get(cv2.CAP_PROP_FPS))
        reader.release()
    height, width = kept[0].shape[:2]
    return Video(width, height, count, rate, found, kept)


def decoded(path: str) -> Any:
    """Each frame of a film in turn; ValueError when they are too many or too large."""
    reader = cv2.VideoCapture(path)
    number = 0
    try:
        while True:
            there, frame = reader.read()
            if not there:
                return
            number += 1
            if number > MOST_FRAMES or frame.shape[0] * frame.shape[1] > MOST_FRAME_PIXELS:
                raise ValueError("its frames are too many or too large")
            yield frame[..., ::-1]
    finally:
        reader.release()
