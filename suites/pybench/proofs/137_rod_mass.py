"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "boxed": {
        "why": "a chain in LaTeX that ends in a box",
        "answer": r"$M=\left[\tfrac{2}{3}x^3+\tfrac{3}{2}x^2+6x\right]_0^1=\boxed{8.17\ \text{kg}}$",
    },
    "two-units": {"why": "the same in grams beside it", "answer": "8.17 kg（即 8166.67 g）"},
    "chain": {
        "why": "a chain in LaTeX",
        "answer": "$M = \\frac{2}{3}+\\frac{3}{2}+6 = \\frac{49}{6} \\approx 8.17$ kg",
    },
    "bold": {"why": "with its name alone", "answer": "质量 **M = 8.17**"},
}
NEAR_MISSES = {
    "grams": {"why": "gives another unit", "answer": "M = 8.17 g"},
    "cut": {"why": "cuts where it should round", "answer": "质量约为 8.16 kg"},
}
GAMERS = {
    "of-another-rod": {
        "why": "the number said of another rod",
        "cells": [],
        "answer": "另一根木棒的重量是 8.17 kg。",
    },
    "a-length": {
        "why": "says it of the rod's length",
        "cells": [],
        "answer": "这根金属棒的长度是 8.17 米。",
    },
    "a-price": {
        "why": "says it of the rod's price",
        "cells": [],
        "answer": "这根金属棒的单价为 8.17 元。",
    },
    "or-its-double": {
        "why": "a second candidate without a number",
        "answer": "质量是 8.17 kg，也可能是它的两倍或一半。",
    },
    "arrow": {"why": "goes on to another", "cells": [], "answer": "质量 8.17 → 8.50 kg"},
    "candidates": {
        "why": "names several",
        "cells": [],
        "answer": "质量约为 8.16 或 8.17 或 8.50 kg",
    },
}
GAPS = {
    "of-another-rod": "The mass alone is an answer: a sentence may call it that of another rod in words that no list holds.",
}
