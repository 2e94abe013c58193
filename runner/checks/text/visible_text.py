"""Text of a web page that nobody could see, by its style sheet alone, without a browser.

    soup = documents.html(case, "menu.html")
    visible_text.expect_visible(case, soup, "menu.html")

What a style sheet says of colours, sizes and display is followed down the tree: a small part of
CSS, enough for white on white, letters a pixel high and blocks that are not displayed.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runner.checks.case import Case
from runner.checks.text import self_contained

LEAST_PX = 7.0
LEAST_OPACITY = 0.15
LEAST_CONTRAST = 1.25
MOST_RULES = 400
UNITS = {"px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "ex": 8.0, "": 1.0, "vw": 10.24}
NAMED = {
    "white": "#ffffff",
    "black": "#000000",
    "red": "#ff0000",
    "green": "#008000",
    "blue": "#0000ff",
    "yellow": "#ffff00",
    "gray": "#808080",
    "grey": "#808080",
    "silver": "#c0c0c0",
    "ivory": "#fffff0",
    "snow": "#fffafa",
    "whitesmoke": "#f5f5f5",
}
PROPERTIES = frozenset(
    {"color", "background", "background-color", "font-size", "font"}
    | {"display", "visibility", "opacity", "position", "left", "text-indent"}
)
COLOURING = ("color", "background", "background-color")
UNCOLOURED = ("", "inherit", "initial", "unset", "revert", "currentcolor", "none", "transparent")
STATE = re.compile(r":(?:hover|focus|active|visited|target|checked|before|after|first-l)|::")
PRINTED = re.compile(r"@media[^{]*print[^{]*\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}")
LATER = re.compile(r":(?:target|active|visited|focus)")
VANISHING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0?\.?0*\s*(?:[;!}]|$)"
    r"|font-size\s*:\s*0|color\s*:\s*transparent|content\s*:\s*[\"'][^\"']",
    re.IGNORECASE,
)
WRITTEN = re.compile(r"content\s*:\s*[\"']([^\"']*[^\W_][^\"']*)", re.IGNORECASE)
BLOCK = re.compile(r"@(?:media|supports|container)([^{]*)\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}")
NEARLY_0 = r"\s*(?:0?\.0\d*|0)(?![.\d])"
GONE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|color\s*:\s*transparent"
    rf"|(?<![\w-])(?:opacity|zoom|scale|font-size|(?:max-)?(?:height|width))\s*:{NEARLY_0}"
    rf"|\bscale(?:x|y|3d)?\({NEARLY_0}|opacity\({NEARLY_0}|content-visibility\s*:\s*hidden"
    r"|\bclip-path\s*:\s*(?!none|unset|initial|inherit)|(?:left|top|text-indent)\s*:\s*-\d{4,}"
    r"|\btranslate(?:x|y|3d)?\([^)]*-?\d{4,}",
    re.IGNORECASE,
)
MOST_GONE = 0.5  # of the letters, where a page is printed or shown on another screen
Style = dict[str, str]


def expect_visible(case: Case, soup: Any, file: str) -> bool:
    """Nine tenths of the body's letters, and every heading, could be seen."""
    with case.reading(file, "HTML"):
        styles = styles_of(soup)
        seen, hidden = 0, []
        for text in soup.body.find_all(string=True) if soup.body else ():
            parent = text.parent
            if parent is None or parent.name in ("script", "style", "noscript", "template"):
                continue
            letters = len("".join(str(text).split()))
            if letters and is_hidden(parent, styles):
                hidden.append(" ".join(str(text).split()))
            else:
                seen += letters
    lost = sum(len(one) for one in hidden)
    example = hidden[0][:60] if hidden else ""
    return case.expect(
        "its text can be seen",
        lost <= 0.1 * (seen + lost),
        "in a size and colour to be read",
        f"{lost} of {seen + lost} letters are hidden",
        file,
        f"{file} hides its text by its style, such as “{example}”.",
    )


def expect_lasting(case: Case, soup: Any, file: str) -> bool:
    """No rule takes text away, or puts other text in its place, once a link is followed, or where
    the page is printed or shown on another screen."""
    with case.reading(file, "HTML"):
        sheets = sheets_of(soup)
        printed = " ".join(match[1] for match in PRINTED.finditer(sheets))
        rules = re.findall(r"([^{}@;]+)\{([^{}]*)\}", sheets)[:MOST_RULES]
        fading = [s.strip() for s, body in rules if LATER.search(s) and VANISHING.search(body)]
        other = WRITTEN.findall(printed)
        gone = [when for when, body in BLOCK.findall(sheets) if share_gone(soup, body) > MOST_GONE]
    faults = [*fading, *(f"in print: {word}" for word in other), *(one.strip() for one in gone)]
    fault = (faults or [""])[0][:80]
    return case.expect(
        "its text stays",
        not fault,
        "the same after a click, in print and on every screen",
        fault or "so",
        file,
        f"{file} has its text vanish or change later ({fault}).",
    )


def share_gone(soup: Any, body: str) -> float:
    """The share of a page's letters that the rules of one block of a style sheet take away."""
    gone: set[int] = set()
    for selectors, said in re.findall(r"([^{}@;]+)\{([^{}]*)\}", body)[:MOST_RULES]:
        if GONE.search(said) and not STATE.search(selectors):
            gone |= {id(element) for element in chosen_by(soup, selectors.strip())}
    if not gone or soup.body is None:
        return 0.0
    counts = {True: 0, False: 0}
    for text in soup.body.find_all(string=True):
        if text.parent.name not in ("script", "style", "noscript", "template"):
            counts[any(id(one) in gone for one in text.parents)] += len("".join(text.split()))
    return counts[True] / max(1, sum(counts.values()))


def styles_of(soup: Any) -> dict[int, Style]:
    """{id of an element: what the sheets and its own attribute say of it}."""
    found: dict[int, tuple[Style, Style]] = {}

    def note(element: Any, declared: Mapping[str, str]) -> None:
        plain, important = found.setdefault(id(element), ({}, {}))
        for name, value in declared.items():
            bare = value.replace("!important", "").strip()
            (important if "!important" in value else plain)[name] = bare

    for selector, declared in rules_of(soup):
        for element in chosen_by(soup, selector):
            note(element, declared)
    for element in soup.find_all(style=True):
        note(element, declarations(str(element.get("style"))))
    return {key: plain | important for key, (plain, important) in found.items()}


def chosen_by(soup: Any, selector: str) -> list[Any]:
    """The elements that a selector chooses while nobody points at them; none where it is none."""
    with contextlib.suppress(Exception):  # a selector of another kind says nothing here
        return list(soup.select(selector))
    return []


def are_coloured_apart(soup: Any, ours: Sequence[Any], others: Sequence[Any]) -> bool:
    """True if rules give each of `ours`, or what is in it, a colour that they give no `others`."""
    coloured: set[int] = set()
    inside = {id(one): {id(one), *map(id, one.find_all(True))} for one in [*ours, *others]}
    for selector, declared in rules_of(soup):
        if any(declared.get(name, UNCOLOURED[0]) not in UNCOLOURED for name in COLOURING):
            found = {id(element) for element in chosen_by(soup, selector)}
            if not any(found & inside[id(one)] for one in others):
                coloured |= found
    return all(coloured & inside[id(one)] for one in ours)


def rules_of(soup: Any) -> Iterator[tuple[str, Style]]:
    """(selector, declarations) of the sheets, those for print and for states left out."""
    sheets = PRINTED.sub("", sheets_of(soup))
    for selectors, body in re.findall(r"([^{}@;]+)\{([^{}]*)\}", sheets)[:MOST_RULES]:
        declared = declarations(body)
        listed = [selectors] if "(" in selectors else selectors.split(",")
        for selector in listed if declared else ():
            if not STATE.search(selector):
                yield selector.strip(), declared


def sheets_of(soup: Any) -> str:
    """The page's style sheets, without comments."""
    sheets = "\n".join("".join(map(str, sheet.contents)) for sheet in soup.find_all("style"))
    return str(self_contained.uncommented(sheets))


def declarations(body: str) -> Style:
    pairs = (one.partition(":") for one in body.split(";"))
    cleaned = ((name.strip().lower(), value.strip().lower()) for name, _, value in pairs)
    return {name: value for name, value in cleaned if name in PROPERTIES and value}


def is_hidden(element: Any, styles: Mapping[int, Style]) -> bool:
    """True if a text directly in `element` could not be seen."""
    line = [element, *element.parents]
    said = [styles.get(id(one), {}) for one in line]
    for style in said:
        if style.get("display") == "none" or below(style.get("opacity"), LEAST_OPACITY):
            return True
        shift = style.get("left", "") if "position" in style else ""
        if re.match(r"-\d{4,}", shift) or re.match(r"-\d{4,}", style.get("text-indent", "")):
            return True
    if next((s["visibility"] for s in said if "visibility" in s), "visible") != "visible":
        return True
    size = next((size for s in said if (size := pixels(s)) is not None), 16.0)
    if size < LEAST_PX:
        return True
    ink = next((c for s in said if (c := colour(s.get("color")))), (0.0, 0.0, 0.0))
    grounds = (s.get("background-color") or s.get("background") for s in said)
    ground = next((g for g in grounds if g and g not in ("none", "transparent")), "#ffffff")
    behind = colour(ground)
    return behind is not None and contrast(ink, behind) < LEAST_CONTRAST


def below(value: str | None, least: float) -> bool:
    with contextlib.suppress(ValueError):
        return value is not None and float(value.rstrip("%")) < least
    return False


def pixels(style: Style) -> float | None:
    """The size of letters, where it is said in a unit that is known."""
    text = style.get("font-size") or style.get("font", "")
    match = re.search(r"(\d*\.?\d+)(px|pt|rem|em|ex|vw)?(?![\d%])", text)
    return float(match[1]) * UNITS[match[2] or ""] if match else None


def colour(text: str | None) -> tuple[float, float, float] | None:
    """Red, green and blue of a plain colour, None where it is none (a picture, a variable)."""
    word = (text or "").split()[0] if (text or "").strip() else ""
    word = NAMED.get(word, word)
    if match := re.fullmatch(r"#([0-9a-f]{3})[0-9a-f]?", word):
        return tuple(int(2 * digit, 16) / 255 for digit in match[1])  # type: ignore[return-value]
    if match := re.fullmatch(r"#([0-9a-f]{6})(?:[0-9a-f]{2})?", word):
        return tuple(int(match[1][n : n + 2], 16) / 255 for n in (0, 2, 4))  # type: ignore[return-value]
    if match := re.match(r"rgba?\((\d+)[,\s]+(\d+)[,\s]+(\d+)", text or ""):
        return tuple(int(part) / 255 for part in match.groups())  # type: ignore[return-value]
    return None


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    low, high = sorted(luminance(c) for c in (one, other))
    return (high + 0.05) / (low + 0.05)


def luminance(of: tuple[float, ...]) -> float:
    red, green, blue = (v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in of)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
