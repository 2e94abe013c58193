"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "chain": {
        "why": "a chain in LaTeX",
        "answer": "$M = \\frac{2}{3}+\\frac{3}{2}+6 = \\frac{49}{6} \\approx 8.17$ kg",
    },
    "bold": {"why": "with its name alone", "answer": "质量 **M = 8.17**"},
}
NEAR_MISSES = {
    "grams": {"why": "gives another unit", "answer": "M = 8.17 g"},
    "cut": {"why": "cuts where it should round", "answer": "质量约为 8.16 kg"},
}
GAMERS = {
    "candidates": {
        "why": "names several",
        "cells": [],
        "answer": "质量约为 8.16 或 8.17 或 8.50 kg",
    },
}
