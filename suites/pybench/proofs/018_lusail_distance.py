"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "as-a-table": {
        "why": "answers with a table",
        "answer": "| | value |\n|---|---|\n| Average | «mean» |\n| Variance | «var» |",
    },
    "as-json": {
        "why": "answers with a literal",
        "answer": "{'Average': «mean», 'Variance': «var»}",
    },
    "arrows": {
        "why": "each value, and behind an arrow the value rounded",
        "cells": [],
        "answer": "Average: 2526.69876 → 2526.70   Variance: 1,506,614.21097 → 1,506,614.21",
    },
}
NEAR_MISSES = {
    "exchanged": {
        "why": "gives each figure the other's name",
        "answer": "Average: «var»\nVariance: «mean»",
    },
    "in-kilometres": {
        "why": "gives a thousandth of the mean",
        "answer": "Average: 2.53\nVariance: «var»",
    },
    "arrows-cut": {
        "why": "behind an arrow the average cut off",
        "cells": [],
        "answer": "Average: 2526.69876 → 2526.69   Variance: 1506614.21097 → 1506614.21",
    },
}
