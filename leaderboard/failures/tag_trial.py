"""Figures of the tags' trial, which `python -m bench.tag_trial` computes from its labels."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from leaderboard.failures.tags import TAGS

FIGURES = Path(__file__).with_suffix(".json")


@lru_cache(1)
def read_trial() -> dict[str, Any]:
    """The figures that ship with the rules, the tags in the order of the method page."""
    stored = json.loads(FIGURES.read_text("utf-8"))
    tags = [{"title": tag.title, "key": tag.key, **stored["tags"][tag.key]} for tag in TAGS]
    return {**stored, "tags": tags}
