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
