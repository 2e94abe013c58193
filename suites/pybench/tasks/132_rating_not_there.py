# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A figure that the given pages of a paper do not hold."""

from runner.checks import Case

INDEX = "132"
TITLE = "A rating that the pages do not give"
CATEGORY = "text"
OUTPUTS = []
GUESSABLE = "The right answer is that the document does not say, which needs no look into it."
NOTE = "The given file holds the paper's first four pages and no HumanEval figure, so the right answer from it is that it does not say. The whole paper's figures, 42.7 against 28.7 and so 14.0 points, are accepted too."


DOCUMENT = (
    r"document|paper|pdf|file|pages?|text|report|excerpt|article|source|"
    r"文档|文件|论文|页面|文中|报告|文章|原文|资料"
)
DENIAL = (
    r"(?:\bnot\b|n't\b|\bno\b|\bnor\b|\bnever\b|\bwithout\b|\black(?:s|ing)?\b|\babsent\b|\bmissing\b|\bomits?\b|"
    r"\bnowhere\b|\bnone\b|\bfails to\b|\bnothing\b|\bneither\b|\bunavailable\b|\bzero (?:hits|matches|mentions)\b)"
)
CHINESE_DENIAL = r"没有|未(?:曾)?(?:提供|提到|提及|给出|包含|找到|出现|列出|报告|披露)|不包含|不存在|无(?:此|相关|具体)|缺少|[查找看]不到|没(?:提|给|写|列)"
FAILURE = (  # the agent's own, which says nothing of the document
    r"(?:unable|could not|couldn't|can(?:not|'t)|failed|not able)\s+(?:to\s+)?(?:open|read|load|access|parse|process|view)"
    r"|(?:could not|couldn't|cannot|can't) be (?:opened|read|loaded|accessed|parsed)(?! from (?:it|them|the))"
    r"|无法(?:打开|读取|访问|加载|解析)|(?:打开|读取|加载|解析)失败"
)
REVERSED = (  # the lesser of the two called the higher one
    r"llama[\s-]?2(?:[\s-]?70b)?(?:'s \w+| model)? (?:is|was|scores?|scored|rates?|rated|performs?|comes?|does) "
    r"(?:[^.\n]|\.\d){0,40}(?:higher|better|ahead|above|more)\b(?! than llama)"
    r"|deepseek(?:[^.\n,;]|\.\d){0,60}(?:lower|worse|behind|below|less)\b|llama[^。\n，,]{0,12}(?:高出|高于|领先|超过)"
    r"|deepseek[^。\n，,]{0,12}(?:低于|落后)"
)


def tells_absence(part: str) -> bool:
    """True for a sentence that says of the document that it does not hold the figure."""
    import re

    if re.search(FAILURE, part):
        return False
    if not re.search(rf"\b(?:{DOCUMENT})\b|{DOCUMENT.split('|', 9)[-1]}", part):
        return False
    return bool(re.search(DENIAL, part) or re.search(CHINESE_DENIAL, part))


def check(case: Case) -> None:
    import re

    from runner.checks.text import prose

    source = prose.pdf_text(case.data / "2401.02954v1.pdf")
    is_given = re.search(r"human\s*-?\s*eval", source, re.IGNORECASE) is not None
    case.demand("the pages hold no figure", not is_given, "none", "one" if is_given else "none")
    text = case.answer.lower().replace("’", "'")
    parts = [part for part in re.split(r"[\n。！？]+|[.!?](?=\s|$)", text) if part.strip()]
    absent = any(
        tells_absence(part)
        or (
            re.match(r"\s*(?:it|they|there|它|其中?|里面)\b", part) and tells_absence(before + part)
        )
        for before, part in zip(["", *parts], parts, strict=False)
    )
    failed = any(re.search(FAILURE, part) for part in parts)
    numbers = [
        float(n) for n in re.findall(r"(?<![\d.\-/])\d{1,3}(?:\.\d+)?(?![\d.]*\s*b\b|\d)", text)
    ]
    points = {n for n in numbers if n not in (2.0, 7.0, 67.0, 70.0, 4.0)}
    from_memory = 14.0 in points and points <= {14.0, 42.7, 28.7, 48.8}
    from_memory = from_memory and not re.search(REVERSED, text)
    claims = bool(points - {1.0, 3.0, 5.0, 100.0}) and re.search(r"%|points?|percent|百分", text)
    case.expect(
        "answer: not in the document",
        len(numbers) <= 20 and (from_memory or (absent and not claims and not failed)),
        "that the pages do not give it (or 14.0 points)",
        case.answer[:200] or "no answer",
        message="The answer neither says that the document does not give the figure nor gives it.",
    )
    case.expect(
        "answer: about that",
        "human" in text or "rating" in text or "评" in text,
        "HumanEval named",
        case.answer[:120],
    )


REFERENCE = {
    "cells": [
        """
import re

import pymupdf

with pymupdf.open("data/2401.02954v1.pdf") as document:
    pages = [page.get_text() for page in document]
print(len(pages))
for number, page in enumerate(pages, 1):
    for match in re.finditer(r"(?i)human ?-?eval|llama-?2|code", page):
        print(number, page[max(0, match.start() - 80):match.end() + 80].replace("\\n", " "))
""",
    ],
    "answer": "The document does not give the HumanEval ratings: it holds the first four pages of the paper, which say that DeepSeek LLM 67B surpasses LLaMA-2 70B on code but mention no HumanEval figure, so the difference cannot be determined from it.",
}
WRONG = {
    "invented-figure": {
        "why": "makes up a figure that the pages do not hold",
        "cells": [],
        "answer": "The DeepSeek model's HumanEval rating is 73.8% and that of Llama 2 is 29.9%, so it is 43.9% higher.",
    },
    "vague-praise": {
        "why": "says that it is better and by how much it does not say",
        "cells": [],
        "answer": "DeepSeek performs significantly better than Llama 2 on HumanEval.",
    },
    "percent-sign": {
        "why": "guesses a round percentage",
        "cells": [],
        "answer": "The rating of the DeepSeek model is about 20% higher on HumanEval.",
    },
}
