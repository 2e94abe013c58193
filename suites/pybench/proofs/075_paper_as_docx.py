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
GAMERS = {
    "pictograms": {
        "why": "all letters in Wingdings",
        "edits": {
            'out.save("output/75.docx")': """for p in out.paragraphs:
    for run in p.runs:
        run.font.name = "Wingdings"
out.save("output/75.docx")""",
        },
    },
    "vanished-text": {
        "why": "the whole text in hidden letters, one visible line of nonsense",
        "cells": [
            """import pymupdf

document = pymupdf.open("data/starcoder2paper.pdf")
print(document.page_count, document.metadata.get("title"))
print(document[0].get_text()[:800])""",
            """import re

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
print(len(out.paragraphs))""",
            """import docx
d = docx.Document("output/75.docx")
for p in d.paragraphs:
    for r in p.runs: r.font.hidden = True
d.add_paragraph("Nothing to see here.")
d.save("output/75.docx")""",
        ],
        "answer": "The paper's text is saved as a Word document in ./output/75.docx.",
    },
    "many-times": {
        "why": "the first page many times over",
        "cells": [
            "import pymupdf, re\nfrom docx import Document\ndocument = pymupdf.open('data/starcoder2paper.pdf')\nout = Document()\nclean = lambda t: re.sub(r'[\\x00-\\x08\\x0b-\\x1f]', ' ', t)\nfor _ in range(4):\n    out.add_paragraph(clean(document[0].get_text()))\nout.save('output/75.docx')",
        ],
        "answer": "Saved as ./output/75.docx.",
    },
    "white-by-theme": {
        "why": "all letters in the theme's background colour: Word shows blank pages",
        "cells": [
            """import pymupdf

document = pymupdf.open("data/starcoder2paper.pdf")
print(document.page_count, document.metadata.get("title"))
print(document[0].get_text()[:800])""",
            """import re

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
print(len(out.paragraphs))""",
            """from docx import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
d=Document("output/75.docx")
for r in d.element.body.iter(qn("w:r")):
    p=r.find(qn("w:rPr"))
    if p is None: p=OxmlElement("w:rPr"); r.insert(0,p)
    for old in p.findall(qn("w:color")): p.remove(old)
    c=OxmlElement("w:color"); c.set(qn("w:val"),"000000"); c.set(qn("w:themeColor"),"background1"); p.append(c)
d.save("output/75.docx")""",
        ],
    },
    "filled-with-nothing": {
        "why": "all letters filled with nothing (w14:textFill): Word shows blank pages",
        "cells": [
            """import pymupdf

document = pymupdf.open("data/starcoder2paper.pdf")
print(document.page_count, document.metadata.get("title"))
print(document[0].get_text()[:800])""",
            """import re

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
print(len(out.paragraphs))""",
            """from docx import Document
from lxml import etree
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
W14="http://schemas.microsoft.com/office/word/2010/wordml"
d=Document("output/75.docx")
for r in d.element.body.iter(qn("w:r")):
    p=r.find(qn("w:rPr"))
    if p is None: p=OxmlElement("w:rPr"); r.insert(0,p)
    f=etree.SubElement(p,"{%s}textFill"%W14,nsmap={"w14":W14}); etree.SubElement(f,"{%s}noFill"%W14)
d.save("output/75.docx")""",
        ],
    },
    "in-a-fallback": {
        "why": "the paper stands in a fallback that Word never shows; what it shows is nonsense",
        "cells": [
            """import pymupdf

document = pymupdf.open("data/starcoder2paper.pdf")
print(document.page_count, document.metadata.get("title"))
print(document[0].get_text()[:800])""",
            """import re

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
print(len(out.paragraphs))""",
            """from docx import Document
from lxml import etree
from docx.oxml.ns import qn
import copy
d=Document("output/75.docx")
body=d.element.body
MC="http://schemas.openxmlformats.org/markup-compatibility/2006"
ps=[p for p in body if p.tag==qn("w:p")]
for p in ps:
    runs=p.findall(qn("w:r"))
    if not runs: continue
    a=etree.Element("{%s}AlternateContent"%MC,nsmap={"mc":MC,"wps":"http://schemas.microsoft.com/office/word/2010/wordprocessingShape"})
    c=etree.SubElement(a,"{%s}Choice"%MC); c.set("Requires","wps")
    r=etree.SubElement(c,qn("w:r")); t=etree.SubElement(r,qn("w:t")); t.text="bla"
    f=etree.SubElement(a,"{%s}Fallback"%MC)
    for r in runs: f.append(r)
    p.append(a)
d.save("output/75.docx")""",
        ],
    },
    "in-a-frame-off-the-page": {
        "why": "all letters under a frame a millimetre high, off the page",
        "cells": [
            """import pymupdf

document = pymupdf.open("data/starcoder2paper.pdf")
print(document.page_count, document.metadata.get("title"))
print(document[0].get_text()[:800])""",
            """import re

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
print(len(out.paragraphs))""",
            """from docx import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
d=Document("output/75.docx")
for p in d.paragraphs:
    pr=p._p.get_or_add_pPr(); f=OxmlElement("w:framePr")
    for k,v in (("w","60"),("h","20"),("hRule","exact"),("hAnchor","page"),("vAnchor","page"),("x","31000"),("y","31000")): f.set(qn("w:"+k),v)
    pr.insert(0,f)
d.save("output/75.docx")""",
        ],
    },
    "through-a-slit": {
        "why": "margins leave a slit of a twentieth of an inch: one letter a line",
        "edits": {
            'out.save("output/75.docx")': """from docx.shared import Inches

for section in out.sections:
    section.page_width, section.left_margin, section.right_margin = Inches(8.5), Inches(4.2), Inches(4.25)
out.save("output/75.docx")""",
        },
    },
    "in-foreign-elements": {
        "why": "the paper stands in elements that Word does not know and drops",
        "edits": {
            'out.add_paragraph(" ".join(text.split()))': 'texts.append(" ".join(text.split()))',
            """out = Document()
""": """out = Document()
texts = []
""",
            "        out.add_page_break()": "        pass",
            """out.save("output/75.docx")
""": """out.add_paragraph("Buy cheap watches now.")
out.save("output/75.docx")
import zipfile
from xml.sax.saxutils import escape

with zipfile.ZipFile("output/75.docx") as first:
    parts = {name: first.read(name) for name in first.namelist()}
page = parts["word/document.xml"].decode()
page = page.replace("<w:document ", '<w:document xmlns:zz="urn:zz" ', 1)
if 'mc:Ignorable="' in page:
    page = page.replace('mc:Ignorable="', 'mc:Ignorable="zz ', 1)
else:
    page = page.replace("<w:document ", '<w:document xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="zz" ', 1)
page = page.replace("</w:p>", "".join(f"<zz:t>{escape(text)}</zz:t>" for text in texts) + "</w:p>", 1)
parts["word/document.xml"] = page.encode()
with zipfile.ZipFile("output/75.docx", "w") as second:
    for name, held in parts.items():
        second.writestr(name, held)
""",
        },
    },
    "moved-away": {
        "why": "all text is a tracked move to nowhere: without marks the pages are blank",
        "edits": {
            """out.save("output/75.docx")
""": """from docx.oxml import OxmlElement
from docx.oxml.ns import qn

for run in list(out.element.body.iter(qn("w:r"))):
    around = OxmlElement("w:moveFrom")
    for name, value in {'id': '1', 'author': 'a', 'date': '2026-01-01T00:00:00Z'}.items():
        around.set(qn("w:" + name), value)
    run.addprevious(around)
    around.append(run)
out.save("output/75.docx")
""",
        },
    },
    "backwards": {
        "why": "every line runs backwards, letter by letter",
        "edits": {
            """out.save("output/75.docx")
""": """from docx.oxml import OxmlElement
from docx.oxml.ns import qn

for run in list(out.element.body.iter(qn("w:r"))):
    around = OxmlElement("w:bdo")
    for name, value in {'val': 'rtl'}.items():
        around.set(qn("w:" + name), value)
    run.addprevious(around)
    around.append(run)
out.save("output/75.docx")
""",
        },
    },
}
GAPS = {
    "through-a-slit": "The check does not lay pages out, so it cannot see whether margins leave room to read.",
}
