# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Comparison of the genders by how often their nominations win."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "39"
TITLE = "Winning an award, by gender"
CATEGORY = "chart"
OUTPUTS = []
NOTE = "Over all nominations men win slightly more often, whichever rows with nulls are dropped. Kept to the acting categories both have the same number of wins and nearly the same rate: that they are about equal is accepted with the figures of those. Rates or numbers of wins must be given for both."

WORDS = {
    "male": ["male", "males", "men", "man", "male actors", "actors (male)", "男", "男性"],
    "female": [
        "female",
        "females",
        "women",
        "woman",
        "actress",
        "actresses",
        "female actors",
        "女",
        "女性",
    ],
}

LOSS = (  # behind “more likely”, in the same clause
    r"(?: chances?| odds| probability)?(?: to| of)? (?:not\b(?![^.\n]{0,24}(?:without|empty|los[ei]))|los[ei]|fail|miss|be (?:passed|overlooked|denied|left out)"
    r"|(?:go|go away|walk|walk away|leave|leav|go home|end up|be|remain|stay|come home|return)(?:ing)? [^.,;\n]{0,16}?(?:without|empty|unrewarded))"
)


def check(case: Case) -> None:
    from runner.checks.text import labelled_values

    labelled_values.require_answer(case)
    equal = is_called_equal(case.answer)
    claim = "equal" if equal else claimed(case.answer)
    case.demand(
        "conclusion",
        claim in ("male", "equal"),
        "male (or equal, among actors alone)",
        claim or "none",
        "",
        "The answer does not conclude that men are the more likely to win.",
    )
    everyone, acting = winners(case)
    variants = acting if equal else [*everyone, *acting]
    told = max(
        (
            [g for g in WORDS if any(is_told(v[g], v, numbers[g]) for v in variants)]
            for numbers in bindings(case.answer)
        ),
        key=len,
    )
    case.expect(
        "figures of both",
        len(told) == 2,
        "rates or numbers of wins of men and of women",
        ", ".join(told) or "none",
        "",
        "The answer lacks right figures (rate of winning, or number of wins) for both genders.",
    )


def bindings(answer: str) -> list:
    """The ways in which the answer's numbers may belong to the genders."""
    from runner.checks.text import labelled_values

    said = labelled_values.claims(answer, WORDS)
    is_direct = all(any(one.is_direct for one in said[g]) for g in WORDS)
    after = numbers_after(answer)
    if is_direct:
        return [after]
    beside = labelled_values.beside(answer, WORDS)
    nearest = {g: [value for one in beside[g] for value in one.values] for g in WORDS}
    return [after, numbers_before(answer), nearest]


def numbers_after(answer: str) -> dict:
    """By gender, the numbers between a mention of it and the next mention of a gender."""
    from runner.checks.text import labelled_values

    said = labelled_values.stretches(answer, WORDS)
    return {
        g: [f.value for text in said[g] for f in labelled_values.numbers_in(text)] for g in WORDS
    }


def numbers_before(answer: str) -> dict:
    """By gender, the numbers between the mention of a gender before it and a mention of it."""
    from runner.checks.text import labelled_values

    text = labelled_values.prepared(answer, WORDS)
    found: dict = {g: [] for g in WORDS}
    last = 0
    for start, end, gender in labelled_values.places_of(text, WORDS):
        found[gender] += [f.value for f in labelled_values.numbers_in(text[last:start])]
        last = end
    return found


def winners(case: Case) -> tuple:
    """{gender: (wins, nominations)} for ways of dropping nulls: of all, and of acting categories."""
    from runner.checks.data import datasets
    from runner.checks.values import is_blank

    source = tables.source(case.data / "oscars.xlsx")
    rows = [
        row
        for row in datasets.rows_of(source)
        if not is_blank(row["gender"]) and not is_blank(row["winner"])
    ]
    complete = [row for row in rows if not any(is_blank(value) for value in row.values())]
    once = [dict(items) for items in dict.fromkeys(tuple(row.items()) for row in complete)]
    spelled = [
        [row for row in some if str(row["gender"]) in ("Male", "Female")]
        for some in (rows, complete, once)
    ]

    def count(some: list) -> dict:
        found = {}
        for gender in WORDS:
            own = [
                float(row["winner"]) for row in some if str(row["gender"]).strip().lower() == gender
            ]
            found[gender] = (sum(own), len(own))
        return found

    every = [rows, complete, once, *spelled]
    acting = [
        [
            row
            for row in some
            if any(w in str(row["Category"]).lower() for w in ("actor", "actress"))
        ]
        for some in every
    ]
    return [count(some) for some in every], [count(some) for some in acting]


def is_told(one: tuple, both: dict, numbers: list) -> bool:
    """True if the answer gives the number of wins, their rate, or their share of all wins."""
    wins, nominations = one
    shares = [wins / nominations, wins / sum(w for w, _ in both.values())]
    near = [(wins, 0)] + [(100 * s, 0.0501) for s in shares] + [(s, 0.00051) for s in shares]
    return any(abs(n - value) <= off for n in numbers for value, off in near)


def is_called_equal(answer: str) -> bool:
    import re

    return bool(
        re.search(
            r"equally likely|(about|nearly|almost|roughly|virtually) (equal|the same|identical)|no (significant|meaningful|real) difference",
            answer,
            re.IGNORECASE,
        )
    )


def claimed(answer: str) -> str:
    """The gender that the answer concludes on; "" when it names both or none."""
    from runner.checks.text import conclusions, labelled_values

    text = labelled_values.prepared(answer)
    end = conclusions.concluded(text)
    compared = (compared_in(end) or {g for _, _, g in named_in(end)}) if end else set()
    compared = compared or compared_in(text)
    if not compared:
        opening = [label for start, _, label in labelled_values.places_of(text, WORDS) if start < 4]
        named = {g for _, _, g in named_in(text)}
        compared = set(opening) or named
    return compared.pop() if len(compared) == 1 else ""


def named_in(text: str) -> list:
    """(start, end, gender) of each mention."""
    from runner.checks.text import labelled_values

    return labelled_values.places_of(text, WORDS)


def compared_in(text: str) -> set:
    """The genders next to every “more likely”; those of its own clause, if any has one."""
    import re

    places = named_in(text)
    found: dict = {True: set(), False: set()}  # by whether the clause names the gender itself
    for match in re.finditer(
        r"more likely|likelier|higher|greater|better chance|more often|more frequently|won more|more oscars|more wins|更",
        text,
    ):
        before = [
            (end, g)
            for _, end, g in places
            if 0 <= match.start() - end <= 90
            and not re.search(r"[.\n]\s|\bthan\b", text[end : match.start()])
        ]
        after = [(start, g) for start, _, g in places if 0 <= start - match.end() <= 60]
        sentence = [(e, g) for e, g in before if not re.search(r"[.!?\n]", text[e : match.start()])]
        if sentence:
            gender, is_own = first_of(sentence, text, match.start())
            is_loss = re.match(LOSS, text[match.end() :])
            found[is_own].add(next(g for g in WORDS if g != gender) if is_loss else gender)
        elif after and not re.match(r"[^.\n]*\?", text[match.end() :]):
            found[True].add(after[0][1])
    return found[True] or found[False]


def first_of(before: list, text: str, until: int) -> tuple:
    """The gender named first since the last comma or bracket and True, else the nearest one."""
    start = max(text.rfind(mark, 0, until) for mark in (",", "(", ";", "\n", ":"))
    clause = [g for end, g in before if end > start]
    return (clause[0], True) if clause else (before[-1][1], False)


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_excel("data/oscars.xlsx")
print(df.shape)
print(df.isna().sum())
print(df["gender"].value_counts(dropna=False))
""",
        """
clean = df.dropna(subset=["gender", "name", "winner"]).copy()
clean["gender"] = clean["gender"].str.strip().str.title()
stats = clean.groupby("gender")["winner"].agg(["sum", "count", "mean"])
print(stats)
for gender in stats.index:
    print(f"{gender}_rate: {100 * stats.loc[gender, 'mean']:.1f}")
    print(f"{gender}_wins: {stats.loc[gender, 'sum']:.0f}")
    print(f"{gender}_all: {stats.loc[gender, 'count']}")
""",
    ],
    "answer": "After removing the rows with nulls, men won «Male_wins» of «Male_all» nominations («Male_rate» %) and women «Female_wins» of «Female_all» («Female_rate» %). Male nominees are therefore slightly more likely to win an Oscar.",
}
WRONG = {
    "female-by-misspelling": {
        "why": "takes the one row spelled “female”, which won, for a rate of 100 %",
        "cells": [
            """
import pandas as pd

df = pd.read_excel("data/oscars.xlsx").dropna(subset=["gender", "winner"])
rate = df.groupby("gender")["winner"].mean()
print("best:", rate.idxmax())
print(f"rate: {100 * rate.max():.1f}")
"""
        ],
        "answer": "With a win rate of «rate» %, «best» actors are more likely to win an Oscar.",
    },
    "no-figures": {
        "why": "gives the right word without any analysis",
        "cells": [],
        "answer": "Male actors are more likely to win an Oscar.",
    },
    "losers-counted": {
        "why": "counts nominations that did not win",
        "cells": [
            """
import pandas as pd

df = pd.read_excel("data/oscars.xlsx").dropna()
lost = df[df["winner"] == 0]["gender"].value_counts(normalize=True)
print(f"m: {100 * lost['Male']:.2f}")
print(f"f: {100 * lost['Female']:.2f}")
"""
        ],
        "answer": "Male actors are more likely to win: they have «m» % of the results, female actors «f» %.",
    },
    "women-concluded": {
        "why": "computes the rates and draws the opposite conclusion",
        "cells": [
            """
import pandas as pd

df = pd.read_excel("data/oscars.xlsx").dropna()
rate = df.groupby("gender")["winner"].mean()
print(f"m: {100 * rate['Male']:.2f}")
print(f"f: {100 * rate['Female']:.2f}")
"""
        ],
        "answer": "The win rate is «m» % for men and «f» % for women, who are fewer. Female actors are more likely to win an Oscar.",
    },
}
