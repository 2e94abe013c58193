# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "others-are-surpassed": {
        "why": "the passive, of the others",
        "cells": [],
        "answer": "Open-source models lag behind closed ones in mathematical reasoning. The authors tune Llama-2 by Reinforced Evol-Instruct with an instruction reward model, process supervision and PPO. On GSM8k and MATH all other open-source LLMs are surpassed by WizardMath, though it does not outperform GPT-4.",
    },
    "numbered": {
        "why": "a numbered list with a lead",
        "cells": [],
        "answer": """Main contributions:

1. **Method**: Reinforcement Learning from Evol-Instruct Feedback (RLEIF) improves mathematical reasoning of Llama-2.
2. **Rewards**: an instruction reward model and process supervision guide PPO.
3. **Results**: WizardMath outperforms other open models on GSM8k and MATH.""",
    },
    "in-chinese": {
        "why": "answers in Chinese",
        "cells": [],
        "answer": "论文提出 WizardMath，用 RLEIF 方法（Reinforced Evol-Instruct）提升 Llama-2 的数学推理能力。它训练了指令奖励模型和过程监督奖励模型，并结合 PPO 强化学习。在 GSM8k 和 MATH 上显著超越其他开源模型。",
    },
}
NEAR_MISSES = {
    "results-reversed": {
        "why": "the passive turns the results round",
        "cells": [],
        "answer": "The paper presents WizardMath, which enhances the mathematical reasoning of Llama-2 with Reinforced Evol-Instruct, using an instruction reward model, a process-supervised reward model and PPO. On GSM8k and MATH it is surpassed by all other open-source LLMs.",
    },
    "results-reversed-in-chinese": {
        "why": "says that the other models are ahead",
        "cells": [],
        "answer": "论文提出 WizardMath，用 RLEIF 方法（Reinforced Evol-Instruct）提升 Llama-2 的数学推理能力。它训练了指令奖励模型和过程监督奖励模型，并结合 PPO 强化学习。在 GSM8k 和 MATH 上其他开源模型显著优于 WizardMath。",
    },
    "made-up-scores": {
        "why": "the right points with scores that the pages do not give",
        "cells": [],
        "answer": "WizardMath tunes Llama-2 for mathematical reasoning with Reinforced Evol-Instruct, reward models and PPO. On GSM8k it reaches 97.3 and on MATH 88.9, where GPT-4 reaches 61.7, so it surpasses all others.",
    },
    "turned-round": {
        "why": "says that it loses and that reinforcement is useless",
        "cells": [],
        "answer": "WizardMath fails at mathematical reasoning. Reinforced Evol-Instruct is useless, the reward models are harmful and PPO is rejected. On GSM8k and MATH it lags behind Llama-2 and is inferior to all other models.",
    },
}
LEFT_OUT = {
    "drop-row": "the query asks for a summary of no stated length: without its longest sentence this one still tells enough",
}
