"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "quoted-after-both-mentioned": {
        "why": "other figures stand beside the right one",
        "answer": "无论持有还是出售都有风险：出售可锁定收益，持有可等待反弹。综合 200 日均线与长期趋势，我的结论是：\n\n**持有**\n\n（以上不构成投资建议。）",
    },
    "bare": {"why": "the word alone, as the query asks", "answer": "持有"},
    "quoted": {"why": "the other word, in quotes", "answer": "最终答案：“出售”"},
}
NEAR_MISSES = {
    "both": {"why": "names both words", "answer": "持有或出售"},
    "other-currency": {
        "why": "gives a made-up price",
        "answer": "当前股价为 54.21 元。最终答案：持有",
    },
}
LEFT_OUT = {
    "swap-labels": "a word is asked for; figures beside it are not",
    "drop-row": "a word is asked for; what led to it is not",
}
