"""Words of an SVG chart and where they stand, as text or drawn as outlines by matplotlib.

matplotlib draws text as outlines unless asked otherwise, and leaves each text in a comment before
them. Places are in pixels of the chart as `runner.checks.charts.pixels` renders it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GLYPH_WIDTH = 60.0  # of the last glyph, in hundredths of the size of the letters
MOVED = re.compile(r"translate\(\s*(-?[\d.]+)[\s,]+(-?[\d.]+)\s*\)")
TURNED = re.compile(r"rotate\(\s*(-?[\d.]+)")
SCALED = re.compile(r"scale\(\s*(-?[\d.]+)")
COLOUR = re.compile(r"#([0-9a-fA-F]{6})")
INVISIBLE = 0.02


@dataclass(frozen=True)
class Word:
    """A line of text, its middle and its left end."""

    text: str
    x: float
    y: float
    left: float


def words(path: Path, page: Any, scale: float) -> list[Word]:
    """Every line of text of the SVG at `path`; `page` is pymupdf's, `scale` pixels a unit."""
    return [*written(page, scale), *outlined(path, float(page.rect.width) * scale)]


def written(page: Any, scale: float) -> Iterator[Word]:
    for block in page.get_text("dict")["blocks"]:
        for line in block.get("lines", ()):
            text = "".join(span["text"] for span in line["spans"]).strip()
            left, top, right, bottom = (scale * float(side) for side in line["bbox"])
            if text:
                yield Word(text, (left + right) / 2, (top + bottom) / 2, left)


def outlined(path: Path, width: float) -> Iterator[Word]:
    """The texts that matplotlib drew as outlines: a comment, then a group of glyphs."""
    root = parsed(path)
    box = [float(part) for part in re.split(r"[\s,]+", root.get("viewBox", "").strip()) if part]
    if len(box) != 4 or not box[2] > 0:
        return
    unit = width / box[2]
    for group in root.iter("{*}g"):
        text = ""
        for child in group:
            if callable(child.tag):  # a comment
                text = (child.text or "").strip()
            elif text and (word := drawn(child, text, unit)):
                yield word
                text = ""


def drawn(group: Any, text: str, unit: float) -> Word | None:
    """The word whose glyphs `group` holds; None when it holds none."""
    transform = group.get("transform", "")
    moved, scaled = MOVED.search(transform), SCALED.search(transform)
    glyphs = list(group.iter("{*}use"))
    if not moved or not scaled or not glyphs:
        return None
    places = [offset(glyph) for glyph in glyphs]
    half = (max(places) + GLYPH_WIDTH) * abs(float(scaled[1])) / 2
    turned = TURNED.search(transform)
    angle = math.radians(float(turned[1])) if turned else 0.0
    left, base = float(moved[1]), float(moved[2])
    x, y = left + half * math.cos(angle), base + half * math.sin(angle)
    return Word(text, x * unit, y * unit, left * unit)


def offset(glyph: Any) -> float:
    moved = MOVED.search(glyph.get("transform", ""))
    try:
        return float(moved[1]) if moved else float(glyph.get("x", 0) or 0)
    except ValueError:
        return 0.0


def parsed(path: Path) -> Any:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    return etree.fromstring(path.read_bytes(), parser)


def made_opaque(body: bytes) -> bytes:
    """The SVG with its see-through parts in the colours that they show on white.

    The renderer ignores `opacity`; what is quite transparent is taken out.
    """
    from lxml import etree

    if b"opacity" not in body:
        return body
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    root = etree.fromstring(body, parser)
    for element in list(root.iter("{*}*")):
        whole = strength(element, "opacity")
        for inner in element.iterancestors():
            whole *= strength(inner, "opacity")
        for paint in ("fill", "stroke"):
            fade(element, paint, whole * strength(element, f"{paint}-opacity"))
    return bytes(etree.tostring(root))


def declared(element: Any, name: str) -> str:
    found = re.search(rf"(?:^|;)\s*{name}\s*:\s*([^;]+)", element.get("style", ""))
    return found[1].strip() if found else element.get(name, "")


def strength(element: Any, name: str) -> float:
    """A declared opacity from 0 to 1; 1 without one."""
    text = declared(element, name).strip()
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return 1.0
    return min(1.0, max(0.0, value)) if math.isfinite(value) else 1.0


def fade(element: Any, paint: str, opacity: float) -> None:
    """Put the colour that `paint` has with that opacity on white in place of its own."""
    colour = declared(element, paint)
    found = COLOUR.fullmatch(colour)
    if opacity >= 1 or (not found and opacity > INVISIBLE):
        return
    put = "none"
    if found and opacity > INVISIBLE:
        levels = (int(found[1][place : place + 2], 16) for place in (0, 2, 4))
        put = "#" + "".join(f"{round(255 - (255 - level) * opacity):02x}" for level in levels)
    style = re.sub(rf"(^|;)\s*{paint}\s*:[^;]*", r"\1", element.get("style", ""))
    element.set("style", f"{style};{paint}: {put}".lstrip(";"))
    element.set(paint, put)
