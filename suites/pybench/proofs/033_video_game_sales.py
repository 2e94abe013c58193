"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "equation-with-mean": {
        "why": "other figures stand beside the right one",
        "answer": "total = 8920.44\ngames = 16598\nmean = 0.5374406… → 0.54",
    },
    "units": {
        "why": "other figures stand beside the right one",
        "answer": "Summary (millions of copies, 16,598 games):\n- North America 4,392.95\n- Europe 2,434.13\n- Japan 1,291.02\n- Other 797.75\n- Global 8,920.44\n\nBest-selling genre: Action (1,751.18); best seller: Wii Sports (82.74).\n\n**Average global sale per game: 8,920.44 / 16,598 = 0.54 million copies** (median 0.17).",
    },
    "corrected": {
        "why": "says what it took for the mean at first",
        "answer": "I first got 0.61, that was wrong; the correct average is «average». Incorrect rows were dropped.",
    },
    "thousands": {
        "why": "writes the copies out",
        "answer": "On average 540,000 copies: average global sales per game = 540,000",
    },
    "chain": {
        "why": "rounds at the end",
        "answer": "Average Global Sale per Game = 8920.44 / 16598 = 0.5374 ≈ «average» million",
    },
    "rounded-by-an-arrow": {
        "why": "the mean, and behind an arrow the mean rounded",
        "cells": [],
        "answer": "16,598 games sold 8,920.44 million copies, so the average is 0.5374 → 0.54 million per game.",
    },
}
NEAR_MISSES = {
    "billions": {
        "why": "gives another unit",
        "answer": "Average Global Sale per Game: 0.54 billion copies",
    },
    "total-for-mean": {
        "why": "gives the sum",
        "answer": "Average Global Sale per Game: 8920.44 million copies",
    },
}
LEFT_OUT = {
    "swap-labels": "the two numbers that are exchanged, of games and of copies in all, are not asked for",
    "drop-row": "what is left out, the number of games and of copies in all, is not asked for",
}
