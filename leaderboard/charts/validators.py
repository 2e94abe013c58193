"""Plotly's rules for the kinds of trace that our figures have.

Plotly reads the rules of all fifty kinds with the first figure and keeps them: 17 MB in each web
process. Those of the four kinds that are drawn here take 6.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from plotly.validator_cache import ValidatorCache

DRAWN = frozenset({"layout", "scatter", "scatterpolar", "heatmap"})
BETWEEN = re.compile(r"[\s,:]*")


def load_drawn() -> None:
    """Let Plotly know these rules alone, unless it has read its own."""
    if ValidatorCache._json_cache is None:
        source = files("plotly").joinpath("validators", "_validators.json")
        known = {
            name: rule
            for name, rule in read_one_by_one(source.read_text("utf-8"))
            if name.partition(".")[0] in DRAWN
        }
        ValidatorCache._json_cache = known


def read_one_by_one(text: str) -> Iterator[tuple[str, Any]]:
    """The items of a JSON object, so that those not wanted never lie in memory together."""
    decoder, position = json.JSONDecoder(), text.index("{") + 1
    while text[position := skip(text, position)] != "}":
        name, position = decoder.raw_decode(text, position)
        value, position = decoder.raw_decode(text, skip(text, position))
        yield name, value


def skip(text: str, position: int) -> int:
    found = BETWEEN.match(text, position)
    assert found is not None
    return found.end()
