# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A paper's pages as a Word document."""

from runner.checks import Case

INDEX = "75"
TITLE = "A paper as a Word document"
CATEGORY = "text"
OUTPUTS = ["75.docx"]
STRENGTH = "partial"
NOTE = "The document must hold the paper's text as text, in its order, page after page. Its layout and pictures are not judged."

MATHS = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
RUN = 12  # letters of a stretch that is looked for
SHORT_PAGE = 400  # letters
PROBES = 12  # of each page
PROBE = 24  # letters


def letters_of(text: str) -> str:
    """Its letters and digits in lower case: converters differ in blanks and hyphens."""
    import re
    import unicodedata

    return "".join(re.findall(r"[a-z0-9]+", unicodedata.normalize("NFKC", text).lower()))


def check(case: Case) -> None:
    from collections import Counter

    import pymupdf

    with pymupdf.open(case.data / "starcoder2paper.pdf") as document:
        pages = [letters_of(str(page.get_text())) for page in document]
    source, found = "".join(pages), letters_of(text_in_order(case, "75.docx"))
    wanted, held = (Counter(t[n : n + RUN] for n in range(len(t) - RUN)) for t in (source, found))
    share = sum((wanted & held).values()) / max(1, wanted.total())
    case.expect(
        "its text is there",
        share >= 0.75,
        f"75 % or more of its stretches of {RUN} letters",
        f"{share:.0%}",
        "75.docx",
        f"75.docx holds {share:.0%} of the paper's stretches of {RUN} letters.",
    )
    least = min(map(share_of, pages, [held] * len(pages)))
    case.expect(
        "text of each page",
        least >= 0.5,
        f"half of each page's stretches of {RUN} letters",
        f"{least:.0%} of one",
        "75.docx",
        f"75.docx lacks a page: it holds {least:.0%} of its stretches of {RUN} letters.",
    )
    places = [place for page in pages for place in probes(page, source, found)]
    rising = longest_rise(places)
    case.expect(
        "in its order",
        rising >= 0.75 * len(places) and len(places) >= PROBES,
        "three quarters or more of the paper's stretches one after the other",
        f"{rising} of {len(places)}",
        "75.docx",
        f"75.docx has the paper's text in another order: {rising} of {len(places)} stretches follow each other.",
    )
    case.expect(
        "nothing else",
        len(found) <= 1.5 * len(source),
        f"about {len(source)} letters",
        len(found),
        "75.docx",
        f"75.docx holds {len(found)} letters, the paper {len(source)}.",
    )


def share_of(page: str, held) -> float:
    """Share of a page's stretches of letters among those that a document holds; 1 of a short one."""
    from collections import Counter

    wanted = Counter(page[n : n + RUN] for n in range(len(page) - RUN))
    return sum((wanted & held).values()) / wanted.total() if len(page) > SHORT_PAGE else 1.0


def text_in_order(case: Case, name: str) -> str:
    """Paragraphs and tables' cells as they follow each other, text boxes among them."""
    import docx

    from runner.checks.text import documents

    with case.reading(name, "Word document") as path:
        document = docx.Document(str(path))
        body = document.element.body
        return "".join(node.text or "" for node in body.iter(f"{documents.W}t", f"{MATHS}t"))


def probes(page: str, source: str, found: str) -> list[int]:
    """Places in the document of stretches of the page, of those that stand in it once."""
    step = max(1, (len(page) - PROBE) // PROBES)
    some = (page[n : n + PROBE] for n in range(0, max(0, len(page) - PROBE), step))
    return [found.find(one) for one in some if source.count(one) == 1 and one in found]


def longest_rise(places: list[int]) -> int:
    """The most of `places` that follow each other in rising order."""
    from bisect import bisect_left

    ends: list[int] = []
    for place in places:
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return len(ends)


REFERENCE = {
    "cells": [
        """
import pymupdf

document = pymupdf.open("data/starcoder2paper.pdf")
print(document.page_count, document.metadata.get("title"))
print(document[0].get_text()[:800])
""",
        """
import re

from docx import Document

out = Document()
for number, page in enumerate(document):
    if number:
        out.add_page_break()
    for block in page.get_text("blocks"):
        if block[6] == 0:
            text = re.sub(r"[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]", "", block[4]).strip()
            out.add_paragraph(" ".join(text.split()))
out.save("output/75.docx")
print(len(out.paragraphs))
""",
    ],
    "answer": "The paper's text is saved as a Word document in ./output/75.docx.",
}
WRONG = {
    "first-page-only": {
        "why": "converts the first page and forgets the rest",
        "cells": [
            "import pymupdf, re\nfrom docx import Document\nout = Document()\nout.add_paragraph(re.sub(r'[\\x00-\\x08\\x0b-\\x1f]', ' ', pymupdf.open('data/starcoder2paper.pdf')[0].get_text()))\nout.save('output/75.docx')"
        ],
        "answer": "Saved as ./output/75.docx.",
    },
    "renamed": {
        "why": "copies the PDF under the new name",
        "cells": ["import shutil\nshutil.copy('data/starcoder2paper.pdf', 'output/75.docx')"],
        "answer": "Saved as ./output/75.docx.",
    },
    "pictures-of-pages": {
        "why": "pastes each page as a picture, so that the document holds no text",
        "cells": [
            "import pymupdf\nfrom docx import Document\nfrom docx.shared import Inches\nout = Document()\n"
            "for n, page in enumerate(pymupdf.open('data/starcoder2paper.pdf')):\n    page.get_pixmap(dpi=50).save(f'/tmp/{n}.png')\n    out.add_picture(f'/tmp/{n}.png', width=Inches(6))\nout.save('output/75.docx')"
        ],
        "answer": "Saved as ./output/75.docx.",
    },
}
