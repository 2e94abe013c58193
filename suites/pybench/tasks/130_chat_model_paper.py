# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Contributions of a paper on open chat models."""

from runner.checks import Case
from runner.checks.text import comparisons, prose

INDEX = "130"
TITLE = "Contributions of a paper on open chat models"
CATEGORY = "text"
OUTPUTS = []
STRENGTH = "partial"
NOTE = "The file holds the paper's first four pages. A summary is judged by the points it tells: five of seven that these pages hold. Each must stand in a clause that does not deny it, figures must be the text's own, and the other open models may not be put before this one. How well it reads is not judged, nor whether what it says of a point is otherwise true."
POINTS = {
    "its scale": ["70B", "70 billion", "70-billion", "700亿"],
    "open release": ["open", "release", "开源", "发布", "community"],
    "dialogue": ["chat", "dialogue", "conversation", "对话"],
    "fine-tuning": ["fine-tun", "fine tun", "finetun", "human feedback", "SFT", "RLHF", "微调"],
    "safety": ["safety", "safer", "安全"],
    "helpfulness": ["helpful", "human evaluation", "有用", "人工评估", "human preference"],
    "compared with others": [
        "outperform",
        "closed-source",
        "closed ones",
        "closed models",
        "beat",
        "surpass",
        "closed source",
        "ChatGPT",
        "competitive",
        "substitute",
        "超过",
        "优于",
        "闭源",
        "benchmark",
    ],
}
OURS = r"llama[- ]?2(?:[- ]chat)?"
BEATEN = (
    r"(?:other |previous |prior |existing |earlier )open[- ]\w+|open[- ](?:source|chat|models?|llms?)"
    r"|开源(?!了|发布)|\bfalcon\b|\bmpt\b|\bvicuna\b|llama[- ]?1\b"
)
CLOSED = r"(?:\w+ ){0,3}(?:closed|chatgpt|proprietary|product|commercial)"
NEVER_SAID = [
    rf"\b(?:no|not(?: yet)?(?: be)? an?) (?:\w+ )?(?:substitute|alternative|replacement) (?:for|to) {CLOSED}",
    rf"\b(?:unsuitable|not suitable) (?:\w+ ){{0,4}}(?:for|of) {CLOSED}",
    rf"\bcannot (?:substitute(?: for)?|replace|stand in for) {CLOSED}",
    r"(?:不能|无法|不适合)(?:作为)?(?:替代|取代)(?:[^,，。;]{0,6})(?:闭源|商业|chatgpt)",
    r"(?:不能|无法|不适合)(?:作为|成为)(?:闭源|商业)\w{0,8}(?:替代|取代)",
]


def check(case: Case) -> None:
    prose.expect_summary(case, prose.pdf_text(case.data / "llama2.pdf"), POINTS, 5)
    comparisons.expect_not_reversed(case, OURS, BEATEN, NEVER_SAID)


REFERENCE = {
    "cells": [
        """
import pymupdf

with pymupdf.open("data/llama2.pdf") as document:
    text = "\\n".join(page.get_text() for page in document)
print(text[:2500])
print(text[-4500:])
""",
    ],
    "answer": "The paper develops and releases Llama 2, pretrained models of 7 to 70 billion parameters, and Llama 2-Chat, versions fine-tuned for dialogue. Main contributions: (1) an openly released family of models for research and commercial use. (2) A detailed account of the fine-tuning, from supervised tuning to RLHF. (3) Work on safety: tuning, red teaming and evaluation. (4) Human evaluations of helpfulness in which it outperforms open chat models and comes close to some closed-source ones.",
}
WRONG = {
    "file-name-only": {
        "why": "names the model and says nothing of the work",
        "cells": [],
        "answer": "This paper is about Llama 2. The authors present a new large language model and discuss its architecture, data and training. The main contribution is the model itself, which is described in detail.",
    },
    "contents-recited": {
        "why": "recites the table of contents as if it were a summary",
        "cells": [],
        "answer": "Introduction Pretraining Pretraining Data Training Details Evaluation Discussion Learnings and Observations Limitations Related Work Conclusion Appendix Contributions Data Annotation Dataset Contamination Model Card",
    },
    "first-llama": {
        "why": "summarises the earlier paper of the same name from memory",
        "cells": [],
        "answer": "LLaMA is a collection of foundation models from 7B to 65B parameters trained on publicly available data only. LLaMA-13B is better than GPT-3 on many tasks while being ten times smaller, and LLaMA-65B is on a par with Chinchilla.",
    },
}
