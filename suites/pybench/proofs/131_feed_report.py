# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "four-bullets": {
        "why": "four bullets without figures",
        "cells": [],
        "answer": """- 饲料主业稳健增长，销量与盈利能力提升
- 生猪养殖以稳为主，降本增效持续推进
- 2024 年下半年猪周期有望逐步反转
- 维持“买入”评级""",
    },
    "in-english": {
        "why": "answers in English",
        "cells": [],
        "answer": "The feed business keeps growing steadily with higher volume and margin. Pig farming stays prudent while reducing cost. External investors take over the poultry and food units, which eases pressure. The hog cycle is expected to reverse in the second half of 2024, and the report maintains its Buy rating.",
    },
    "one-sentence": {
        "why": "one sentence in the manner of a headline",
        "cells": [],
        "answer": "核心观点是：饲料业务量利稳步增长，生猪养殖降本增效成效显现，猪周期反转后业绩弹性可期，维持买入评级。",
    },
}
NEAR_MISSES = {
    "opposite": {
        "why": "the opposite of the report with its points' names",
        "cells": [],
        "answer": "饲料主业销量下滑、盈利恶化，生猪养殖成本失控，公司已放弃降本增效；猪周期不会反转，报告将“买入”评级下调为卖出。",
    },
    "figures-exchanged": {
        "why": "exchanges revenue and profit",
        "cells": [],
        "answer": "2023 年营收 2.49 亿元，归母净利润 1417.03 亿元；公司控股权未变，行业情况平淡，建议观望后续变化再作判断。",
    },
    "another-year": {
        "why": "figures that the report does not give",
        "cells": [],
        "answer": "饲料销量增长，养殖降本，猪周期反转，维持买入；2023 年营收 1688.5 亿元，净利润 33.8 亿元，毛利率 12.77%。",
    },
}
LEFT_OUT = {
    "drop-row": "the query asks for a summary of no stated length: without its longest sentence this one still tells enough",
}
