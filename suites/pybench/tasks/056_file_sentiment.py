# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Sentiment of a file of news on the whole: positive or negative."""

import re

from runner.checks import Case

INDEX = "56"
TITLE = "The mood of a whole file"
CATEGORY = "text"
OUTPUTS = []
GUESSABLE = "One of two words is asked for; that the figure beside it was counted is not seen."
NOTE = "The query joins the two words by “and”; it is read as asking which of them holds for the file as a whole. The answer must give counts or a score beside the word. Where a word list of the check's own finds neither side ahead by a fifth, either is accepted."

GOOD = [
    "good",
    "great",
    "best",
    "win",
    "won",
    "wins",
    "success",
    "successful",
    "growth",
    "grow",
    "rise",
    "rose",
    "gain",
    "gains",
    "strong",
    "better",
    "improve",
    "improved",
    "improvement",
    "award",
    "praise",
    "praised",
    "boost",
    "record",
    "hope",
    "happy",
    "profit",
    "benefit",
    "positive",
    "love",
    "celebrate",
    "celebrated",
    "support",
    "safe",
    "peace",
    "excellent",
    "popular",
    "welcome",
]
BAD = [
    "bad",
    "worse",
    "worst",
    "lose",
    "lost",
    "loss",
    "losses",
    "fail",
    "failed",
    "failure",
    "fall",
    "fell",
    "drop",
    "decline",
    "weak",
    "crisis",
    "fear",
    "fears",
    "war",
    "attack",
    "attacks",
    "death",
    "dead",
    "killed",
    "kill",
    "injured",
    "crime",
    "fraud",
    "problem",
    "problems",
    "risk",
    "warn",
    "warned",
    "warning",
    "threat",
    "threats",
    "concern",
    "concerns",
    "negative",
    "anger",
    "angry",
    "sad",
    "disaster",
    "cut",
    "cuts",
    "damage",
    "hurt",
    "guilty",
]


def make_inputs(seed, data) -> dict:
    """Made-up headlines, two thirds of them glad."""
    import csv
    import random

    rng = random.Random(seed)
    glad = [
        "Team celebrated a great win after strong growth",
        "New hospital wing is a success, staff praised",
        "Record harvest, farmers happy with the best year",
        "Museum wins award and popular support",
    ]
    sad = [
        "Factory closes after heavy losses, workers angry",
        "Storm damage feared, flood warning issued",
        "Fraud case: bank director guilty",
        "Train failure hurt commuters again",
    ]
    with (data / "bbc_data.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["data", "labels"])
        for number in range(240):
            writer.writerow(
                [
                    rng.choice(glad if number % 3 else sad) + f" (item {number}).",
                    rng.choice(["sport", "business"]),
                ]
            )
    return {}


def balance(path) -> float:
    """Glad words less sad words over both, −1 to 1, in the whole file."""
    import re

    words = re.findall(r"[a-z]+", path.read_text("utf-8", "replace").lower())
    good, bad = sum(w in GOOD for w in words), sum(w in BAD for w in words)
    return (good - bad) / max(1, good + bad)


CONCEDED = re.compile(  # a clause that grants something and concludes nothing
    r"[,，]?\s*(?:\b(?:even though|although|though|despite|while)\b|虽然|尽管|即使)[^.,，。\n]*"
)


def check(case: Case) -> None:
    from runner.checks.text import labelled_values

    score = balance(case.data / "bbc_data.csv")
    right = (
        ["positive", "negative"] if abs(score) < 0.2 else ["positive" if score > 0 else "negative"]
    )
    labelled_values.require_answer(case)
    text = re.sub(r"[\"'“”‘’{}\[\]]", "", labelled_values.prepared(case.answer))
    text = CONCEDED.sub(" ", text)
    sides = {"positive": "积极|正面", "negative": "消极|负面"}
    verdicts = [
        side
        for side, chinese in sides.items()
        if re.search(
            rf"(?:overall|whole|file|dataset|sentiment|it|data|text)[^.\n]{{0,60}}\b(?:is|was|are|as|be|being|leans?|:)\s+(?:(?:overall|mostly|mainly|predominantly|generally|largely|on the whole|slightly|clearly|therefore|more|considered)\s+)*{side}\b|整[体个][^。\n]{{0,20}}({chinese})",
            text,
        )
        or re.match(
            rf"\W*(?:(?:overall|mostly|mainly)\W+)?{side}\b(?!\s*(?:and|or|/|,?\s*(?:\w+\s+)?(?:texts|entries|articles|rows|words|scores?\b|:)))",
            text,
        )
    ]
    case.expect(
        "answer: one verdict",
        len(verdicts) == 1,
        "one of the two",
        ", ".join(verdicts) or "none",
        message="The answer does not settle on one of the two for the whole file.",
    )
    case.expect(
        "answer: the right one",
        len(verdicts) == 1 and verdicts[0] in right,
        " or ".join(right),
        ", ".join(verdicts) or "none",
    )
    figures = re.findall(r"\d+(?:\.\d+)?", text)
    candidates = re.search(r"\d\s*(?:or|或|/)\s*\d[\d.,]*\s*(?:or|或|/)", text)
    case.expect(
        "answer: one figure each",
        not candidates,
        "no alternatives",
        candidates[0] if candidates else "none",
        message="The answer offers several figures for one count.",
    )
    case.expect(
        "answer: rests on figures",
        1 <= len(set(figures)) <= 20,
        "a score or counts",
        ", ".join(figures[:6]) or "no figure",
        message="The answer gives no figure that its verdict rests on.",
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/bbc_data.csv")
print(df.shape, df.columns.tolist())
print(df.head())
""",
        """
import re

good = set("good great best win won success growth strong praised award happy record popular celebrated support gain improve".split())
bad = set("bad losses loss angry damage feared fraud guilty failure hurt fell crisis death killed warning problem decline".split())
column = df.select_dtypes(exclude="number").apply(lambda s: s.astype(str).str.len().mean()).idxmax()


def score(text):
    words = re.findall(r"[a-z]+", str(text).lower())
    return sum(w in good for w in words) - sum(w in bad for w in words)


scores = df[column].map(score)
print("glad:", int((scores > 0).sum()))
print("sad:", int((scores < 0).sum()))
print("verdict:", "positive" if (scores > 0).sum() >= (scores < 0).sum() else "negative")
""",
    ],
    "answer": "By a word list, «glad» entries are on the glad side and «sad» on the other: the whole file is «verdict».",
}
WRONG = {
    "both-words": {
        "why": "names both sides and settles on none",
        "cells": [],
        "answer": "The file contains both positive and negative texts: 120 positive and 120 negative.",
    },
    "other-side": {
        "why": "reads the score's sign the wrong way round",
        "cells": [],
        "answer": "With an average score of -0.31 the whole file is negative.",
    },
    "bare-guess": {
        "why": "guesses without having counted anything",
        "cells": [],
        "answer": "The overall sentiment is positive.",
    },
}
