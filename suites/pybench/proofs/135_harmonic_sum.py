"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "gamma-check-after": {
        "why": "other figures stand beside the right one",
        "answer": "9.7876060360\n\n（验证：ln 10000 + 0.5772156649 + 1/20000 ≈ 9.787606037）",
    },
    "with-approximation": {
        "why": "other figures stand beside the right one",
        "answer": "先用近似公式：ln(10000)+γ ≈ 9.2103403720+0.5772156649 = 9.7875560369，再加 1/(2n)=0.00005 得 9.7876060369。直接逐项求和的精确结果保留 10 位小数为：\n\n9.7876060360",
    },
    "zero-left-out": {
        "why": "leaves the last zero out and says so",
        "answer": "答案：9.787606036（第 10 位为 0）",
    },
    "longer-then-rounded": {
        "why": "gives the longer value first",
        "answer": "9.787606036044382，保留10位小数为 9.7876060360",
    },
    "latex": {
        "why": "as a formula",
        "answer": "\\[\\sum_{n=1}^{10000} \\frac{1}{n} \\approx «total»\\]",
    },
}
NEAR_MISSES = {
    "cut": {"why": "one too high in the last place", "answer": "倒数之和约为 9.7876060361"},
    "other-sum": {"why": "another sum", "answer": "倒数之和约为 9.7875060360"},
}
