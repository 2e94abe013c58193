"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "two-growths-by-respectively": {
        "why": "names two figures, then their growths in that order",
        "answer": "重庆啤酒 2024 年 Q1 营收和归母净利分别同比增长 7.16% 和 «growth»%。",
    },
    "as-a-table": {
        "why": "a table with the growth of revenue above it",
        "answer": "| 指标 | 同比 |\n|---|---|\n| 营收 | +7.16% |\n| 归母净利 | +«growth»% |",
    },
    "with-other-figures": {
        "why": "growth of revenue and a margin beside it",
        "answer": "2024Q1 营收同比+7.16%，毛利率 47.9%，净利率 10.5%，归母净利同比+«growth»%。",
    },
    "profit-named-after": {
        "why": "the name behind the figure",
        "answer": "Revenue rose 7.16 % against «growth» % net profit growth.",
    },
    "rounded": {"why": "rounds, for no precision is asked for", "answer": "净利同比增长约 16.8%。"},
    "in-english": {"why": "answers in English", "answer": "Net profit rose by «growth» percent."},
}
NEAR_MISSES = {
    "of-revenue-alone": {
        "why": "gives the right figure to revenue",
        "answer": "2024年Q1营收同比增长«growth»%。",
    },
    "exchanged-in-english": {
        "why": "gives each growth to the other figure",
        "answer": "Net profit rose 7.16% and revenue «growth»%.",
    },
    "exchanged-by-respectively": {
        "why": "names two figures in the other order than their growths",
        "answer": "净利和营收分别同比增长7.16%和«growth»%。",
    },
    "exchanged-in-a-table": {
        "why": "a table with the growths in each other's rows",
        "answer": "| 指标 | 同比 |\n|---|---|\n| 营收 | «growth»% |\n| 净利润 | 7.16% |",
    },
    "fell": {"why": "says that it fell", "answer": "净利同比下降 16.78%。"},
    "tenfold": {"why": "slips a decimal", "answer": "净利同比增长 167.8%。"},
}
