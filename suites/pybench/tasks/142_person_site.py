# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A web site about a researcher, made from a document about him."""

from runner.checks import Case
from runner.checks.programs import web_pages

INDEX = "142"
TITLE = "A researcher's web site"
CATEGORY = "software"
OUTPUTS = ["142"]
STRENGTH = "partial"
BROWSER = True
NOTE = "The document was never published, so the proof runs on a stand-in of our own. The site must open without an error, be titled and look otherwise than without a style, have parts and headings, and show at least eight of the years and names of the document; its pages count together. Its looks are not judged."


def make_inputs(seed, data) -> dict:
    """A two-page stand-in with plain facts in our own words."""
    import pymupdf

    lines = [
        "Geoffrey Hinton",
        "Born in 1947 in Wimbledon. Studied at King's College, Cambridge until 1970.",
        "Doctorate at the University of Edinburgh in 1978.",
        "Worked at Carnegie Mellon University from 1982 to 1987.",
        "Moved to the University of Toronto in 1987.",
        "Known for Boltzmann Machines in 1985, Backpropagation in 1986, AlexNet in 2012,",
        "Capsule Networks in 2017 and the Forward Algorithm in 2022.",
        "Founded the Gatsby Unit at University College London in 1998.",
        "Joined Google Brain in 2013 and left in 2023.",
        "Turing Award in 2018. Nobel Prize in Physics in 2024.",
    ]
    with pymupdf.open() as document:
        for part in (lines[:6], lines[6:]):
            page = document.new_page()
            for place, line in enumerate(part):
                page.insert_text((60, 80 + 22 * place), line, fontsize=11)
        document.set_metadata({})
        document.save(data / "Geoffrey Hinton.pdf", no_new_id=True)
    return {}


def facts_of(path) -> list:
    """Years and proper names of two words or more, in the document's order."""
    import re

    import pymupdf

    with pymupdf.open(path) as document:
        text = " ".join(page.get_text() for page in document)
    names = re.findall(r"\b(?:[A-Z][a-z]+(?: of| in)? ){1,3}[A-Z][a-z]+\b", " ".join(text.split()))
    years = re.findall(r"\b(?:19|20)\d\d\b", text)
    found = [name for name in names if "Hinton" not in name] + years
    return list(dict.fromkeys(found))[:80]


def check(case: Case) -> None:
    files = web_pages.html_files(case, "142")
    facts = facts_of(case.data / "Geoffrey Hinton.pdf")
    names = ["Geoffrey Hinton", "Hinton"]
    web_pages.expect_site(case, files, names, facts, min(8, len(facts)))


REFERENCE = {
    "cells": [
        """
import pymupdf

with pymupdf.open("data/Geoffrey Hinton.pdf") as document:
    text = "\\n".join(page.get_text() for page in document)
print(text[:3000])
""",
        '''
from html import escape
from pathlib import Path

folder = Path("output/142")
folder.mkdir(parents=True, exist_ok=True)
sentences = [s.strip() for s in " ".join(text.split()).split(". ") if s.strip()]
items = "".join(f"<li>{escape(s)}</li>" for s in sentences)
(folder / "index.html").write_text(f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Geoffrey Hinton</title>
<style>
body {{ margin: 0; font-family: Georgia, serif; color: #222; line-height: 1.6; }}
header {{ background: #1f2d3d; color: #fff; padding: 3rem 2rem; }}
header h1 {{ margin: 0; }}
nav {{ background: #eef1f5; padding: .7rem 2rem; }}
nav a {{ margin-right: 1.2rem; color: #1f2d3d; }}
section {{ max-width: 46rem; margin: 0 auto; padding: 1.5rem 2rem; }}
li {{ margin: .3rem 0; }}
footer {{ background: #eef1f5; padding: 1rem 2rem; font-size: .9rem; }}
</style>
</head>
<body>
<header><h1>Geoffrey Hinton</h1><p>Researcher in neural networks</p></header>
<nav><a href="#life">Life</a><a href="#work">Work</a><a href="#awards">Awards</a></nav>
<section id="life"><h2>Life and work</h2><ul>{items}</ul></section>
<section id="work"><h2>Ideas</h2><p>Learning by example, in layers.</p></section>
<section id="awards"><h2>Awards</h2><p>See the list above.</p></section>
<footer><h3>About this page</h3><p>Made from the document given.</p></footer>
</body>
</html>
""", "utf-8")
''',
    ],
    "answer": "The site is in ./output/142/index.html; its facts come from the PDF.",
}
WRONG = {
    "name-only": {
        "why": "a page with his name and nothing of the document",
        "cells": [
            """
import os
os.makedirs("output/142", exist_ok=True)
open("output/142/index.html", "w").write("<!doctype html><html><head><title>Geoffrey Hinton</title></head><body><h1>Geoffrey Hinton</h1><p>Welcome to my website.</p></body></html>")
""",
        ],
        "answer": "The website is saved in ./output/142/index.html.",
    },
    "folder-only": {
        "why": "makes the folder and stops there",
        "cells": ["import os\nos.makedirs('output/142', exist_ok=True)"],
        "answer": "I created the folder ./output/142 and designed the website.",
    },
    "unstyled-dump": {
        "why": "dumps the document's text as one paragraph, with no parts and no style",
        "cells": [
            """
import os, pymupdf
os.makedirs("output/142", exist_ok=True)
text = " ".join(page.get_text() for page in pymupdf.open("data/Geoffrey Hinton.pdf"))
open("output/142/index.html", "w").write(f"<html><head><title>Geoffrey Hinton</title></head><body><p>{text}</p></body></html>")
""",
        ],
        "answer": "The website is saved in ./output/142/index.html.",
    },
}
