# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The network that broadcast the most games, of which there are two."""

import re

from runner.checks import Case
from runner.checks.data import tables

INDEX = "27"
TITLE = "转播次数最多的电视网"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "Two networks tie for the most broadcasts: the answer must name both. Others may be named only with their own, smaller number. The two files hold the same rows, which count once."

TIES = re.compile(
    r"并列|相同|同样|一样|都是|均|各|平手|持平|\btie|\btying|\bboth\b|\beach\b|\bequal",
    re.IGNORECASE,
)
CONCLUDES = re.compile(
    r"因此|所以|综上|结论|最终|答案|总之|胜出|更多|"
    r"\btherefore\b|\bthus\b|\bhence\b|\bso\b|\bconclusion\b|\boverall\b|\bfinal|\bwin|\banswer",
    re.IGNORECASE,
)

SECOND = re.compile(  # the next best, which one that ties is not
    r"(?:其次|次之|第二|排在后面|\bfollowed by|\bsecond|\brunner-?up|\bnext\b)([^。.;；\n]{0,20})",
    re.IGNORECASE,
)


def check(case: Case) -> None:
    from collections import Counter

    from runner.checks.text import answers, labelled_values

    counts = Counter(str(value) for value in tables.source(case.data / "tv.csv").column("network"))
    most = max(counts.values())
    tied = [name for name, number in counts.items() if number == most]
    said = labelled_values.stretches(case.answer, {name: [name] for name in counts})
    named = [name for name in tied if said[name]]
    case.expect(
        "all that tie named",
        len(named) == len(tied),
        " and ".join(tied),
        ", ".join(named) or "none",
        "",
        f"The answer names {', '.join(named) or 'none'} of the networks that tie: {' and '.join(tied)}.",
    )
    labelled_values.require_answer(case)
    everything = {float(sum(counts.values())), 2.0, 52.0}
    told = [
        value
        for name in tied
        for claim in labelled_values.claims(
            case.answer, {n: [n] for n in counts}, besides=everything
        )[name]
        for value in claim.values
    ]
    wrong = [n for n in told if n != most]
    case.expect(
        "number of each that ties",
        not wrong,
        f"{most}",
        wrong[:3] or "right or none",
        "",
        f"The answer gives {wrong[0] if wrong else 0:g} broadcasts for a network that had {most}.",
    )
    expect_tie(case, tied, most, told)
    for name in set(counts) - set(tied):
        right = [(counts[name], 0)]
        firsts = [f[0].value for text in said[name] if (f := answers.numbers_in(text))]
        good = not said[name] or any(labelled_values.is_accepted(value, right) for value in firsts)
        case.expect(
            f"{name} not among them",
            good,
            f"not named, or with {counts[name]}",
            firsts[:2] or "named",
            "",
            f"The answer names {name} without saying that it had {counts[name]} broadcasts only.",
        )


def expect_tie(case: Case, tied: list, most: int, told: list) -> None:
    """The answer says that they tie, or how often each broadcast, and concludes with no one alone."""
    from runner.checks.text import answers, labelled_values

    tie = TIES.search(case.answer)
    case.expect(
        "tie told",
        bool(tie) or bool(told),
        f"that they tie, or {most} for each",
        "told" if tie or told else "not told",
        "",
        "The answer does not say that the networks tie, nor how often they broadcast.",
    )
    ends = [
        [name for name in tied if labelled_values.mentions(sentence, name)]
        for sentence in answers.sentences(case.answer)
        if CONCLUDES.search(sentence) and not TIES.search(sentence)
    ]
    alone = next((names[0] for names in ends if len(names) == 1), "")
    alone = alone or next(
        (
            name
            for name in tied
            if any(
                labelled_values.mentions(match[1], name) for match in SECOND.finditer(case.answer)
            )
        ),
        "",
    )
    case.expect(
        "no conclusion of one alone",
        not alone,
        "both, or neither",
        alone or "as expected",
        "",
        f"The answer concludes with {alone} alone, which ties with another network.",
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

x, c = pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")
print(x.equals(c))
counts = c["network"].value_counts()
print(counts)
""",
        """
print("most:", counts.max())
print("names:", " 和 ".join(counts[counts == counts.max()].index))
""",
    ],
    "answer": "«names» 并列最多，各转播了 «most» 次超级碗。",
}
WRONG = {
    "tie-ignored": {
        "why": "names the first of the two that tie",
        "cells": [
            """
import pandas as pd

counts = pd.read_csv("data/tv.csv")["network"].value_counts()
print("name:", counts.idxmax())
print("most:", counts.max())
"""
        ],
        "answer": "«name» 获得超级碗转播的次数最多，共 «most» 次。",
    },
    "by-viewers": {
        "why": "takes the network with the most viewers on average",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/tv.csv")
print("name:", df.groupby("network")["avg_us_viewers"].mean().idxmax())
"""
        ],
        "answer": "«name» 获得超级碗转播的次数最多。",
    },
    "all-four": {
        "why": "names all networks and settles on none",
        "cells": [],
        "answer": "转播超级碗的网络公司有 NBC、CBS、Fox 和 ABC，它们都是转播次数最多的。",
    },
}
