# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Key facts of a company's page in a public encyclopedia, as a workbook."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "128"
TITLE = "A company's key facts from an encyclopedia"
CATEGORY = "text"
OUTPUTS = ["128.xlsx"]
STRENGTH = "partial"
NEEDS = (
    "It asks for a page of a public encyclopedia, which the sandbox cannot reach and which changes."
)
NOTE = "Without the page only the form can be judged: a table that names the company and holds five facts or more about it, a year among them. Whether the facts are right, or the page's, is not looked at."


def check(case: Case) -> None:
    import re

    table = tables.read(case, "128.xlsx")
    cells = [
        str(c).strip() for row in (table.columns, *table.rows) for c in row if c not in (None, "")
    ]
    text = " ".join(cells)
    case.expect(
        "about the company",
        re.search(r"面壁|modelbest", text, re.IGNORECASE),
        "its name",
        text[:80],
        "128.xlsx",
    )
    facts = max(len(table.rows), len(table.columns))
    case.expect("five facts or more", facts >= 5 and len(set(cells)) >= 8, "5", facts, "128.xlsx")
    case.expect("a year among them", re.search(r"20[12]\d", text), "a year", text[:80], "128.xlsx")


REFERENCE = {
    "cells": [
        "import urllib.request\nprint(urllib.request.urlopen('https://baike.baidu.com/item/面壁智能', timeout=20).status)"
    ],
    "answer": "The page cannot be reached from here, so no file was saved.",
}
WRONG = {
    "name-only": {
        "why": "saves the company's name and nothing else",
        "cells": [
            "import pandas as pd\npd.DataFrame({'name': ['面壁智能']}).to_excel('output/128.xlsx', index=False)"
        ],
        "answer": "Saved to ./output/128.xlsx.",
    },
    "made-up-frame": {
        "why": "saves headings without a fact below them",
        "cells": [
            "import pandas as pd\npd.DataFrame(columns=['Name', 'Founded', 'Founder', 'Address', 'Business']).to_excel('output/128.xlsx', index=False)"
        ],
        "answer": "Saved to ./output/128.xlsx.",
    },
}
