"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "starts-named": {
        "why": "speaks of the starts as well",
        "answer": "在 2021 年 2 月的行程中，各起点出发的车最常到达 «station»。",
    },
    "in-quotes": {"why": "the name in single quotes", "answer": "终点是 '«station»'。"},
    "bold": {"why": "the name in bold", "answer": "**«station»**"},
}
NEAR_MISSES = {
    "denied": {"why": "says that it is not", "answer": "不是 «station»。"},
    "another": {"why": "names a park", "answer": "最受欢迎的终点是 Central Park。"},
}
LEFT_OUT = {"scale-by-10": "the query asks for a name alone; figures beside it are not asked for"}
