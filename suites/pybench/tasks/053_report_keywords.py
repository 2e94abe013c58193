# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Keywords of a broker's report, as a list in Chinese."""

from runner.checks import Case
from runner.checks.text import prose

INDEX = "53"
TITLE = "研报关键词列表"
CATEGORY = "text"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "Which words are key is a matter of weight: at least five of the report's forty heaviest words by TF-IDF must be listed, and two thirds of the list must stand in the report. Thirty entries at most, each of a few words; what follows a colon explains it."


def check(case: Case) -> None:
    prose.expect_keywords(case, prose.pdf_text(case.data / "重庆啤酒.pdf"))


REFERENCE = {
    "cells": [
        """
import re

import pymupdf

with pymupdf.open("data/重庆啤酒.pdf") as document:
    text = re.sub(r"\\s+", "", "".join(page.get_text() for page in document))
print(text[:1500])
""",
        """
import jieba.analyse

words = [w for w in jieba.analyse.extract_tags(text, topK=40) if len(w) > 1 and not w.isascii() and not w.replace(".", "").isdigit()]
print("words:", "、".join(words[:15]))
""",
    ],
    "answer": "«words»",
}
WRONG = {
    "generic-list": {
        "why": "lists what reports of this kind usually hold, without reading it",
        "cells": [],
        "answer": "宏观经济、行业趋势、市场竞争、投资建议、风险因素、政策环境、技术创新、未来展望",
    },
    "numbers-taken-for-words": {
        "why": "takes the most frequent tokens, which are figures",
        "cells": [
            "import re, pymupdf\nfrom collections import Counter\n"
            "text = ''.join(p.get_text() for p in pymupdf.open('data/重庆啤酒.pdf'))\n"
            "print('words:', '、'.join(w for w, _ in Counter(re.findall(r'[\\d.%+-]{2,}', text)).most_common(15)))"
        ],
        "answer": "关键词：«words»",
    },
    "in-english": {
        "why": "answers in English though a Chinese list is asked for",
        "cells": [],
        "answer": "beer, revenue, net profit, cost, sales volume, premium brands, rating",
    },
}
