# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Countries by region, and the outliers among their citations."""

import re

from runner.checks import Case
from runner.checks.data import tables

INDEX = "7"
TITLE = "Countries by region, citations of AI papers"
CATEGORY = "chart"
OUTPUTS = []
STRENGTH = "partial"
NOTE = "The counts are of all countries, outliers included. Outliers count as pointed out when the two that every rule finds are named, or the number that the 1.5 IQR fence or three standard deviations give. What else the answer says of the distribution is not looked at."

NAMES = {
    "United States": ["United States", "USA", "U.S.", "US", "美国"],
    "China": ["China", "中国"],
}

UNSPOKEN = re.compile(  # of outliers: that there are none, or that nobody looked
    r"\b(?:no|nothing|without|not any|no such)\s+(?:\w+\s+)?(?:outl|anomal|extreme)"
    r"|(?:\bnot|n't|\bnever)\s+(?:\w+\s+)?(?:look|search|check|test|examin)\w*\s+(?:\w+\s+){0,2}(?:outl|anomal|extreme)"
    r"|(?:没有|无|未)(?:发现|检查|查看|找)?(?:任何|明显)?的?(?:异常|离群|极端)"
)
LOW = re.compile(
    r"\b(?:least|fewest|lowest|bottom|low end|hardly (?:ever )?cited|rarely cited)\b|最少|最低|垫底"
)
HIGH = re.compile(r"\b(?:most|highest|top|high|above|more|far|beyond)\b|最多|最高|超过|远高")


def check(case: Case) -> None:
    from runner.checks.data import datasets
    from runner.checks.text import labelled_values

    rows = datasets.rows_of(tables.source(case.data / "AI Country rank 1996-2021.xlsx"))
    counts: dict = {}
    for row in rows:
        counts[row["Region"]] = counts.get(row["Region"], 0) + 1
    said = labelled_values.stretches(case.answer, {region: [region] for region in counts})
    for region, number in counts.items():
        labelled_values.expect_label(case, region, said[region], [(number, 0)])
    expect_outliers(case, rows)


def expect_outliers(case: Case, rows: list) -> None:
    from runner.checks.data import outliers
    from runner.checks.text import answers, labelled_values

    citations = {row["Country"]: float(row["Citations"]) for row in rows}
    spread = outliers.spread_of(list(citations.values()))
    fenced = [c for c, n in citations.items() if spread.is_beyond_fence(n)]
    remote = [c for c, n in citations.items() if spread.is_remote(n, 3)]
    named = [
        c
        for c in remote
        if any(labelled_values.mentions(case.answer, s) for s in NAMES.get(c, [c]))
    ]
    speaks = re.compile(
        r"outl|anomal|stand(?:s|ing)? (?:out|apart)|extreme|sigma|σ|fence|异常|离群|极端|突出"
    )
    sentences = [s for s in answers.sentences(case.answer) if speaks.search(s)]
    sentences = [s for s in sentences if not re.search(r"(?:\b\d{1,3}, ){5}", s)]  # guesses
    sentences = [s for s in sentences if not UNSPOKEN.search(s)]
    low = [s for s in sentences if LOW.search(s) and not HIGH.search(s)]
    case.expect(
        "outliers by many citations",
        not low,
        "cited most",
        low[:1],
        message="The answer calls the outliers those that are cited least.",
    )
    counts = [f.value for s in sentences for f in answers.numbers_in(s)]
    counted = len(counts) < 40 and any(len(group) in counts for group in (fenced, remote))
    impossible = [
        n for n in labelled_values.counted(" ".join(sentences), ["countries"]) if n > len(rows)
    ]
    case.expect(
        "number of outliers",
        not impossible,
        f"at most {len(rows)}",
        impossible[:2],
        message="The answer counts more outliers than there are countries.",
    )
    case.expect(
        "outliers pointed out",
        sentences and (len(named) == len(remote) or counted),
        f"{', '.join(remote)}, or how many there are ({len(fenced)} or {len(remote)})",
        ", ".join(named) or "none",
        "",
        "The answer does not point out the outliers of the citations.",
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_excel("data/AI Country rank 1996-2021.xlsx")
print(df.head())
print(df["Citations"].describe())
""",
        """
q1, q3 = df["Citations"].quantile([0.25, 0.75])
fence = q3 + 1.5 * (q3 - q1)
outliers = df[df["Citations"] > fence]
print(f"fence: {fence:.0f}")
print(f"outliers: {len(outliers)}")
print("names:", ", ".join(outliers["Country"]))
counts = df["Region"].value_counts()
print("\\n".join(f"{region}: {count}" for region, count in counts.items()))
print("lines:", " | ".join(f"{region}: {count}" for region, count in counts.items()))
""",
    ],
    "answer": "Citations are strongly skewed: «outliers» countries lie above the IQR fence of «fence» and are outliers: «names».\n\n«lines»",
}
WRONG = {
    "outliers-removed": {
        "why": "counts the countries after throwing the outliers away",
        "cells": [
            """
import pandas as pd

df = pd.read_excel("data/AI Country rank 1996-2021.xlsx")
q1, q3 = df["Citations"].quantile([0.25, 0.75])
fence = q3 + 1.5 * (q3 - q1)
out = df[df["Citations"] > fence]
print("names:", ", ".join(out["Country"]))
print("lines:", "; ".join(f"{r}: {c}" for r, c in df[df["Citations"] <= fence]["Region"].value_counts().items()))
"""
        ],
        "answer": "The outliers are «names».\n«lines»",
    },
    "documents-summed": {
        "why": "adds up documents by region instead of counting countries",
        "cells": [
            """
import pandas as pd

df = pd.read_excel("data/AI Country rank 1996-2021.xlsx")
print("lines:", "; ".join(f"{r}: {c}" for r, c in df.groupby("Region")["Documents"].sum().items()))
"""
        ],
        "answer": "The outliers are China and the United States.\n«lines»",
    },
    "no-outliers-named": {
        "why": "counts the countries and forgets the outliers",
        "cells": [
            """
import pandas as pd

df = pd.read_excel("data/AI Country rank 1996-2021.xlsx")
print("lines:", "; ".join(f"{r}: {c}" for r, c in df["Region"].value_counts().items()))
"""
        ],
        "answer": "«lines»",
    },
}
