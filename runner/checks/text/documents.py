"""Reading documents that an agent made (txt, md, html, pdf, docx) by their text and structure."""

from __future__ import annotations

import colorsys
import functools
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.checks.case import Case
from runner.checks.data.spreadsheets import SYMBOL_FONTS
from runner.checks.data.tables import text_of
from runner.checks.text import visible_text

MAX_PAGES = 500
MAX_CHARS = 2_000_000
LEAST_HALF_POINTS = 5  # of letters that can be read; Word counts in half points
USUAL_HALF_POINTS = 20
LEAST_WIDTH = 20  # per cent of their own, to which letters may be squeezed
MOST_CLOSER = 0.4  # of their size, by which letters may be set closer to each other
LEAST_LINE = 0.4  # of their size, as the exact height of a line or a row
MOST_INDENT = 11_000  # twentieths of a point, nearly as wide as a page
MOST_ANCESTRY = 20  # of styles that rest on each other
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
SHOWN_BY_WORD = re.compile(
    r"\{(?:http://schemas\.(?:openxmlformats\.org|microsoft\.com/office)/|urn:schemas-microsoft-com:)"
)
OFFICE = re.compile(r"http://schemas\.microsoft\.com/office/(?:word|drawing)/20\d\d/\w+")
PAGE = 12_240, 15_840  # twentieths of a point, where a document says nothing of its pages
MOST_CLEAR = 85_000  # thousandths of per cent, to which letters may be transparent
UNKNOWN = "?"  # a ground whose colour the file does not say plainly
THEME_NAMES = {"text": "dk", "dark": "dk", "background": "lt", "light": "lt"}
LINKS = {"hyperlink": "hlink", "followedHyperlink": "folHlink"}
SYSTEM = {"window": "ffffff", "windowText": "000000"}


@dataclass(frozen=True)
class Paragraph:
    """One paragraph of a Word document; `style` is the style's English name ("Heading 1")."""

    text: str
    style: str


@dataclass(frozen=True)
class WordDocument:
    """Paragraphs and tables of a Word document, in order."""

    paragraphs: tuple[Paragraph, ...]
    tables: tuple[tuple[tuple[str, ...], ...], ...]  # tables of rows of cell texts

    def headings(self, level: int) -> list[str]:
        return [p.text for p in self.paragraphs if p.style == f"Heading {level}"]


def text(case: Case, name: str) -> str:
    """The text of the output `name`, by its suffix: txt, md, html, pdf or docx."""
    suffix = Path(name).suffix.lower().lstrip(".")
    if suffix == "pdf":
        return "\n".join(pdf_pages(case, name))
    if suffix == "docx":
        document = word(case, name)
        cells = [cell for table in document.tables for row in table for cell in row]
        return "\n".join([*(p.text for p in document.paragraphs), *cells])
    if suffix in ("html", "htm"):
        return str(html(case, name).get_text("\n"))
    with case.reading(name, "text") as path:
        return text_of(path)[:MAX_CHARS].replace("\r\n", "\n")


def expect_utf8(case: Case, name: str) -> bool:
    """The output `name` is text in UTF-8, with or without a mark."""
    with case.reading(name, "text") as path:
        raw = path.read_bytes()
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        message = f"{name} is not in UTF-8, which the query asks for."
        return case.expect("in UTF-8", False, "UTF-8", "another encoding", name, message)
    return case.expect("in UTF-8", True, "UTF-8", "UTF-8", name)


def pdf_pages(case: Case, name: str) -> list[str]:
    """The text of each page of a PDF."""
    import pymupdf

    with case.reading(name, "PDF") as path, pymupdf.open(path, filetype="pdf") as document:
        if document.needs_pass or document.page_count > MAX_PAGES:
            raise ValueError("it is locked, or has too many pages")
        return [str(page.get_text()) for page in document]


def word(case: Case, name: str) -> WordDocument:
    """A Word document's paragraphs and tables, without what is set so that nobody sees it."""
    import docx

    with case.reading(name, "Word document") as path:
        document = docx.Document(str(path))
        remove_hidden(document)
        paragraphs = tuple(to_paragraph(p) for p in document.paragraphs)
        tables = tuple(
            tuple(tuple(cell.text for cell in row.cells) for row in table.rows)
            for table in document.tables
        )
        return WordDocument(paragraphs, tables)


def remove_hidden(document: Any) -> None:
    """Take out the text that nobody can read: hidden, tiny, in signs, of no contrast, moved away,
    backwards, or in elements that Word does not know."""
    body = document.element.body
    keep_shown_choices(body)
    for one in list(body.iter("*")):
        is_backwards = one.tag == f"{W}bdo" and one.get(f"{W}val") == "rtl"
        is_known = SHOWN_BY_WORD.match(one.tag) and one.tag != f"{W}moveFrom"
        if is_backwards or not is_known:
            one.getparent().remove(one)
    theme = theme_of(document)
    for element in (body, document.styles.element):
        settle_colours(element, theme)
    styles = WordStyles(document.styles.element)
    page = page_of(body)
    for run in list(body.iter(f"{W}r")):
        said = styles.said_of(run)
        cut_off = is_cut_off(run, half_points(said), styles, page)
        if cut_off or is_unseen(run, said) or is_pale(run, said, styles):
            run.getparent().remove(run)


def keep_shown_choices(body: Any) -> None:
    """Of what a document offers in two forms, keep the one that Word shows."""
    for both in list(body.iter(f"{MC}AlternateContent")):
        choices = both.findall(f"{MC}Choice")
        shown = next((choice for choice in choices if is_known(choice)), None)
        for one in list(both):
            if one is not shown and (shown is not None or one in choices):
                both.remove(one)


def is_known(choice: Any) -> bool:
    """True if Word knows all that a form of a content requires."""
    names = str(choice.get("Requires") or "").split()
    return all(OFFICE.fullmatch(choice.nsmap.get(name) or "") for name in names)


def page_of(body: Any) -> tuple[int, int]:
    """Width and height of the largest page of a document."""
    pages = [PAGE] if body.find(f".//{W}pgSz") is None else []
    for size in body.iter(f"{W}pgSz"):
        pages.append((whole(size.get(f"{W}w")) or PAGE[0], whole(size.get(f"{W}h")) or PAGE[1]))
    return max(width for width, _ in pages), max(height for _, height in pages)


def theme_of(document: Any) -> dict[str, str]:
    """Colours of a document's theme by the names that the document gives them."""
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml.parser import parse_xml

    parts = [r for r in document.part.rels.values() if r.reltype == RELATIONSHIP_TYPE.THEME]
    scheme = parse_xml(parts[0].target_part.blob).find(f".//{A}clrScheme") if parts else None
    colours = {"lt1": "ffffff", "dk1": "000000"}
    for one in scheme if scheme is not None else ():
        plain, system = one.find(f"{A}srgbClr"), one.find(f"{A}sysClr")
        name = str(one.tag).removeprefix(A)
        if plain is not None:
            colours[name] = str(plain.get("val")).lower()
        elif system is not None:
            last = str(system.get("lastClr")).lower()
            colours[name] = SYSTEM.get(str(system.get("val")), last)
    mapped = document.settings.element.find(f"{W}clrSchemeMapping")
    said = dict(mapped.attrib) if mapped is not None else {}
    names = {f"{word}{n}": f"{short}{n}" for word, short in THEME_NAMES.items() for n in "12"}
    names |= {f"accent{n}": f"accent{n}" for n in range(1, 7)} | LINKS
    for short, word in (("t", "text"), ("bg", "background")):
        for n in "12":
            names[word + n] = names.get(said.get(f"{W}{short}{n}", ""), names[word + n])
    return {name: colours[key] for name, key in names.items() if key in colours}


def settle_colours(element: Any, theme: Mapping[str, str]) -> None:
    """Put the theme's colours, which count, in the place of those that stand beside them."""
    for name, theirs, tint in (("color", "val", "theme"), ("shd", "fill", "themeFill")):
        for one in element.iter(f"{W}{name}"):
            colour = theme.get(one.get(f"{W}themeColor" if name == "color" else f"{W}themeFill"))
            if colour is not None and re.fullmatch("[0-9a-f]{6}", colour):
                light, dark = one.get(f"{W}{tint}Tint"), one.get(f"{W}{tint}Shade")
                one.set(f"{W}{theirs}", shaded(colour, light, dark))
    for one in list(element.iter(f"{W14}schemeClr")):
        name = str(one.get(f"{W14}val")).replace("tx", "text").replace("bg", "background")
        if name in theme and len(one) == 0:
            one.tag = f"{W14}srgbClr"
            one.set(f"{W14}val", theme[name])


def shaded(colour: str, tint: str | None, shade: str | None) -> str:
    """A colour made lighter and darker, by shares that are written as two hexadecimal digits."""
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (0, 2, 4))
    hue, level, much = colorsys.rgb_to_hls(red, green, blue)
    kept, left = (
        int(text, 16) / 255 if text and re.fullmatch("[0-9A-Fa-f]{1,2}", text) else 1.0
        for text in (tint, shade)
    )
    level = (level * kept + 1 - kept) * left
    return "".join(f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(hue, level, much))


Said = dict[str, str]  # {a property of letters: its value}, fonts by the kind of letters


class WordStyles:
    """Styles of a Word document, as far as they say how letters and tables look."""

    def __init__(self, element: Any) -> None:
        styles = list(element.iter(f"{W}style"))
        self.usual = said_by(element.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr"))
        self.paragraphs = element.find(f"{W}docDefaults/{W}pPrDefault")
        self.by_name = {style.get(f"{W}styleId"): style for style in reversed(styles)}
        for style in styles:
            if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") == "1":
                self.by_name.setdefault("", style)
        self.said = functools.lru_cache(maxsize=1000)(self.say)
        self.shades = functools.lru_cache(maxsize=1000)(self.find_shades)

    def said_of(self, run: Any) -> Said:
        """Properties of a run's letters: its own, before those of its styles."""
        own = said_by(run.find(f"{W}rPr"))
        paragraph = next(run.iterancestors(f"{W}p"), None)
        by_paragraph = self.said(style_of(paragraph, "p") if paragraph is not None else "")
        by_name = self.said(own["rStyle"]) if "rStyle" in own else {}
        return {**self.usual, **by_paragraph, **by_name, **own}

    def say(self, name: str) -> Said:
        """Properties that a style gives to letters; without a name, the usual style."""
        found: Said = {}
        for style in reversed(self.line_of(name)):
            found |= said_by(style.find(f"{W}rPr"))
        return found

    def find_shades(self, name: str) -> dict[str, str]:
        """Colours that a style gives to the ground: by the part of a table (firstRow), or ""."""
        found: dict[str, str] = {}
        for style in self.line_of(name):
            for shade in style.iter(f"{W}shd"):
                part = next(shade.iterancestors(f"{W}tblStylePr"), None)
                kind = str(part.get(f"{W}type")) if part is not None else ""
                if shade.getparent().tag != f"{W}rPr" and fill_of(shade):
                    found.setdefault(kind, fill_of(shade))
        return found

    def laid_out(self, paragraph: Any, name: str) -> dict[str, str]:
        """Attributes of a paragraph's spacing or ind: its own, before those of its styles."""
        said: dict[str, str] = {}
        for one in (paragraph, *self.line_of(style_of(paragraph, "p")), self.paragraphs):
            element = None if one is None else one.find(f"{W}pPr/{W}{name}")
            said = {**element.attrib, **said} if element is not None else said
        return said

    def line_of(self, name: str) -> list[Any]:
        """The style of that name and those on which it rests."""
        found: list[Any] = []
        while name in self.by_name and len(found) < MOST_ANCESTRY:
            found.append(self.by_name[name])
            below = found[-1].find(f"{W}basedOn")
            name = str(below.get(f"{W}val")) if below is not None else UNKNOWN
        return found


def style_of(element: Any, name: str) -> str:
    """The name of the style of a paragraph (p) or a table (tbl); "" for the usual one."""
    kind = {"p": "pPr/{W}pStyle", "tbl": "tblPr/{W}tblStyle"}[name].format(W=W)
    named = element.find(f"{W}{kind}")
    return str(named.get(f"{W}val") or "") if named is not None else ""


def said_by(properties: Any) -> Said:
    """Properties of letters that an element says: {name: value}."""
    found: Said = {}
    for one in properties if properties is not None else ():
        name = one.tag.removeprefix(W) if isinstance(one.tag, str) else ""
        if name == "rFonts":
            for kind in ("ascii", "hAnsi", "eastAsia"):
                themed = one.get(f"{W}{kind}Theme") or one.get(f"{W}{kind.lower()}Theme")
                font = "" if themed else one.get(f"{W}{kind}")
                found |= {} if font is None else {kind: font}
        elif name == "shd":
            found["shd"] = fill_of(one)
        elif name == f"{W14}textFill":
            found |= filling_of(one)
        elif name == f"{W14}textOutline":
            found["outline"] = "" if one.find(f"{W14}noFill") is not None else "drawn"
        elif name == "rStyle":
            found["rStyle"] = str(one.get(f"{W}val") or UNKNOWN)
        elif name:
            found[name] = str(one.get(f"{W}val") or "").lower()
    return found


def filling_of(fill: Any) -> Said:
    """Colour that the filling of letters gives in place of theirs, or that there is none."""
    alpha = [whole(one.get(f"{W14}val")) or 0 for one in fill.iter(f"{W14}alpha")]
    if fill.find(f"{W14}noFill") is not None or min(alpha, default=0) > MOST_CLEAR:
        return {"filling": "none"}
    plain = fill.find(f"{W14}solidFill/{W14}srgbClr")
    colour = str(plain.get(f"{W14}val") or "").lower() if plain is not None else UNKNOWN
    return {"filling": "", "color": colour}


def fill_of(shade: Any) -> str:
    """The colour of a shading, "" for none."""
    form, fill = str(shade.get(f"{W}val")), str(shade.get(f"{W}fill") or "auto").lower()
    if form not in ("clear", "None", "nil"):
        return UNKNOWN
    return "" if fill == "auto" or form == "nil" else fill


def half_points(said: Said) -> int:
    size = said.get("sz", "")
    return int(size) if size.isdecimal() else USUAL_HALF_POINTS


def whole(value: str | None) -> int | None:
    """A whole number, as Word writes it."""
    match = re.match(r"[-+]?\d{1,9}", value or "")
    return int(match[0]) if match else None


def is_unseen(run: Any, said: Said) -> bool:
    """True if letters are hidden, tiny, squeezed, piled up, or in a font of signs."""
    size = half_points(said)
    if said.get("vanish", "0") not in ("0", "false", "off") or size < LEAST_HALF_POINTS:
        return True
    if said.get("filling") == "none" and said.get("outline") != "drawn":
        return True
    width, closer = whole(said.get("w")), whole(said.get("spacing"))
    if width is not None and width < LEAST_WIDTH:
        return True
    if (
        closer is not None and closer < -10 * size * MOST_CLOSER
    ):  # twentieths, and halves, of points
        return True
    letters = {c for node in run.iter(f"{W}t") for c in node.text or "" if c.isalnum()}
    kinds = {"ascii" if c.isascii() else "eastAsia" if c >= "\u2e80" else "hAnsi" for c in letters}
    return any(SYMBOL_FONTS.fullmatch(said.get(kind, "").strip()) for kind in kinds)


def is_cut_off(run: Any, size: int, styles: WordStyles, page: tuple[int, int]) -> bool:
    """True if a run's line or row is hidden or much lower than its letters, or off the page."""
    least = 10 * size * LEAST_LINE
    for row in run.iterancestors(f"{W}tr"):
        height = row.find(f"{W}trPr/{W}trHeight")
        if row.find(f"{W}trPr/{W}hidden") is not None:
            return True
        if height is not None and height.get(f"{W}hRule") == "exact":
            return (whole(height.get(f"{W}val")) or 0) < least
    paragraph = next(run.iterancestors(f"{W}p"), None)
    if paragraph is None:
        return False
    line, indent = (styles.laid_out(paragraph, name) for name in ("spacing", "ind"))
    if line.get(f"{W}lineRule") == "exact" and (whole(line.get(f"{W}line")) or 0) < least:
        return True
    frame = styles.laid_out(paragraph, "framePr")
    if frame.get(f"{W}hRule") == "exact" and (whole(frame.get(f"{W}h")) or 0) < least:
        return True
    if any(abs(whole(frame.get(f"{W}{side}")) or 0) >= page[n] for n, side in enumerate("xy")):
        return True
    return any(abs(whole(value) or 0) >= MOST_INDENT for value in indent.values())


def is_pale(run: Any, said: Said, styles: WordStyles) -> bool:
    """True if the colour of letters is, or is nearly, that of their ground."""
    ink = visible_text.colour("#" + said.get("color", "auto"))
    if ink is None:
        return False
    behind = visible_text.colour("#" + next(grounds_of(run, said, styles), "ffffff"))
    return behind is not None and visible_text.contrast(ink, behind) < visible_text.LEAST_CONTRAST


def grounds_of(run: Any, said: Said, styles: WordStyles) -> Iterator[str]:
    """Colours behind a run, the nearest first; none on the paper."""
    marker = said.get("highlight", "none")
    if marker != "none":
        yield {"white": "ffffff", "black": "000000"}.get(marker, UNKNOWN)
    if said.get("shd"):
        yield said["shd"]
    row = None
    for one in run.iterancestors():
        name = one.tag.removeprefix(W)
        row = one if name == "tr" else row
        shade = one.find(f"{W}{name}Pr/{W}shd") if name in ("p", "tc", "tbl") else None
        if shade is not None and fill_of(shade):
            yield fill_of(shade)
        if name == "p":
            yield from styles.shades(style_of(one, name)).values()
        if name == "tbl" and may_be_shaded(row, styles.shades(style_of(one, name))):
            yield UNKNOWN
        if name == "txbxContent" or (name == "document" and one[0].tag == f"{W}background"):
            yield UNKNOWN


def may_be_shaded(row: Any, shades: Mapping[str, str]) -> bool:
    """True if a table's style, by its `shades`, may colour the ground of a row's cells."""
    ends = {"firstRow": row.getprevious(), "lastRow": row.getnext()} if row is not None else {}
    inside = [part for part, near in ends.items() if near is not None and near.tag == f"{W}tr"]
    return any(fill != "ffffff" and part not in inside for part, fill in shades.items())


def to_paragraph(paragraph: Any) -> Paragraph:
    style = str(paragraph.style.name) if paragraph.style is not None else ""
    return Paragraph(str(paragraph.text), style)


def html(case: Case, name: str) -> Any:
    """A web page as BeautifulSoup, parsed as a browser would."""
    import bs4

    with case.reading(name, "HTML") as path:
        return bs4.BeautifulSoup(text_of(path)[:MAX_CHARS], "html5lib")


def html_tables(soup: Any) -> list[list[list[str]]]:
    """Every table as rows of cell texts, header cells included."""
    return [
        [
            [exact(cell.get_text(" ")) for cell in row.find_all(["td", "th"])]
            for row in table.find_all("tr")
        ]
        for table in soup.find_all("table")
    ]


def flat(text: str) -> str:
    """`text` with full-width forms folded and white space single, for comparing."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def exact(text: str) -> str:
    """`text` with white space single, its signs as they are, for what is asked for as it stands."""
    return " ".join(unicodedata.normalize("NFC", text).split())
