"""Files that a step wrote under another name than the one that was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import PurePosixPath

MAX_SHOWN = 3
MAX_LOOKED_AT = 500
ALIKE = 0.75  # of difflib's ratio between two names


@dataclass(frozen=True)
class NearMiss:
    """A file that may have been meant, and the step that wrote it."""

    path: str  # in the working folder: "output/Quarters.csv"
    step: int
    why: str


def find_near_misses(wanted: str, written: Mapping[str, int]) -> tuple[NearMiss, ...]:
    """The files of `written` (path to step) most like ./output/`wanted`, the likeliest first."""
    found = [
        (score, NearMiss(path, step, why))
        for path, step in list(written.items())[:MAX_LOOKED_AT]
        for score, why in [compare(PurePosixPath("output", wanted), PurePosixPath(path))]
        if why
    ]
    found.sort(key=lambda scored: (-scored[0], scored[1].path))
    return tuple(miss for _, miss in found[:MAX_SHOWN])


def compare(wanted: PurePosixPath, other: PurePosixPath) -> tuple[float, str]:
    """How likely `other` was meant, and in which way it differs; (0, "") when it was not."""
    if other == wanted or other.parts[:1] == ("data",):
        return 0.0, ""
    if other.name == wanted.name:
        return 1.0, "in another folder"
    if other.name.casefold() == wanted.name.casefold():
        return 0.95, "in other capitals"
    if other.stem.casefold() == wanted.stem.casefold():
        return 0.9, "with another ending"
    likeness = SequenceMatcher(None, other.name.casefold(), wanted.name.casefold()).ratio()
    if likeness >= ALIKE:
        return likeness, "under a similar name"
    if other.suffix.casefold() == wanted.suffix.casefold() and other.parts[0] == "output":
        return 0.5, "of the same type"
    return 0.0, ""
