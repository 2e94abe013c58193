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
