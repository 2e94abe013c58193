"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "steps": {
        "why": "another form of the same",
        "answer": "先看时长：超过120分钟的有104部；再看打分：超过7分的有104部；两个条件同时满足的共有28部。",
    },
    "listing": {
        "why": "another form of the same",
        "answer": "筛选条件：时长 > 120 分钟，评分 > 7 分。\n\n| # | 片名 | 时长 | 评分 |\n|---|---|---|---|\n| 1 | The Well 0 | 193 min | 8.5 |\n| … | … | … | … |\n\n（仅展示第1部，其余27部略）\n\n✅ 满足条件的电影总数：**28部**，约占全部800部的3.5%。",
    },
    "bare": {"why": "the number alone", "answer": "**«count»**"},
    "in-english": {"why": "answers in English", "answer": "There are «count» such films."},
}
NEAR_MISSES = {
    "one-more": {"why": "counts one too many", "answer": "一共有 29 部。"},
    "minutes": {"why": "gives the bound for the count", "answer": "一共有 121 部。"},
}
GAMERS = {
    "candidates": {"why": "names several", "cells": [], "answer": "一共有 27 或 28 或 29 部。"},
}
