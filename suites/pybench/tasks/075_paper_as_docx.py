"""A paper's pages as a Word document."""

from runner.checks import Case, documents

INDEX = "75"
TITLE = "A paper as a Word document"
CATEGORY = "text"
OUTPUTS = ["75.docx"]
NOTE = "The document must hold the paper's text as text, in its order; its layout and pictures are not judged."


def words_of(text: str) -> list:
    import re
    import unicodedata

    return re.findall(r"[a-z0-9]+", unicodedata.normalize("NFKC", text).lower())


def check(case: Case) -> None:
    from collections import Counter

    from runner.checks import texts

    source = words_of(texts.pdf_text(case.data / "starcoder2paper.pdf"))
    found = words_of(documents.text(case, "75.docx"))
    wanted, held = Counter(source), Counter(found)
    share = sum((wanted & held).values()) / len(source)
    case.expect(
        "its words are there",
        share >= 0.9,
        "90 % of the paper's words or more",
        f"{share:.0%}",
        "75.docx",
        f"75.docx holds {share:.0%} of the paper's words.",
    )
    pairs, kept = (
        Counter(zip(source, source[1:], strict=False)),
        Counter(zip(found, found[1:], strict=False)),
    )
    order = sum((pairs & kept).values()) / len(source)
    case.expect(
        "in their order",
        order >= 0.75,
        "75 % of neighbours or more",
        f"{order:.0%}",
        "75.docx",
        f"75.docx keeps {order:.0%} of the paper's words beside their neighbours.",
    )
    case.expect(
        "nothing else",
        len(found) <= 1.5 * len(source),
        f"about {len(source)} words",
        len(found),
        "75.docx",
        f"75.docx holds {len(found)} words, the paper {len(source)}.",
    )


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
