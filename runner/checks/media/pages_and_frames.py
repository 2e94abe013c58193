"""Documents and films that an agent made, as pictures: the pages of a PDF, the frames of a video.

Pictures are arrays (height, width, 3) of uint8, red first.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from runner.checks.case import Case

MOST_PAGES = 20
LEAST_PAGE_PT = 28.0  # a centimetre
MOST_FRAMES = 3000
MOST_FRAME_PIXELS = 4_000_000
PROBE_TIMEOUT_S = 60
MOST_STRETCH = 1.1  # width of a film's pixels beside their height
MATRIX = "Display Matrix"  # ffprobe's name of one that changes how a film is shown
MOST_SILENT = 100  # amplitude of 32,767 in a film without sound


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
    middles: tuple[float, ...] = ()  # of each frame's time on the screen, as shares of the film

    @property
    def seconds(self) -> float:
        return self.frames / self.rate if self.rate else 0.0


def container(head: bytes) -> str:
    """Kind of film that a file is, by its first bytes."""
    if head[4:8] == b"ftyp":
        return "mp4"
    return "avi" if head[:4] == b"RIFF" and head[8:12] == b"AVI " else ""


def require_plain_tracks(path: Path) -> None:
    """Raise ValueError where a film has several tracks of pictures, of which players choose one by
    marks of their own, where players stretch, turn or mirror its pictures, or where it is not
    silent."""
    probe = ["ffprobe", "-v", "error", "-show_entries"]
    probe += ["stream=codec_type,sample_aspect_ratio:stream_side_data=side_data_type"]
    probe += ["-of", "json", "--", str(path)]
    done = subprocess.run(probe, capture_output=True, timeout=PROBE_TIMEOUT_S, check=False)
    streams = json.loads(done.stdout or b"{}").get("streams", [])
    pictures = [one for one in streams if one.get("codec_type") == "video"]
    if len(pictures) > 1:
        raise ValueError(f"it has {len(pictures)} tracks of pictures, where one is wanted")
    across, _, down = str(pictures[0].get("sample_aspect_ratio", "")).partition(":")
    if across.isdecimal() and down.isdecimal() and int(across) and int(down):
        stretch = int(across) / int(down)
        if not 1 / MOST_STRETCH <= stretch <= MOST_STRETCH:
            raise ValueError(f"its pixels are {stretch:.2g} times as wide as high")
    if any(one["side_data_type"] == MATRIX for one in pictures[0].get("side_data_list", [])):
        raise ValueError("a matrix has players turn, mirror or move its pictures")
    if any(one.get("codec_type") == "audio" for one in streams) and not is_silent(path):
        raise ValueError("it has sound, which no animation has")


def is_silent(path: Path) -> bool:
    command = ["ffmpeg", "-v", "error", "-nostdin", "-i", str(path), "-map", "0:a", "-t", "600"]
    command += ["-ac", "1", "-ar", "8000", "-f", "s16le", "pipe:1"]
    done = subprocess.run(command, capture_output=True, timeout=PROBE_TIMEOUT_S, check=False)
    samples = np.frombuffer(done.stdout[: len(done.stdout) // 2 * 2], "<i2")
    return bool(np.abs(samples.astype(np.int32)).max(initial=0) <= MOST_SILENT)


def read_video(case: Case, name: str, kind: str, keep: int) -> Video:
    """The output `name`, a film in a container of `kind`, with `keep` frames evenly spread."""
    with case.reading(name, f"an {kind} video") as path:
        with path.open("rb") as stream:
            found = container(stream.read(16))
        case.demand("file format", found == kind, kind, found or "something else", name)
        require_plain_tracks(path)
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
        middles = middles_of(path, count)
    height, width = kept[0].shape[:2]
    return Video(width, height, count, rate, found, kept, middles)


def middles_of(path: Path, count: int) -> tuple[float, ...]:
    """For each of a film's frames the share of the film that is over in the middle of its time.

    Where the frames' own times are not noted, all are shown for as long.
    """
    probe = ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries"]
    probe += ["packet=pts_time,duration_time", "-of", "json", "--", str(path)]
    done = subprocess.run(probe, capture_output=True, timeout=PROBE_TIMEOUT_S, check=False)
    packets = json.loads(done.stdout or b"{}").get("packets", [])
    times = sorted(
        (float(one["pts_time"]), float(one.get("duration_time", 0)))
        for one in packets
        if "pts_time" in one
    )
    if len(times) != count or count < 2:
        return tuple((number + 0.5) / count for number in range(count))
    starts = np.array([start for start, _ in times])
    last = starts[-1] + (times[-1][1] or float(np.median(np.diff(starts))))
    ends = np.append(starts[1:], last)
    length = last - starts[0]
    if not length > 0:
        return tuple((number + 0.5) / count for number in range(count))
    return tuple(((starts + ends) / 2 - starts[0]) / length)


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
