# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Turn an untidy glossary into a sorted web page with links; terms repeat and lines are broken."""

import random
import re
from pathlib import Path

from runner.checks import Case
from runner.checks.text import documents, self_contained

TITLE = "A glossary as a web page"
CATEGORY = "text"
QUERY = """
./data/glossary.txt is a glossary that several people typed. An entry starts at the left margin as “term: definition” (sometimes with a dash “ - ” instead of the colon); a definition may go on in the following lines, which are indented. Lines starting with # and blank lines are to be ignored. Where a term occurs again (upper and lower case do not matter), its definition is appended to the first one with a space between, and the spelling of the first stays.

Please write ./output/glossary.html, a page with
- the title and one <h1>: «title»
- a <nav> with one link per term, in the order of the list, with the term as its text, pointing to the term's id
- one <dl> with a <dt> and a <dd> per term, sorted alphabetically without regard to case. The <dt> holds the term and has as id the term in lower case with spaces replaced by hyphens; the <dd> holds the definition with line breaks joined by single spaces.

Characters such as < and & must show as they are in the file. No scripts and nothing loaded from elsewhere.
"""
INPUTS = ["glossary.txt"]
OUTPUTS = ["glossary.html"]


ENTRIES = {
    "Ballast": "Weight that keeps a vessel upright, such as water, sand or lead.",
    "bill of lading": "The carrier's receipt for goods. It states what is shipped, by whom & to whom.",
    "Bow": "The front of a vessel; the opposite of the stern.",
    "cable length": "A tenth of a nautical mile, about 185 metres.",
    "Draught": "The depth of the keel below the water line; must stay < depth of the fairway.",
    "fathom": "Six feet, used for depths on older charts.",
    "Freeboard": "The height from the water line to the deck.",
    "galley": "The kitchen of a vessel.",
    "Hawser": "A thick rope for towing or mooring.",
    "keel": "The structural spine along the bottom of the hull.",
    "Knot": "One nautical mile per hour; also any way of tying a rope.",
    "leeward": "The side away from the wind.",
    "Plimsoll line": "The mark on the hull up to which a vessel may be loaded.",
    "rudder": "The blade at the stern that steers the vessel.",
    "Sextant": "An instrument that measures the angle between two objects, e.g. sun & horizon.",
    "tiller": "The bar by which a rudder is turned.",
    "Windlass": "A winch on deck that lifts the anchor.",
}
MORE = [
    "Compare the entry “keel”.",
    "Not to be used in reports.",
    "See also the harbour rules.",
    "Plural rare.",
]


def broken(rng: random.Random, text: str) -> str:
    """The text on one line or on several, the later ones indented."""
    words, lines, width = text.split(), [[]], rng.choice([30, 44, 200])
    for word in words:
        if sum(len(w) + 1 for w in lines[-1]) + len(word) > width:
            lines.append([])
        lines[-1].append(word)
    return ("\n" + rng.choice(["   ", "\t"])).join(" ".join(line) for line in lines)


def make_inputs(seed: int, data: Path) -> dict:
    rng = random.Random(seed)
    terms = rng.sample(list(ENTRIES), 13)
    written = [
        f"{term}{rng.choice([': ', ':  ', ' - '])}{broken(rng, ENTRIES[term])}" for term in terms
    ]
    written[0] = f"{terms[0]}: {broken(rng, ENTRIES[terms[0]])}"
    written[1] = f"{terms[1]} - {broken(rng, ENTRIES[terms[1]])}"
    for term in rng.sample(terms, 3):
        again = rng.choice([term.upper(), term.title(), term.lower()])
        written.append(f"{again}: {broken(rng, rng.choice(MORE))}")
    for note in ("# checked by the harbour office", "", "# TODO: pictures", ""):
        written.insert(rng.randrange(1, len(terms)), note)
    text = "# Glossary, collected 2019-2025\n\n" + "\n".join(written) + "\n"
    (data / "glossary.txt").write_text(text, "utf-8")
    return {"title": rng.choice(["Words of the Harbour", "Terms & Tides", "A Sailor's Glossary"])}


def entries_of(text: str) -> dict[str, tuple[str, str]]:
    """Lower-case term to its first spelling and its whole definition."""
    found: dict[str, tuple[str, str]] = {}
    current = ""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line[0] in " \t":
            term, definition = found[current]
            found[current] = (term, f"{definition} {line.strip()}")
            continue
        match = re.match(r"(.+?)(?::\s+| - )(.*)", line)
        current = match[1].lower()
        term, before = found.get(current, (match[1], ""))
        found[current] = (term, f"{before} {match[2].strip()}".strip())
    return found


def check(case: Case) -> None:
    file = "glossary.html"
    entries = entries_of((case.data / "glossary.txt").read_text("utf-8"))
    ordered = [entries[key] for key in sorted(entries)]
    ids = [key.replace(" ", "-") for key in sorted(entries)]
    soup = documents.html(case, file)

    def texts(selector: str) -> list[str]:
        with case.reading(file, "HTML"):
            return [documents.exact(element.get_text()) for element in soup.select(selector)]

    title = case.parameters["title"]
    case.equal("title", texts("title"), [title], file)
    case.equal("h1", texts("h1"), [title], file)
    case.equal("one list", len(soup.find_all("dl")), 1, file)
    case.equal("terms in order", texts("dl dt"), [term for term, _ in ordered], file)
    case.equal("ids", [str(dt.get("id")) for dt in soup.select("dl dt")], ids, file)
    case.equal("definitions", texts("dl dd"), [documents.exact(d) for _, d in ordered], file)
    links = [str(a.get("href")) for a in soup.select("nav a")]
    case.equal("links", links, [f"#{name}" for name in ids], file)
    case.equal("link texts", texts("nav a"), [term for term, _ in ordered], file)
    foreign = self_contained.foreign_parts(soup)
    case.equal("nothing loaded, no scripts", foreign, [], file)


REFERENCE = {
    "cells": [
        r"""
print(open("data/glossary.txt", encoding="utf-8").read())
""",
        r"""
import re

entries = {}
current = None
for line in open("data/glossary.txt", encoding="utf-8"):
    line = line.rstrip("\n")
    if not line.strip() or line.startswith("#"):
        continue
    if line[0] in " \t":
        entries[current][1].append(line.strip())
        continue
    term, definition = re.match(r"(.+?)(?::\s+| - )(.*)", line).groups()
    current = term.lower()
    entries.setdefault(current, (term, []))[1].append(definition.strip())
print(len(entries), entries)
""",
        r'''
from html import escape

title = escape("«title»")
keys = sorted(entries)
ids = {key: key.replace(" ", "-") for key in keys}
links = "\n".join(f'<li><a href="#{ids[k]}">{escape(entries[k][0])}</a></li>' for k in keys)
items = "\n".join(
    f'<dt id="{ids[k]}">{escape(entries[k][0])}</dt>\n<dd>{escape(" ".join(entries[k][1]))}</dd>' for k in keys
)
page = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>
<body><h1>{title}</h1>
<nav><ul>
{links}
</ul></nav>
<dl>
{items}
</dl>
</body></html>
"""
open("output/glossary.html", "w", encoding="utf-8").write(page)
print(page[:600])
''',
    ],
    "answer": "The glossary page is saved as ./output/glossary.html.",
}
WRONG = {
    "upper-case-first": {
        "why": "sorts by code point, so that capitals come before small letters",
        "cells": [
            r"""
import re
from html import escape

entries = {}
for line in open("data/glossary.txt", encoding="utf-8"):
    line = line.rstrip("\n")
    if not line.strip() or line.startswith("#"):
        continue
    if line[0] in " \t":
        entries[current][1].append(line.strip())
        continue
    term, definition = re.match(r"(.+?)(?::\s+| - )(.*)", line).groups()
    current = term.lower()
    entries.setdefault(current, (term, []))[1].append(definition.strip())
title = escape("«title»")
rows = sorted(entries.values())
slug = lambda t: t.lower().replace(" ", "-")
links = "".join(f'<a href="#{slug(t)}">{escape(t)}</a>' for t, _ in rows)
items = "".join(f'<dt id="{slug(t)}">{escape(t)}</dt><dd>{escape(" ".join(d))}</dd>' for t, d in rows)
open("output/glossary.html", "w", encoding="utf-8").write(f'<!doctype html><html><head><meta charset="utf-8"><title>{title}</title></head><body><h1>{title}</h1><nav>{links}</nav><dl>{items}</dl></body></html>')
"""
        ],
        "answer": "The page is saved.",
    },
    "second-definition-wins": {
        "why": "a term that occurs again overwrites the first definition",
        "cells": [
            r"""
import re
from html import escape

entries = {}
for line in open("data/glossary.txt", encoding="utf-8"):
    line = line.rstrip("\n")
    if not line.strip() or line.startswith("#"):
        continue
    if line[0] in " \t":
        entries[current][1].append(line.strip())
        continue
    term, definition = re.match(r"(.+?)(?::\s+| - )(.*)", line).groups()
    current = term.lower()
    entries[current] = (entries.get(current, (term,))[0], [definition.strip()])
title = escape("«title»")
rows = [entries[k] for k in sorted(entries)]
slug = lambda t: t.lower().replace(" ", "-")
links = "".join(f'<a href="#{slug(t)}">{escape(t)}</a>' for t, _ in rows)
items = "".join(f'<dt id="{slug(t)}">{escape(t)}</dt><dd>{escape(" ".join(d))}</dd>' for t, d in rows)
open("output/glossary.html", "w", encoding="utf-8").write(f'<!doctype html><html><head><meta charset="utf-8"><title>{title}</title></head><body><h1>{title}</h1><nav>{links}</nav><dl>{items}</dl></body></html>')
"""
        ],
        "answer": "The page is saved.",
    },
    "dash-entries-lost": {
        "why": "knows only the colon, so that entries with a dash run into the one before",
        "cells": [
            r"""
from html import escape

entries = {}
for line in open("data/glossary.txt", encoding="utf-8"):
    if not line.strip() or line.startswith("#"):
        continue
    if line[0] in " \t" or ":" not in line:
        entries[current][1].append(line.strip())
        continue
    term, definition = line.split(":", 1)
    current = term.lower()
    entries.setdefault(current, (term, []))[1].append(definition.strip())
title = escape("«title»")
rows = [entries[k] for k in sorted(entries)]
slug = lambda t: t.lower().replace(" ", "-")
links = "".join(f'<a href="#{slug(t)}">{escape(t)}</a>' for t, _ in rows)
items = "".join(f'<dt id="{slug(t)}">{escape(t)}</dt><dd>{escape(" ".join(d))}</dd>' for t, d in rows)
open("output/glossary.html", "w", encoding="utf-8").write(f'<!doctype html><html><head><meta charset="utf-8"><title>{title}</title></head><body><h1>{title}</h1><nav>{links}</nav><dl>{items}</dl></body></html>')
"""
        ],
        "answer": "The page is saved.",
    },
}
