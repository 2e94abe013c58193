"""A function for reading processes, which have no Django."""

from __future__ import annotations

import re


def never_done(*_: object) -> object:
    """Match a text that no engine that backtracks is ever done with."""
    return re.match("(a+)+$", "a" * 60 + "b")
