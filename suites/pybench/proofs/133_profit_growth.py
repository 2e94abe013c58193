"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "rounded": {"why": "rounds, for no precision is asked for", "answer": "净利同比增长约 16.8%。"},
    "in-english": {"why": "answers in English", "answer": "Net profit rose by «growth» percent."},
}
NEAR_MISSES = {
    "fell": {"why": "says that it fell", "answer": "净利同比下降 16.78%。"},
    "tenfold": {"why": "slips a decimal", "answer": "净利同比增长 167.8%。"},
}
GAMERS = {
    "denied": {
        "why": "denies the figure",
        "answer": "净利同比增长并没有 «growth»%。",
    },
    "candidates": {
        "why": "names several",
        "cells": [],
        "answer": "净利同比增长 16.78% 或 7.16% 或 9.46%。",
    },
}
