"""The tokens keep their promise: text and marks stand out from every ground, in both themes."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

TOKENS = (settings.BASE_DIR / "static/css/tokens.css").read_text("utf-8")
PAIR = re.compile(r"--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)")
COLOURS = {name: (light, dark) for name, light, dark in PAIR.findall(TOKENS)}

GROUNDS = ("ground", "sheet", "tint")
TEXTS = ("ink", "ink-soft", "ink-faint", "accent", "passed", "failed", "void", "partial")


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_text_is_readable_on_every_ground(subtests: pytest.Subtests) -> None:
    for name, theme in zip(["light", "dark"], [0, 1], strict=True):
        for ground in GROUNDS:
            for text in TEXTS:
                with subtests.test(name, ground=ground, text=text):
                    assert contrast(COLOURS[text][theme], COLOURS[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("mark", ["failed", "passed"])
def test_a_verdict_is_readable_on_its_own_tint(mark: str, theme: int) -> None:
    assert contrast(COLOURS["ink"][theme], COLOURS[f"{mark}-tint"][theme]) >= 4.5
    assert contrast(COLOURS["accent"][theme], COLOURS[f"{mark}-tint"][theme]) >= 4.5
    assert contrast(COLOURS[mark][theme], COLOURS[f"{mark}-tint"][theme]) >= 3


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_hairlines_that_carry_meaning_are_visible(theme: int) -> None:
    assert contrast(COLOURS["line-strong"][theme], COLOURS["sheet"][theme]) >= 3
