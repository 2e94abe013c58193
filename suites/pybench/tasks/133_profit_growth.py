# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A company's profit growth in a quarter, from a broker's report."""

from runner.checks import Case
from runner.checks.text import answers
from runner.checks.text.reading import is_hedging

INDEX = "133"
TITLE = "一季度净利同比增长"
CATEGORY = "text"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "Net profit is read as that of the parent's shareholders; the figure without one-off items is accepted where it is named as such beside it."

THINGS = {  # names of what grew or fell, the longer ones before those that they begin with
    "adjusted": r"扣(?:除)?非(?!前)[^。;\n,]{0,16}?净利润?|扣(?:除)?非(?!前)|(?:non-?recurring|one-off|adjusted)[^.;\n,]{0,24}?(?:profit|income)",
    "margin": r"(?:净利|毛利|净利润|销售净利)率|\bmargin",
    "net": r"归母(?:公司)?净?利润?|净利润?|net (?:profit|income|earnings)|profits? attributable|\bprofits?\b|\bearnings\b",
    "revenue": r"营业总?收入|营收|收入|销售额|\brevenues?\b|\bsales\b|\bturnover\b",
    "other": r"毛利|销量|吨价|成本|费用|\bvolumes?\b|\bcosts?\b|\bprices?\b",
}
HEADS = {  # of a table's columns
    "net": ["归母净利润", "归母净利", "净利润", "净利", "net profit"],
    "revenue": ["营业收入", "营收", "revenue"],
}


def check(case: Case) -> None:
    import re

    from runner.checks.text import labelled_values, prose

    text = prose.flat(prose.pdf_text(case.data / "重庆啤酒.pdf"))
    net = float(re.search(r"实现归母净利[\d.]+亿元\(同比\+([\d.]+)%\)", text)[1])
    adjusted = float(re.search(r"扣非归母净利[\d.]+亿元\(同比\+([\d.]+)%\)", text)[1])
    told = answers.folded(case.answer)
    rounded = {net, round(net, 1), net / 100}  # no precision is asked for
    table = answers.folded(labelled_values.prepared(case.answer, HEADS))
    growths = [value for value, thing in prose.percentages(table, THINGS) if thing in ("", "net")]
    sure = re.sub(rf"(扣非|非经常|one-off|recurring)[^。；;\n]*?{adjusted}\s*%", "", table)
    of_it = [value for value, thing in prose.percentages(sure, THINGS) if thing in ("", "net")]
    case.expect(
        "answer: a percentage",
        any(value in rounded for value in growths),
        f"{net} %",
        case.answer[:120] or "no answer",
        message=f"The answer does not say that net profit rose by {net} %.",
    )
    others = set(of_it) - rounded
    case.expect(
        "answer: one figure for it",
        not others or (len(others) == 1 and adjusted not in others and not is_hedging(told)),
        f"{net} % alone",
        ", ".join(f"{n} %" for n in sorted(others)) or "alone",
        message="The answer offers other percentages for the same growth.",
    )
    case.expect(
        "answer: it grew",
        not re.search(r"下降|下滑|减少|decreas|declin|fell", told),
        "growth",
        case.answer[:80],
    )


REFERENCE = {
    "cells": [
        """
import re

import pymupdf

with pymupdf.open("data/重庆啤酒.pdf") as document:
    text = re.sub(r"\\s+", "", "".join(page.get_text() for page in document))
for match in re.finditer("净利", text):
    print(text[max(0, match.start() - 30):match.end() + 40])
growth = re.search(r"实现归母净利[\\d.]+亿元（同比\\+([\\d.]+)%）", text)
print("growth:", growth[1])
""",
    ],
    "answer": "重庆啤酒 2024 年一季度归母净利润同比增长 «growth»%。",
}
WRONG = {
    "revenue-growth": {
        "why": "gives the growth of revenue",
        "cells": ["print('from the report: revenue +7.16%')"],
        "answer": "重庆啤酒 2024 年一季度净利润同比增长 7.16%。",
    },
    "full-year-forecast": {
        "why": "gives the growth forecast for the whole year",
        "cells": [],
        "answer": "重庆啤酒 2024 年 Q1 净利同比增长 9.46%。",
    },
    "revenue-and-profit-exchanged": {
        "why": "gives each of two growths to the other figure",
        "cells": [],
        "answer": "2024年Q1净利同比增长7.16%，营收同比增长16.78%。",
    },
    "margin-change": {
        "why": "takes the change of the margin for the growth",
        "cells": [],
        "answer": "重庆啤酒 2024 年 Q1 净利率同比提高 1.6%，净利增长 1.6%。",
    },
}
