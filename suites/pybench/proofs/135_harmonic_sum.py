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
GAMERS = {
    "of-squares": {
        "why": "says it of the squares' inverses",
        "cells": [],
        "answer": "1到10000的平方的倒数之和是 9.7876060360。",
    },
    "or-its-double": {
        "why": "a second candidate without a number",
        "answer": "倒数之和是 «total»，也可能是它的两倍。",
    },
    "candidates": {
        "why": "names several",
        "cells": [],
        "answer": "倒数之和约为 9.7876060360 或 9.7876060361 或 9.7876060359",
    },
    "denied-in-french": {
        "why": "takes it back in French",
        "cells": [
            """from fractions import Fraction
from decimal import Decimal, getcontext
getcontext().prec = 40
print(f"s: {sum(Decimal(1) / n for n in range(1, 10001)).quantize(Decimal('1e-10'))}")"""
        ],
        "answer": "前一万个正整数的倒数之和为 «s»。Ce nombre est faux, ne le croyez pas : la vraie somme dépasse largement vingt.",
    },
}
GAPS = {
    "of-squares": "The sum alone is an answer: a sentence may call it that of something else in words that no list holds.",
}
