# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "csv-module": {
        "why": "a set of rows seen, with the csv module",
        "cells": [
            """
import csv
seen, kept = set(), []
with open("data/yearly_deaths_by_clinic.csv", newline="") as f:
    head, *rows = csv.reader(f)
for row in rows:
    if tuple(row) not in seen:
        seen.add(tuple(row))
        kept.append(row)
with open("output/2.csv", "w", newline="") as f:
    csv.writer(f).writerows([head, *kept])
print(len(rows), len(kept))
"""
        ],
        "answer": "**No duplicate rows** were found; the cleaned file has 12 rows.",
    },
    "capitals": {
        "why": "clinics written with capitals",
        "edits": {
            "df.drop_duplicates().to_csv": 'df["clinic"] = df["clinic"].str.strip().str.title()\ndf.drop_duplicates().to_csv'
        },
    },
    "decimals": {
        "why": "numbers as decimals, names of columns and clinics trimmed",
        "edits": {
            "df.drop_duplicates().to_csv": 'df = df.rename(columns=str.strip)\ndf["births"] = df["births"].astype(float)\ndf["clinic"] = df["clinic"].str.strip()\ndf.drop_duplicates().reset_index(drop=True).to_csv'
        },
    },
    "polars-like": {
        "why": "sorted by clinic and year as before, line ends of Windows",
        "edits": {"index=False)": 'index=False, lineterminator="\\r\\n")'},
        "answer": "0 duplicates found.",
    },
    "heads-in-title-case": {
        "why": "names of columns with capitals, sorted by clinic and year, line ends of Windows",
        "edits": {
            "df.drop_duplicates().to_csv": 'df.columns = [c.title() for c in df.columns]\ndf.sort_values(["Year", "Clinic"]).drop_duplicates().to_csv'
        },
        "answer": "No duplicates found. I standardised the column names and saved 12 rows.",
    },
    "with-semicolons": {
        "why": "fields apart by semicolons, a byte-order mark",
        "edits": {"index=False)": 'index=False, sep=";", encoding="utf-8-sig")'},
    },
}
NEAR_MISSES = {
    "columns-exchanged": {
        "why": "births and deaths exchanged",
        "edits": {
            "df.drop_duplicates()": 'df[["births", "deaths"]] = df[["deaths", "births"]].to_numpy()\ndf.drop_duplicates()'
        },
    },
    "clinics-exchanged": {
        "why": "the clinics' names exchanged",
        "edits": {
            "df.drop_duplicates()": 'df["clinic"] = df["clinic"].replace({"clinic 1": "clinic 2", "clinic 2": "clinic 1"})\ndf.drop_duplicates()'
        },
    },
    "keep-false": {
        "why": "drops every row whose births occur in another year as well, and one more",
        "edits": {"df.drop_duplicates()": "df[:-1].drop_duplicates()"},
    },
    "column-lost": {
        "why": "saves without the clinic",
        "edits": {"df.drop_duplicates()": 'df.drop(columns="clinic").drop_duplicates()'},
    },
    "rates-added-for-deaths": {
        "why": "deaths as a share of births",
        "edits": {
            "df.drop_duplicates()": 'df["deaths"] = (df["deaths"] / df["births"]).round(4)\ndf.drop_duplicates()'
        },
    },
    "by-births-year": {
        "why": "keeps one clinic",
        "edits": {"df.drop_duplicates()": 'df.drop_duplicates("clinic")'},
    },
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
