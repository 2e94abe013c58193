"""Names of an endpoint's models: those fit to be shown, and those nearest to a wrong one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

MOST_KEPT = 500  # of a list, in the report
MOST_CHARS = 200  # a longer name is not kept
MOST_COMPARED = 30  # in full; a comparison grows with the square of the names' length
NEAREST = 3
ALIKE = 0.5  # at least, of 1
LEAST_PART = 3  # characters of a name that are looked for within another


def list_readable(names: Iterable[str]) -> tuple[str, ...]:
    """The names that can be shown and sent as they are, sorted; the first 500.

    Left out: long ones, and ones with control, direction or other invisible characters.
    """
    fit = {name for name in names if name.strip() and len(name) <= MOST_CHARS}
    return tuple(sorted(name for name in fit if name.isprintable())[:MOST_KEPT])


def find_nearest(wanted: str, names: Iterable[str]) -> tuple[str, ...]:
    """Up to three readable names that are spelt almost like `wanted`, nearest first."""
    wanted = wanted.casefold()[:MOST_CHARS]
    matcher = SequenceMatcher(b=wanted, autojunk=False)

    def likeness(name: str, is_exact: bool) -> float:
        folded = name.casefold()
        shorter, longer = sorted((wanted, folded), key=len)
        if len(shorter) >= LEAST_PART and shorter in longer:
            return 1 + len(shorter) / len(longer)
        matcher.set_seq1(folded)
        return matcher.ratio() if is_exact else matcher.quick_ratio()

    rough = sorted(list_readable(names), key=lambda name: -likeness(name, False))[:MOST_COMPARED]
    ranked = sorted(((likeness(name, True), name) for name in rough), key=lambda item: -item[0])
    return tuple(name for score, name in ranked[:NEAREST] if score >= ALIKE)
