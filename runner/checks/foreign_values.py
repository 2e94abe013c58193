"""Values from an agent's page or process, as the types that a check counts on.

What a page or a module answers may be anything that JSON can say: a text for a number, a list for
a text, a nesting too deep to be compared or written. It becomes what was asked for at this border,
or the empty value of that type.
"""

from __future__ import annotations

import json
import math
from typing import Any

MOST_DEPTH = 60
MOST_CHARS = 4 << 20
MOST_ITEMS = 100_000


def parse(raw: bytes | str) -> Any:
    """The value of a JSON text. Raises ValueError for invalid or too deeply nested ones."""
    try:
        value = json.loads(raw)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not is_shallow(value):
        raise ValueError("it is nested too deeply")
    return value


def is_shallow(value: object, most: int = MOST_DEPTH) -> bool:
    """True if lists and objects are nested at most `most` deep."""
    level = [value]
    for _ in range(most + 1):
        below: list[object] = []
        for entry in level:
            if isinstance(entry, list):
                below += entry
            elif isinstance(entry, dict):
                below += entry.values()
        if not below:
            return True
        level = below
    return False


def number(value: object) -> float:
    """A finite number; 0.0 for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return 0.0
    try:
        return float(value) if math.isfinite(value) else 0.0
    except OverflowError:
        return 0.0


def text(value: object) -> str:
    return value[:MOST_CHARS] if isinstance(value, str) else ""


def texts(value: object) -> list[str]:
    """The texts of a list; what is no text is left out."""
    entries = value[:MOST_ITEMS] if isinstance(value, list) else []
    return [text(entry) for entry in entries if isinstance(entry, str)]


def facts(value: object) -> dict[str, Any]:
    """An object; {} for anything else. Its values are still to be typed."""
    return value if isinstance(value, dict) else {}
