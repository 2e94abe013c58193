"""Reading documents that an agent made (txt, md, html, pdf, docx) by their text and structure."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.checks.case import Case
from runner.checks.data.tables import text_of

MAX_PAGES = 500
MAX_CHARS = 2_000_000
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


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
    """A Word document's paragraphs and tables."""
    import docx

    with case.reading(name, "Word document") as path:
        document = docx.Document(str(path))
        paragraphs = tuple(to_paragraph(p) for p in document.paragraphs)
        tables = tuple(
            tuple(tuple(cell.text for cell in row.cells) for row in table.rows)
            for table in document.tables
        )
        return WordDocument(paragraphs, tables)


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
