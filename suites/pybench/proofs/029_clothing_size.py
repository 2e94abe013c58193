"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "others-denied": {
        "why": "says which are not it",
        "answer": "频率最高的不是 L，也不是 M，而是 «size»。这不是唯一的大码。",
    },
    "in-quotes": {"why": "the name in single quotes", "answer": "其频率最高的尺码是 '«size»'"},
    "as-a-dict": {
        "why": "answers with a literal",
        "answer": "{'color': '«colour»', 'size': '«size»'}",
    },
}
NEAR_MISSES = {
    "next-size": {"why": "names the size next to it", "answer": "尺码是 L。"},
    "denied": {"why": "says what it is not", "answer": "不是 XL，而是 M。"},
}
LEFT_OUT = {"scale-by-10": "the query asks for a name alone; figures beside it are not asked for"}
