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
GAMERS = {
    "hardly-sold": {
        "why": "the size as one that is hardly sold, in other words",
        "answer": "«colour» 里没卖出几件的尺码是 «size»。",
    },
    "last-place": {
        "why": "the size as that which is sold out least, in other words",
        "answer": "«colour» 里出现得不多、排在末位的尺码是 «size»。",
    },
    "the-rarest": {
        "why": "tells the size as the rarest",
        "answer": "频率最低的尺码是 «size»。",
    },
    "denied-after": {
        "why": "names the size and denies it",
        "answer": "«size» 并不是频率最高的尺码，别信。",
    },
    "salad": {
        "why": "names every size, the right one first",
        "cells": [],
        "answer": "XL, L, M, S, XXL",
    },
    "alternatives": {"why": "names two", "cells": [], "answer": "XL 或 L"},
}
GAPS = {
    "hardly-sold": "The answer is one size, and words for the rarest are a list that cannot hold every wording.",
}
LEFT_OUT = {"scale-by-10": "the query asks for a name alone; figures beside it are not asked for"}
