# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "pdf2docx": {
        "why": "pdf2docx, which runs words together",
        "cells": [
            """from pdf2docx import Converter
converter = Converter('data/starcoder2paper.pdf')
converter.convert('output/75.docx')
converter.close()""",
        ],
        "answer": "Saved as ./output/75.docx.",
    },
    "line-by-line": {
        "why": "a paragraph for each line",
        "cells": [
            "import pymupdf, re\nfrom docx import Document\ndocument = pymupdf.open('data/starcoder2paper.pdf')\nout = Document()\nclean = lambda t: re.sub(r'[\\x00-\\x08\\x0b-\\x1f]', ' ', t)\nfor page in document:\n    for line in page.get_text().splitlines():\n        out.add_paragraph(clean(line))\nout.save('output/75.docx')",
        ],
        "answer": "Saved as ./output/75.docx.",
    },
}
NEAR_MISSES = {
    "pages-reversed": {
        "why": "the pages in reverse order",
        "cells": [
            "import pymupdf, re\nfrom docx import Document\ndocument = pymupdf.open('data/starcoder2paper.pdf')\nout = Document()\nclean = lambda t: re.sub(r'[\\x00-\\x08\\x0b-\\x1f]', ' ', t)\nfor page in list(document)[::-1]:\n    out.add_paragraph(clean(page.get_text()))\nout.save('output/75.docx')",
        ],
        "answer": "Saved as ./output/75.docx.",
    },
    "half": {
        "why": "every other page",
        "cells": [
            "import pymupdf, re\nfrom docx import Document\ndocument = pymupdf.open('data/starcoder2paper.pdf')\nout = Document()\nclean = lambda t: re.sub(r'[\\x00-\\x08\\x0b-\\x1f]', ' ', t)\nfor page in list(document)[::2]:\n    out.add_paragraph(clean(page.get_text()))\nout.save('output/75.docx')",
        ],
        "answer": "Saved as ./output/75.docx.",
    },
    "words-sorted": {
        "why": "the paper's words in the order of the alphabet",
        "cells": [
            "import pymupdf, re\nfrom docx import Document\ndocument = pymupdf.open('data/starcoder2paper.pdf')\nout = Document()\nclean = lambda t: re.sub(r'[\\x00-\\x08\\x0b-\\x1f]', ' ', t)\nout.add_paragraph(' '.join(sorted(clean(' '.join(p.get_text() for p in document)).split())))\nout.save('output/75.docx')",
        ],
        "answer": "Saved as ./output/75.docx.",
    },
    "without-its-first-page": {
        "why": "leaves out the first page",
        "cells": [
            """from pypdf import PdfReader
from docx import Document
import re
r = PdfReader("data/starcoder2paper.pdf"); doc = Document()
for i in range(1, len(r.pages)):
    doc.add_paragraph(re.sub(r"[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\ud800-\\udfff]", "", r.pages[i].extract_text()))
    doc.add_page_break()
doc.save("output/75.docx")
"""
        ],
        "answer": "The file has been converted and saved to ./output/75.docx.",
    },
}
