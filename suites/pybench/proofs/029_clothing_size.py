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
LEFT_OUT = {"scale-by-10": "the query asks for a name alone; figures beside it are not asked for"}
