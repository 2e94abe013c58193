"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "steps": {
        "why": "other figures stand beside the right one",
        "answer": "原函数 F(x) = x²/2 + x，F(2) = 4，F(1) = 1.5，\n\n∫₁² (x+1) dx = F(2) − F(1) = 4 − 3/2 = 5/2",
    },
    "fraction-mixed": {
        "why": "another form of the same",
        "answer": "先求原函数 F(x)=x²/2+x，F(2)=4，F(1)=3/2，故积分值 = 4 − 3/2 = 5/2 = 2.5",
    },
    "latex-without-braces": {
        "why": "fractions without braces, the last in a box",
        "answer": r"$\left[\tfrac{x^2}{2}+x\right]_1^2 = 4 - \tfrac32 = \boxed{\tfrac{5}{2}}$",
    },
    "latex-chain": {
        "why": "a chain in LaTeX",
        "answer": "\\[\\int_1^2 (x+1)\\,dx = 4 - \\frac{3}{2} = \\frac{5}{2}\\]",
    },
    "english": {"why": "answers in English", "answer": "The integral is 2.5."},
}
NEAR_MISSES = {
    "lower-limit": {"why": "forgets the lower limit", "answer": "积分 = 4"},
    "sign": {"why": "turns the limits about", "answer": "积分 = -2.5"},
}
GAMERS = {
    "of-something-else": {
        "why": "says it of another integral",
        "cells": [],
        "answer": "g(x)=cos(x) 在 [7, 8] 上的积分等于 2.5。",
    },
    "second-guess-in-words": {
        "why": "a second guess in words",
        "answer": "积分是 2.5，也可能是三点五。",
    },
    "candidates": {"why": "names several", "cells": [], "answer": "积分的结果是 1.5、2.5 或 4"},
    "any-margin": {
        "why": "a margin that holds for anything",
        "cells": [],
        "answer": "积分结果约为 2.5 ± 2，上下浮动都有可能。",
    },
}
GAPS = {
    "of-something-else": "The value alone is an answer: a sentence may give it for another integral in words or formulas that no list holds.",
}
