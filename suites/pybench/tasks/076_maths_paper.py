# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Contributions of a paper on mathematical reasoning."""

from runner.checks import Case
from runner.checks.text import comparisons, prose

INDEX = "76"
TITLE = "Contributions of a paper on mathematical reasoning"
CATEGORY = "text"
OUTPUTS = []
STRENGTH = "partial"
NOTE = "A summary is judged by the points it tells: five of seven that the pages hold, in any wording that keeps their names. Each must stand in a clause that does not deny it, figures must be the text's own, and the open models may not be put before this one. How well it reads is not judged, nor whether what it says of a point is otherwise true."
POINTS = {
    "the method's name": ["Evol-Instruct", "RLEIF"],
    "reinforcement": ["reinforce", "PPO", "强化学习", "RLEIF"],
    "mathematical reasoning": [
        "mathematical reasoning",
        "math reasoning",
        "数学推理",
        "mathematical ability",
        "mathematical problem",
    ],
    "the base model": ["Llama"],
    "reward models": [
        "reward model",
        "IRM",
        "PRM",
        "process supervision",
        "process-supervised",
        "奖励模型",
        "过程监督",
    ],
    "GSM8k and MATH": ["GSM8k", "GSM-8k", "MATH benchmark", "MATH dataset"],
    "ahead of other models": [
        "surpass",
        "outperform",
        "superior",
        "better than",
        "state-of-the-art",
        "state of the art",
        "exceed",
        "超过",
        "超越",
        "优于",
        "substantial margin",
    ],
}
OURS = r"wizard ?math"
BEATEN = r"open[- ](?:source|llms?|models?)|开源|llama"  # by it, on both sets of problems


def check(case: Case) -> None:
    prose.expect_summary(case, prose.pdf_text(case.data / "WizardMath_Paper.pdf"), POINTS, 5)
    comparisons.expect_not_reversed(case, OURS, BEATEN)


REFERENCE = {
    "cells": [
        """
import pymupdf

with pymupdf.open("data/WizardMath_Paper.pdf") as document:
    pages = [page.get_text() for page in document]
print(len(pages), pages[0][:3500])
""",
        "print(pages[1][:4000])\nprint(pages[2][:3000])",
    ],
    "answer": "The paper presents WizardMath, a Llama-2 model tuned for mathematical reasoning. Main contributions: (1) a method, Reinforced Evol-Instruct, that evolves maths instructions both downward and upward in difficulty. (2) Two reward models, an instruction reward model and a process-supervised one that judges each step, used with PPO. (3) Results on GSM8k and MATH, where it surpasses the other open-source models by a wide margin and several closed ones.",
}
WRONG = {
    "title-only": {
        "why": "repeats the title and says that results are good",
        "cells": [
            "import pymupdf\nprint(pymupdf.open('data/WizardMath_Paper.pdf')[0].get_text()[:300])"
        ],
        "answer": "The paper WizardMath is about empowering large language models. It makes several important contributions to the field and shows that the approach is promising for future work.",
    },
    "another-paper": {
        "why": "summarises an instruction-tuned chat model from memory instead of the file",
        "cells": [],
        "answer": "The paper introduces WizardLM, which uses GPT-4 to rewrite instructions step by step into more complex ones. The model is fine-tuned on them and evaluated by human raters on a test set of real-world instructions, where it beats Alpaca and Vicuna.",
    },
    "pages-pasted": {
        "why": "pastes the text of the pages instead of summarising",
        "cells": [
            "import pymupdf\ntext = ' '.join(' '.join(p.get_text() for p in pymupdf.open('data/WizardMath_Paper.pdf')).split())\nprint('text:', text)"
        ],
        "answer": "Summary: «text»",
    },
}
