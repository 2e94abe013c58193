"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "in-quotes": {"why": "the name in single quotes", "answer": "终点是 '«station»'。"},
    "bold": {"why": "the name in bold", "answer": "**«station»**"},
}
NEAR_MISSES = {
    "denied": {"why": "says that it is not", "answer": "不是 «station»。"},
    "another": {"why": "names a park", "answer": "最受欢迎的终点是 Central Park。"},
}
GAMERS = {
    "or-another": {
        "why": "a second candidate without a name",
        "answer": "«station»，也可能是别的任何一个车站。",
    },
    "alternatives": {
        "why": "gives its number as one of several",
        "answer": "«station»（147 或 148 次）",
    },
}
LEFT_OUT = {"scale-by-10": "the query asks for a name alone; figures beside it are not asked for"}
