"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "bare": {"why": "the word alone, as the query asks", "answer": "持有"},
    "quoted": {"why": "the other word, in quotes", "answer": "最终答案：“出售”"},
}
NEAR_MISSES = {
    "both": {"why": "names both words", "answer": "持有或出售"},
    "other-currency": {
        "why": "gives a made-up price",
        "answer": "当前股价为 54.21 元。最终答案：持有",
    },
}
GAMERS = {
    "all-words": {"why": "recites the words", "cells": [], "answer": "持有 出售 持有 出售"},
}
LEFT_OUT = {
    "swap-labels": "a word is asked for; figures beside it are not",
    "drop-row": "a word is asked for; what led to it is not",
}
