# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "without-the-index": {
        "why": "leaves the counting column out and compares the rest; answers in English",
        "edits": {
            "df.drop_duplicates().to_csv": 'df.drop(columns="index").drop_duplicates().to_csv'
        },
        "answer": "There are no duplicated rows in the data set.",
    },
    "by-hand": {
        "why": "with the csv module",
        "cells": [
            """
import csv
with open("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv", newline="", encoding="utf-8-sig") as f:
    rows = list(csv.reader(f))
kept = list(dict.fromkeys(map(tuple, rows)))
with open("output/3.csv", "w", newline="", encoding="utf-8-sig") as f:
    csv.writer(f, quoting=csv.QUOTE_ALL).writerows(kept)
print(len(rows) - len(kept))
"""
        ],
        "answer": "检查后没有发现重复值，处理后的数据仍为 14 行。",
    },
    "snake-case": {
        "why": "names of columns in snake case",
        "edits": {
            "df.drop_duplicates()": 'df.columns = [c.lower().replace(" ", "_") for c in df.columns]\ndf.drop_duplicates()'
        },
    },
    "no-decimals": {
        "why": "prices as text with two decimals",
        "edits": {
            "df.drop_duplicates()": 'df["Average Tree Price"] = df["Average Tree Price"].map("{:.2f}".format)\ndf.drop_duplicates()'
        },
    },
}
NEAR_MISSES = {
    "by-price": {
        "why": "takes a repeated kind of tree for a duplicate",
        "edits": {"df.drop_duplicates()": 'df.drop_duplicates("Type of tree")'},
    },
    "kinds-exchanged": {
        "why": "the two kinds of tree exchanged",
        "edits": {
            "df.drop_duplicates()": 'df["Type of tree"] = df["Type of tree"].iloc[::-1].to_numpy()\ndf.drop_duplicates()'
        },
    },
    "in-thousands": {
        "why": "trees in thousands under the old name",
        "edits": {
            "df.drop_duplicates()": 'df["Number of trees sold"] /= 1000\ndf.drop_duplicates()'
        },
    },
    "years-late": {
        "why": "each year one later",
        "edits": {"df.drop_duplicates()": 'df["Year"] += 1\ndf.drop_duplicates()'},
    },
    "sales-lost": {
        "why": "without the sales",
        "edits": {"df.drop_duplicates()": 'df.drop(columns="Sales").drop_duplicates()'},
    },
    "thirteen": {"why": "thirteen rows", "edits": {"df.drop_duplicates()": "df.drop(index=5)"}},
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
