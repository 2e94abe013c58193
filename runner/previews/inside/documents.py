"""Documents, slides, pages and notebooks: their text in reading order."""

from __future__ import annotations

import base64
import html
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from runner.previews.inside.parts import (
    MAX_COLUMNS,
    MAX_PARTS,
    MAX_PICTURE_BYTES,
    MAX_ROWS,
    PICTURE_PX,
    CannotOpen,
    Part,
    counted,
    more,
    not_drawn,
    open_archive,
    packed,
    sentence,
    table,
    text,
)
from runner.previews.inside.workbooks import trim
from runner.previews.texts import decode

MAX_PAGE_BYTES = 1_200_000  # of a notebook as a page
MOST_ODS_COLUMNS = 16_384  # of a sheet
PDF_PAGES = 3  # whose text is read
OPEN = "urn:oasis:names:tc:opendocument:xmlns"
OFFICE, CELLS = f"{{{OPEN}:office:1.0}}", f"{{{OPEN}:table:1.0}}"
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
PICTURE = "http://schemas.openxmlformats.org/drawingml/2006/picture"
MATHS = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
SIGNS = {f"{WORD}tab": "\t", f"{WORD}br": "\n", f"{WORD}cr": "\n", f"{WORD}noBreakHyphen": "‑"}
SIGNS |= {f"{WORD}sym": "[sign]"}  # of a font of signs, such as Wingdings
FORMULAS = {
    f"{MATHS}sSup": ("{}^{}", "e", "sup"),
    f"{MATHS}sSub": ("{}_{}", "e", "sub"),
    f"{MATHS}f": ("({})/({})", "num", "den"),
    f"{MATHS}rad": ("√({})", "e"),
}
HEIGHTS = {
    "superscript": ("^", str.maketrans("0123456789+-()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ")),
    "subscript": ("_", str.maketrans("0123456789+-()", "₀₁₂₃₄₅₆₇₈₉₊₋₍₎")),
}
ORDINALS = ("st", "nd", "rd", "th")  # which Word raises by itself
COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")  # of a terminal
LEFT_OUT = {f"{CHOICE}Fallback", f"{WORD}del", f"{WORD}moveFrom"}
SEEN_TEXT = "//text()[not(ancestor::script or ancestor::style)]"  # of a page
MAIL_HEADERS = ("From", "To", "Cc", "Subject", "Date")
ASIDES = {
    "header": "Headers",
    "footer": "Footers",
    "footnotes": "Footnotes",
    "endnotes": "Endnotes",
    "comments": "Comments",
}


def read_docx(path: str) -> Part:
    """Paragraphs and tables in their order, with lists, equations and boxes of text."""
    import docx

    open_archive(path).close()
    document = docx.Document(path)
    body = document.element.body
    lists = Lists(document)
    parts: list[Part] = []
    lines: list[str] = []
    tables = left = 0
    for element in blocks_of(body):
        if len(parts) >= MAX_PARTS:
            left += 1
        elif element.tag == f"{WORD}p":
            lines.append(lists.mark(element) + paragraph(element))
        else:
            if any(lines):
                parts.append(text("Text", lines))
            lines = []
            tables += 1
            parts.append(table(f"Table {tables}", rows_of(element)))
    if any(lines) and len(parts) < MAX_PARTS:
        parts.append(text("Text", lines))
    parts += list_asides(document)
    pictures = {
        "picture": len(find(body, ".//pic:pic")),
        "chart": sum(one.tag.endswith("/chart}chart") for one in body.iter()),
    }
    deleted = len(find(body, ".//w:del[w:r]"))
    notes = [
        "The rest of the document is not shown." if left else "",
        f"Deleted passages that are still marked: {deleted:,}." if deleted else "",
    ]
    return {"parts": parts, "note": sentence(*notes, not_drawn(pictures))}


def list_asides(document: Any) -> Iterator[Part]:
    """What stands beside the text: headers, footers, notes and comments."""
    from lxml import etree

    found: dict[str, list[str]] = {}
    for related in document.part.rels.values():
        kind = related.reltype.rpartition("/")[2]
        if kind in ASIDES and not related.is_external:
            parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
            tree = etree.fromstring(related.target_part.blob, parser)
            lines = (paragraph(one) for one in tree.iter(f"{WORD}p"))
            found.setdefault(kind, []).extend(line for line in lines if line.strip())
    yield from (text(ASIDES[kind], lines) for kind, lines in found.items() if lines)


def find(element: Any, path: str) -> Any:
    """What the XPath finds below `element`."""
    from lxml import etree

    return etree.XPath(path, namespaces={"w": WORD[1:-1], "pic": PICTURE})(element)


def blocks_of(element: Any) -> Iterator[Any]:
    """Paragraphs and tables, also those in content controls and in inserted passages."""
    for one in element:
        if one.tag in (f"{WORD}p", f"{WORD}tbl"):
            yield one
        elif one.tag in (f"{WORD}sdt", f"{WORD}sdtContent", f"{WORD}ins", f"{WORD}customXml"):
            yield from blocks_of(one)


def paragraph(element: Any) -> str:
    """Its text; that of a box of text stands on lines of its own behind it."""
    boxes: list[str] = []

    def read(one: Any) -> Iterator[str]:
        if one.tag in LEFT_OUT:
            return
        if one.tag == f"{WORD}txbxContent":
            boxes.append("\n".join(paragraph(block) for block in one.iter(f"{WORD}p")))
            return
        if one.tag == f"{WORD}r" and (raised := height_of(one)):
            yield raise_or_lower("".join(part for child in one for part in read(child)), raised)
            return
        if one.tag in FORMULAS:
            parts = [one.find(f"{MATHS}{name}") for name in FORMULAS[one.tag][1:]]
            said = ["".join(read(part)) if part is not None else "" for part in parts]
            yield FORMULAS[one.tag][0].format(*said)
            return
        if one.tag in (f"{WORD}t", f"{MATHS}t"):
            yield one.text or ""
        elif one.tag in SIGNS:
            yield SIGNS[one.tag]
        for child in one:
            yield from read(child)

    return "\n".join(["".join(read(element)), *boxes])


def height_of(run: Any) -> str:
    """superscript, subscript or nothing."""
    found = run.find(f"{WORD}rPr/{WORD}vertAlign")
    kind = "" if found is None else found.get(f"{WORD}val", "")
    return kind if kind in HEIGHTS else ""


def raise_or_lower(said: str, kind: str) -> str:
    """The text in the small signs of Unicode, or behind ^ or _ where it has others."""
    if said in ORDINALS:
        return said
    mark, signs = HEIGHTS[kind]
    small = said.translate(signs)
    return small if all(ord(sign) in signs for sign in said) else f"{mark}{said}"


def rows_of(element: Any) -> Iterator[list[str]]:
    """Rows of a table: a merged cell stands once, and empty cells keep the others' columns."""
    for row in element:
        if row.tag == f"{WORD}sdt":
            yield from (cells for content in row.iter(f"{WORD}tr") for cells in [cells_of(content)])
        elif row.tag == f"{WORD}tr":
            yield cells_of(row)


def cells_of(row: Any) -> list[str]:
    before = int((find(row, "./w:trPr/w:gridBefore/@w:val") or ["0"])[0])
    found: list[str] = [""] * min(before, MAX_COLUMNS)
    cells = (
        cell
        for one in row
        for cell in ([one] if one.tag == f"{WORD}tc" else one.iter(f"{WORD}tc"))
        if one.tag in (f"{WORD}tc", f"{WORD}sdt")
    )
    for cell in cells:
        width = int((find(cell, "./w:tcPr/w:gridSpan/@w:val") or ["1"])[0])
        merged = find(cell, "./w:tcPr/w:vMerge[not(@w:val) or @w:val='continue']")
        found += ["" if merged else cell_text(cell), *[""] * (min(width, MAX_COLUMNS) - 1)]
    return found


def cell_text(cell: Any) -> str:
    said = []
    for block in blocks_of(cell):
        if block.tag == f"{WORD}tbl":
            said += [" | ".join(row) for row in rows_of(block)]
        else:
            said.append(paragraph(block))
    return "\n".join(filter(None, said))


class Lists:
    """Marks of a document's list items: numbers counted as they come, and dots."""

    def __init__(self, document: Any) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.kinds: dict[tuple[str, str], str] = {}
        self.styles: dict[str, tuple[str, str]] = {}
        with suppress(KeyError, NotImplementedError):
            self.read_kinds(document.part.numbering_part.element)
        for style in find(document.styles.element, "./w:style[w:pPr/w:numPr/w:numId]"):
            properties = find(style, "./w:pPr/w:numPr")[0]
            self.styles[style.get(f"{WORD}styleId")] = place_in_list(properties)

    def read_kinds(self, numbering: Any) -> None:
        levels = {
            abstract.get(f"{WORD}abstractNumId"): {
                level.get(f"{WORD}ilvl"): (find(level, "./w:numFmt/@w:val") or ["decimal"])[0]
                for level in find(abstract, "./w:lvl")
            }
            for abstract in find(numbering, "./w:abstractNum")
        }
        for number in find(numbering, "./w:num"):
            abstract = (find(number, "./w:abstractNumId/@w:val") or [""])[0]
            for level, kind in levels.get(abstract, {}).items():
                self.kinds[number.get(f"{WORD}numId"), level] = kind

    def mark(self, element: Any) -> str:
        properties = find(element, "./w:pPr/w:numPr")
        style = (find(element, "./w:pPr/w:pStyle/@w:val") or [""])[0]
        place = place_in_list(properties[0]) if properties else self.styles.get(style)
        if place is None or place not in self.kinds:
            return ""
        indent = "  " * int(place[1])
        if self.kinds[place] in ("bullet", "none"):
            return f"{indent}• "
        self.counts[place] += 1
        return f"{indent}{self.counts[place]}. "


def place_in_list(properties: Any) -> tuple[str, str]:
    number = (find(properties, "./w:numId/@w:val") or [""])[0]
    return number, (find(properties, "./w:ilvl/@w:val") or ["0"])[0]


def read_pptx(path: str) -> Part:
    import pptx

    open_archive(path).close()
    slides = list(pptx.Presentation(path).slides)
    parts = []
    for number, slide in enumerate(slides[:MAX_PARTS], 1):
        counts: Counter[str] = Counter()
        lines, charts = read_shapes(slide.shapes, counts)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            notes = slide.notes_slide.notes_text_frame.text
            lines += [f"Notes: {notes}"] if notes.strip() else []
        hidden = " (hidden)" if slide._element.get("show") == "0" else ""
        part = text(f"Slide {number}{hidden}", lines)
        drawn = f"{counted(len(charts), 'chart')}: {'; '.join(charts)}." if charts else ""
        pictures = f"{counted(counts['picture'], 'picture')}." if counts["picture"] else ""
        part["note"] = sentence(part["note"], pictures, drawn)
        parts.append(part)
    return {"parts": parts, "note": more(len(slides), len(parts), "slides")}


def read_shapes(shapes: Any, counts: Counter[str]) -> tuple[list[str], list[str]]:
    """Lines of text of a slide's shapes, and titles of its charts; counts its pictures."""
    from pptx.enum.shapes import MSO_SHAPE_TYPE

    lines: list[str] = []
    charts: list[str] = []
    for shape in shapes:
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            inner = read_shapes(shape.shapes, counts)
            lines += inner[0]
            charts += inner[1]
        elif getattr(shape, "has_table", False) and shape.has_table:
            lines += [" | ".join(cell.text for cell in row.cells) for row in shape.table.rows]
        elif getattr(shape, "has_chart", False) and shape.has_chart:
            charts.append(title_of(shape.chart))
        elif shape.has_text_frame:
            lines += [p.text.replace("\v", "\n") for p in shape.text_frame.paragraphs if p.text]
        counts["picture"] += shape.shape_type == MSO_SHAPE_TYPE.PICTURE or hasattr(shape, "image")
    return lines, charts


def title_of(chart: Any) -> str:
    with suppress(Exception):  # a chart of a kind that the library does not know
        if chart.has_title and chart.chart_title.text_frame.text:
            return str(chart.chart_title.text_frame.text)
        return ", ".join(str(series.name) for plot in chart.plots for series in plot.series)[:80]
    return "of a kind that is not read"


def open_document(path: str) -> Any:
    """The tree of an OpenDocument file's content."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    with open_archive(path) as archive, archive.open("content.xml") as stream:
        return etree.parse(stream, parser)


def read_odt(path: str) -> Part:
    tree = open_document(path)
    body = tree.find(f"{OFFICE}body")
    lines = list(odt_lines(body)) if body is not None else []
    pictures = {"picture": sum(str(one.tag).endswith("drawing:1.0}image") for one in tree.iter())}
    return {"parts": [text("Text", lines)], "note": not_drawn(pictures)}


def read_ods(path: str) -> Part:
    """Cells as the program that saved them showed them; dates and TRUE as in other workbooks."""
    tree = open_document(path)
    unseen = {
        style.get(f"{{{OPEN}:style:1.0}}name")
        for style in tree.iter(f"{{{OPEN}:style:1.0}}style")
        if any(one.get(f"{CELLS}display") == "false" for one in style)
    }
    sheets = list(tree.iterfind(f".//{OFFICE}spreadsheet/{CELLS}table"))
    parts = []
    for sheet in sheets[:MAX_PARTS]:
        hidden = " (hidden)" if sheet.get(f"{CELLS}style-name") in unseen else ""
        parts.append(show_ods_sheet(f"{sheet.get(f'{CELLS}name')}{hidden}", sheet))
    return {"parts": parts, "note": more(len(sheets), len(parts), "sheets")}


def show_ods_sheet(title: str, sheet: Any) -> Part:
    rows: list[list[str]] = []
    end = total = 0
    for row in sheet.iter(f"{CELLS}table-row"):
        cells = list(islice(ods_cells(row), MOST_ODS_COLUMNS))
        times = int(row.get(f"{CELLS}number-rows-repeated", 1))
        total += times
        end = total if cells else end
        rows += [cells] * min(times, MAX_ROWS + 2 - len(rows))
    part = table(title, trim(rows), end - 1 if end > MAX_ROWS + 1 else None)
    cells = [one for one in sheet.iter() if one.get(f"{CELLS}formula")]
    hidden = Counter(
        str(one.tag).rpartition("-")[2]
        for one in sheet.iter()
        if one.get(f"{CELLS}visibility") in ("collapse", "filter")
    )
    comments = [" ".join(odt_lines(one)) for one in sheet.iter(f"{OFFICE}annotation")]
    drawn = sum(str(one.tag).endswith("drawing:1.0}frame") for one in sheet.iter())
    part["note"] = sentence(
        f"Formulas in {counted(len(cells), 'cell')}." if cells else "",
        f"Hidden: {', '.join(counted(n, what) for what, n in hidden.items())}." if hidden else "",
        f"Comments: {'; '.join(comments[:8])}." if comments else "",
        not_drawn({"figure": drawn}),
    )
    return part


def ods_cells(row: Any) -> Iterator[str]:
    """The cells of a row as text, without the empty ones at its end."""
    empty = 0
    for cell in row:
        if not str(cell.tag).endswith("table-cell"):
            continue
        said = ods_text(cell)
        times = min(int(cell.get(f"{CELLS}number-columns-repeated", 1)), MOST_ODS_COLUMNS)
        if not said:
            empty += times
            continue
        yield from [""] * min(empty, MOST_ODS_COLUMNS)
        yield from [said] * times
        empty = 0


def ods_text(cell: Any) -> str:
    kind = cell.get(f"{OFFICE}value-type")
    stored = cell.get(f"{OFFICE}{kind}-value") or cell.get(f"{OFFICE}value") or ""
    if kind == "date" and stored:
        return str(stored).replace("T", " ")
    if kind == "boolean" and stored:
        return str(stored).upper()
    said = "\n".join(odt_text(one) for one in cell if str(one.tag).endswith("text:1.0}p"))
    return said or stored or cell.get(f"{CELLS}formula", "").removeprefix("of:")


def odt_lines(element: Any) -> Iterator[str]:
    """Paragraphs and rows of tables, in their order."""
    for one in element:
        kind = str(one.tag).rpartition("}")[2]
        if kind in ("p", "h"):
            yield odt_text(one)
        elif kind == "table-row":
            cells = (cell for cell in one if str(cell.tag).endswith("table-cell"))
            yield " | ".join(" ".join(odt_lines(cell)) for cell in cells)
        elif kind != "tracked-changes":
            yield from odt_lines(one)


def odt_text(element: Any) -> str:
    said = [element.text or ""]
    for one in element:
        kind = str(one.tag).rpartition("}")[2]
        signs = {"tab": "\t", "s": " ", "line-break": "\n"}
        inner = f" [{odt_text(one)}]" if kind == "note" else odt_text(one)
        said += [signs.get(kind, "" if kind == "note-citation" else inner), one.tail or ""]
    return "".join(said)


def read_pdf(path: str) -> Part:
    import pymupdf

    document = pymupdf.open(path, filetype=PurePosixPath(path).suffix[1:])
    if document.needs_pass:
        raise CannotOpen("it is protected by a password")
    pages = document.page_count
    first = document[0]
    zoom = min(1_000 / first.rect.width, PICTURE_PX / first.rect.height)
    while True:
        zoom *= 0.999  # a page rounded up must not be a pixel too wide
        png = first.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False).tobytes("png")
        if len(png) < MAX_PICTURE_BYTES:
            break
        zoom /= 2
    texts = ((n + 1, document[n].get_text()) for n in range(min(pages, PDF_PAGES)))
    parts = [text(f"Text of page {n}", said.splitlines()) for n, said in texts if said.strip()]
    note = "" if pages == 1 else f"The first of {pages:,} pages."
    return {"facts": [["pages", f"{pages:,}"]], "parts": parts, "poster": packed(png), "note": note}


def read_mail(path: str) -> Part:
    """A message as a program for mail shows it, and its attachments by name and size."""
    import email
    import email.policy

    message = email.message_from_bytes(Path(path).read_bytes(), policy=email.policy.default)
    facts = [[name, str(message[name])] for name in MAIL_HEADERS if message[name]]
    parts = []
    if body := message.get_body(("plain", "html")):
        payload: Any = body.get_payload(decode=True) or b""
        try:
            said = payload.decode(body.get_content_charset(""), "replace")
        except LookupError:  # of a charset that is not named, or unknown
            said = (decode(payload) or ("", ""))[0]
        if body.get_content_subtype() == "html":
            from lxml import html as pages

            found = pages.fromstring(said or "<p>").xpath(SEEN_TEXT)
            said = "\n".join(one.strip() for one in found if one.strip())
        parts.append(text("Text", said.splitlines()))
    listed = [["Name", "Kind", "Bytes"]]
    for one in message.iter_attachments():
        content = one.get_payload(decode=True) or b""
        listed.append([one.get_filename(""), one.get_content_type(), f"{len(content):,}"])
    if len(listed) > 1:
        parts.append(table("Attachments", listed, is_list=True))
    return {"facts": facts, "parts": parts}


def read_notebook(path: str) -> Part:
    """Code and outputs as text, and the notebook as a page for a frame that reaches nothing."""
    import nbformat

    decoded = decode(Path(path).read_bytes())
    source = decoded[0] if decoded else ""
    book: Any = nbformat.reads(source, as_version=4)  # type: ignore[no-untyped-call]
    language = book.metadata.get("kernelspec", {}).get("display_name", "")
    lines, shown, size = [], [], 0
    for cell in book.cells:
        lines += [f"[{cell.cell_type}]", cell.source]
        markup = [f"<pre class='{html.escape(cell.cell_type)}'>{html.escape(cell.source)}</pre>"]
        for output in cell.get("outputs", []):
            said, drawn = show_output(output)
            lines.append(said)
            markup.append(drawn)
        size += sum(map(len, markup))
        if size <= MAX_PAGE_BYTES:
            shown += markup
    note = "The page has its beginning." if size > MAX_PAGE_BYTES else ""
    facts = [["cells", f"{len(book.cells):,}"], *([["kernel", language]] if language else [])]
    page = f"<!doctype html><meta charset=utf-8><style>{NOTEBOOK_STYLE}</style>{''.join(shown)}"
    return {"facts": facts, "parts": [text("Cells", lines)], "note": note, "page": page}


NOTEBOOK_STYLE = """
:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;margin:12px}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:4px 0;padding:6px 8px}
pre.code{border-left:3px solid #48f;background:#8882}pre.error{border-left:3px solid #d33}
img,svg{max-width:100%}table{border-collapse:collapse}td,th{border:1px solid #8888;padding:2px 6px}
"""


def show_output(output: Any) -> tuple[str, str]:
    """An output of a notebook's cell as text, and as markup."""
    if output.output_type == "error":
        trace = COLOURS.sub("", "\n".join(output.get("traceback", [])))
        said = trace or f"{output.get('ename')}: {output.get('evalue')}"
        return said, f"<pre class=error>{html.escape(said)}</pre>"
    data = output.get("data", {"text/plain": output.get("text", "")})
    undrawn = "".join(f" [{mime} is not drawn]" for mime in data if mime.endswith("+json"))
    said = COLOURS.sub("", join(data.get("text/plain", ""))) + undrawn
    for mime in ("image/png", "image/jpeg", "image/gif"):
        if mime in data:
            picture = base64.b64decode(join(data[mime]))
            return f"[{mime}] {said}", f'<img src="data:{mime};base64,{packed(picture)}">'
    if "image/svg+xml" in data or "text/html" in data:
        return said, join(data.get("image/svg+xml") or data["text/html"])
    return said, f"<pre>{html.escape(said)}</pre>"


def join(value: Any) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value)
