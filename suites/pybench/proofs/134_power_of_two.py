"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "bare": {"why": "the number alone", "answer": "«power»"},
    "latex": {"why": "in LaTeX", "answer": "$$2^{1000} = «power»$$"},
}
NEAR_MISSES = {
    "last-digits-lost": {"why": "a rounded power of ten", "answer": "约为 1.07×10^301"},
    "its-length": {"why": "gives how many digits there are", "answer": "共 302 位"},
}
LEFT_OUT = {
    "swap-labels": "nobody would exchange the number and that of its digits: what is changed is no answer in either form"
}
