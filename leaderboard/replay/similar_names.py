"""Files that a step wrote under another name than the one that was asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import PurePosixPath

MAX_SHOWN = 3
MAX_LOOKED_AT = 200
MAX_NAME_CHARS = 80  # of a name that is compared
MAX_COMPARED = 8  # letter by letter
ALIKE = 0.75  # of difflib's ratio between two names


@dataclass(frozen=True)
class NearMiss:
    """A file that may have been meant, and the step that wrote it."""

    path: str  # in the working folder: "output/Quarters.csv"
    step: int
    why: str


def find_near_misses(wanted: str, written: Mapping[str, int]) -> tuple[NearMiss, ...]:
    """The files of `written` (path to step) most like ./output/`wanted`, the likeliest first."""
    alike = likenesses(PurePosixPath(wanted), list(written)[:MAX_LOOKED_AT])
    found = [
        (score, NearMiss(path, written[path], why))
        for path, likeness in alike.items()
        for score, why in [compare(PurePosixPath("output", wanted), PurePosixPath(path), likeness)]
        if why
    ]
    found.sort(key=lambda scored: (-scored[0], scored[1].path))
    return tuple(miss for _, miss in found[:MAX_SHOWN])


def compare(wanted: PurePosixPath, other: PurePosixPath, likeness: float) -> tuple[float, str]:
    """Likelihood that `other` was meant, and the difference in its name; (0, "") if it was not."""
    if other == wanted or other.parts[:1] == ("data",):
        return 0.0, ""
    if other.name == wanted.name:
        return 1.0, "in another folder"
    if other.name.casefold() == wanted.name.casefold():
        return 0.95, "in other capitals"
    if other.stem.casefold() == wanted.stem.casefold():
        return 0.9, "with another ending"
    if likeness >= ALIKE:
        return likeness, "under a similar name"
    if other.suffix.casefold() == wanted.suffix.casefold() and other.parts[0] == "output":
        return 0.5, "of the same type"
    return 0.0, ""


def likenesses(wanted: PurePosixPath, paths: Sequence[str]) -> dict[str, float]:
    """Likeness of each path's name to the wanted one, by difflib's ratio; 0 for most.

    The ratio takes the product of two lengths, so that only the likeliest names are compared
    letter by letter: those that share the most letters.
    """
    matcher = SequenceMatcher(None, b=wanted.name.casefold()[:MAX_NAME_CHARS], autojunk=False)
    shared: dict[str, float] = {}
    for path in paths:
        matcher.set_seq1(path.rpartition("/")[2].casefold()[:MAX_NAME_CHARS])
        shared[path] = matcher.quick_ratio() if matcher.real_quick_ratio() >= ALIKE else 0.0
    likeliest = sorted(paths, key=lambda path: -shared[path])[:MAX_COMPARED]
    found = dict.fromkeys(paths, 0.0)
    for path in likeliest:
        if shared[path] >= ALIKE:
            matcher.set_seq1(path.rpartition("/")[2].casefold()[:MAX_NAME_CHARS])
            found[path] = matcher.ratio()
    return found
