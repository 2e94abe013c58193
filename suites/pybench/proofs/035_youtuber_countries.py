"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "as-a-dict": {
        "why": "answers with counts as a literal",
        "answer": "{'United States': 313, 'India': 168, 'Brazil': 62}",
    },
    "in-chinese": {"why": "the name in Chinese", "answer": "主要来自**美国**。"},
}
NEAR_MISSES = {
    "second-first": {"why": "puts the second first", "answer": "主要来自印度，其次是美国。"},
    "denied": {"why": "says that it is not", "answer": "不是美国，而是巴西。"},
}
LEFT_OUT = {
    "scale-by-10": "the query asks for a name alone; figures beside it are not asked for",
    "swap-labels": "the query asks for a name alone; figures beside it are not asked for",
}
