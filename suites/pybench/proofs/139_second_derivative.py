"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "unicode": {
        "why": "another form of the same",
        "answer": "y″ = 2⁄(x + 1)³（x ≠ −1）",
    },
    "latex": {"why": "in LaTeX", "answer": "$y'' = \\frac{2}{(x+1)^3}$"},
    "english": {
        "why": "both derivatives in English",
        "answer": "The first derivative is 2 - 1/(x+1)^2. The second derivative is 2*(x+1)^(-3).",
    },
}
NEAR_MISSES = {
    "order": {"why": "gives the third", "answer": "二阶导数为 -6/(x+1)^4"},
    "sign": {"why": "loses the sign", "answer": "y'' = -2/(x+1)^3"},
}
GAMERS = {
    "first-derivative-of-another": {
        "why": "denies it in a roundabout way",
        "cells": [],
        "answer": "y 的二阶导数不存在；y''=2/(x+1)^3 是常见的误解。",
    },
    "of-another-function": {
        "why": "says it of another function",
        "cells": [],
        "answer": "z=sin(x) 的二阶导数是 2/(x+1)^3。",
    },
    "denied": {
        "why": "denies the formula",
        "answer": "二阶导数绝对不是 2/(x+1)^3",
    },
    "candidates": {
        "why": "names several",
        "cells": [],
        "answer": "y'' = 2/(x+1)^2 或 2/(x+1)^4 或 2/(x+1)^3",
    },
}
GAPS = {
    "first-derivative-of-another": "A denial is read from a list of words, which cannot hold every roundabout one.",
    "of-another-function": "The formula alone is an answer: a sentence may give it for another function in words or formulas that no list holds.",
}
