# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "earlier-ones-no-substitute": {
        "why": "says of the earlier models what this one is said to change",
        "cells": [],
        "answer": "Earlier open-source models are no suitable substitute for closed ones. The paper releases Llama 2, from 7B to 70B parameters, and Llama 2-Chat, fine-tuned for dialogue with RLHF and safety tuning. Open-source chat models are outperformed by it on most benchmarks; in human evaluations of helpfulness it comes close to ChatGPT.",
    },
    "bullets": {
        "why": "answers in bullets with bold heads",
        "cells": [],
        "answer": """**Summary**
- **Models**: Llama 2 comes in sizes from 7B to 70B parameters and is released openly for research and commercial use
- **Dialogue**: Llama 2-Chat is fine-tuned with SFT and RLHF for chat
- **Safety**: red teaming and safety-specific tuning
- **Evaluation**: human raters find it on par with some closed-source models""",
    },
    "in-chinese": {
        "why": "answers in Chinese",
        "cells": [],
        "answer": "本文提出并开源 Llama 2 系列大模型，参数规模从 7B 到 70B。主要贡献：一是 Llama 2-Chat，针对对话场景通过监督微调与 RLHF 优化；二是公开了安全性方面的改进方法；三是在人工评估的有用性上优于多数开源对话模型，接近部分闭源模型。",
    },
    "not-only": {
        "why": "praises by “not only … but also”",
        "cells": [],
        "answer": "The authors introduce Llama 2, a collection of large language models scaling up to 70 billion parameters, openly released to the community. The chat variant is not only fine-tuned for dialogue, but also evaluated by humans for helpfulness. They describe their safety work in detail. On most benchmarks the models outperform open-source ones.",
    },
}
NEAR_MISSES = {
    "results-reversed": {
        "why": "the passive turns the results round",
        "cells": [],
        "answer": "The paper releases Llama 2, pretrained and fine-tuned LLMs from 7B to 70B parameters, and Llama 2-Chat, optimized for dialogue with RLHF and safety tuning. Its main finding is that Llama 2-Chat is outperformed by the other open-source chat models on most benchmarks.",
    },
    "no-substitute": {
        "why": "says that it cannot take the place of closed models",
        "cells": [],
        "answer": "The authors release Llama 2, models of up to 70B parameters. Llama 2-Chat is fine-tuned for dialogue with RLHF and work on safety, and evaluated by humans for helpfulness. It is no suitable substitute for closed-source models.",
    },
    "closed-and-small": {
        "why": "denies what the paper says: not released, no tuning for dialogue",
        "cells": [],
        "answer": "The paper presents Llama 2, whose weights are not released to the community. It was never fine-tuned for chat, the authors do not consider safety, and it fails to outperform any other model.",
    },
    "figures-of-another": {
        "why": "gives the first Llama's sizes and tokens",
        "cells": [],
        "answer": "The paper develops and releases models of 13.7 to 65.2 billion parameters, trained on 1.47 trillion tokens. The chat version is fine-tuned for dialogue with RLHF. Safety is improved by red teaming. Human evaluations of helpfulness put it ahead of open models.",
    },
    "headings-alone": {
        "why": "lists the points' names in one line",
        "cells": [],
        "answer": "Llama 2: 70B, open release, chat, dialogue, fine-tuning, RLHF, safety, helpfulness, benchmarks",
    },
}
LEFT_OUT = {
    "drop-row": "the query asks for a summary of no stated length: without its longest sentence this one still tells enough",
}
