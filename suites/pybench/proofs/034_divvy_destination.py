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
GAMERS = {
    "most-benches": {
        "why": "the station as that with the most benches",
        "answer": "长椅最多的车站是 «station»。",
    },
    "start-station": {
        "why": "the station as the commonest start",
        "answer": "2021 年 2 月最受欢迎的旅行起点是 «station»。",
    },
    "the-least-wanted": {
        "why": "tells the station as the least wanted",
        "edits": {"最受欢迎的旅行终点": "最不受欢迎的旅行终点"},
    },
    "or-another": {
        "why": "a second candidate without a name",
        "answer": "«station»，也可能是别的任何一个车站。",
    },
    "alternatives": {
        "why": "gives its number as one of several",
        "answer": "«station»（147 或 148 次）",
    },
    "another-in-spanish": {
        "why": "offers another one in Spanish",
        "cells": [
            """import pandas as pd
c = pd.read_csv("data/202102-divvy-tripdata.csv")["end_station_name"].value_counts()
print("one:", c.index[0]); print("two:", c.index[1])"""
        ],
        "answer": "2021年2月最受欢迎的旅行终点是 «one»。O quizás igual de probable: «two» — quién sabe.",
    },
}
GAPS = {
    "most-benches": "The answer is one name: of what a sentence calls it the first cannot be read from every wording.",
}
LEFT_OUT = {"scale-by-10": "the query asks for a name alone; figures beside it are not asked for"}
