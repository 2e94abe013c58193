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
