# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "sql": {
        "why": "in SQLite; whole quantities as decimals",
        "cells": [
            """
import sqlite3
import pandas as pd
con = sqlite3.connect(':memory:')
o = pd.read_csv('data/orders.csv', dtype={'sku': str}).drop_duplicates()
o['key'] = o.sku.map(lambda s: ''.join(c for c in s.upper() if c.isalnum()))
p = pd.read_parquet('data/products.parquet')
p['key'] = p.sku.str.replace('-', '')
o.drop(columns='sku').to_sql('o', con)
p.to_sql('p', con)
top = pd.read_sql('''select row_number() over (order by sum(quantity * (unit_price - unit_cost)) desc) as rank,
  p.sku, p.name, sum(quantity) * 1.0 as quantity, round(sum(quantity * (unit_price - unit_cost)), 2) as margin
  from o join p using (key) group by p.sku order by margin desc limit 10''', con)
top.to_csv('output/top10.csv', index=False)
print('unknown:', con.execute('select count(*) from o where key not in (select key from p)').fetchone()[0])
print('lines:', len(o))
"""
        ],
        "answer": "Of the «lines» order lines that remain after removing the copies, **«unknown»** have an unknown SKU.",
    },
    "label-first": {
        "why": "as a labelled value, after the number of copies",
        "edits": {
            "orders = orders.drop_duplicates().copy()": "print('copies:', orders.duplicated().sum())\norders = orders.drop_duplicates().copy()"
        },
        "answer": "- Copies removed: «copies»\n- Order lines with an unknown SKU: «unknown»",
    },
    "in-words": {
        "why": "the number in a table",
        "answer": "| what | number |\n|---|---|\n| order lines with an unknown SKU | «unknown» |",
    },
    "short": {"why": "the number alone in bold", "answer": "**«unknown»**"},
    "two-figures": {
        "why": "unknown lines and known ones",
        "edits": {
            'print(f"unknown: {unknown}")': 'print(f"unknown: {unknown}")\nprint(f"known: {len(joined) - unknown}")'
        },
        "answer": "«unknown» order lines have an unknown SKU; the other «known» lines were used.",
    },
}
NEAR_MISSES = {
    "smallest-of-the-ten-first": {
        "why": "lists the ten from the lowest to the highest",
        "edits": {"top.to_csv(": "top = top[::-1]\ntop.to_csv("},
    },
    "margin-per-unit": {
        "why": "gives the margin of one unit",
        "edits": {
            'top["margin"] = top["margin"].round(2)': 'top["margin"] = (top["margin"] / top["quantity"]).round(2)'
        },
    },
    "names-exchanged": {
        "why": "the first two names exchanged",
        "edits": {
            "top.to_csv(": 'top.loc[[0, 1], "name"] = top.loc[[1, 0], "name"].to_numpy()\ntop.to_csv('
        },
    },
    "rank-from-nought": {"why": "ranks from 0", "edits": {"top.index + 1": "top.index"}},
    "unknown-skus": {
        "why": "counts distinct unknown SKUs instead of lines",
        "edits": {
            'unknown = joined["unit_cost"].isna().sum()': 'unknown = joined.loc[joined["unit_cost"].isna(), "sku"].nunique()'
        },
    },
    "copies-in-the-answer": {
        "why": "counts the unknown lines with their copies",
        "edits": {
            "orders = orders.drop_duplicates().copy()": "every = orders.copy()\norders = orders.drop_duplicates().copy()",
            'print(f"unknown: {unknown}")': 'k = every["sku"].str.upper().str.replace(r"[^A-Z0-9]", "", regex=True)\nunknown = (~k.isin(products["sku"].str.replace("-", ""))).sum()\nprint(f"unknown: {unknown}")',
        },
    },
    "lines-counted": {
        "why": "counts lines as quantity",
        "edits": {"top = joined.groupby(": 'joined["quantity"] = 1\ntop = joined.groupby('},
    },
    "sku-without-dash": {
        "why": "SKUs without their dash",
        "edits": {"top.to_csv(": 'top["sku"] = top["sku"].str.replace("-", "")\ntop.to_csv('},
    },
    "nine": {"why": "nine products", "edits": {".head(10)": ".head(9)"}},
    "in-cents": {
        "why": "margins in cents",
        "edits": {
            'top["margin"] = top["margin"].round(2)': 'top["margin"] = (100 * top["margin"]).round()'
        },
    },
    "known-lines": {
        "why": "gives the lines with a known SKU",
        "edits": {'print(f"unknown: {unknown}")': 'print(f"unknown: {len(joined) - unknown}")'},
    },
    "the-other-way-round": {
        "why": "unknown and known exchanged",
        "edits": {
            'print(f"unknown: {unknown}")': 'print(f"unknown: {unknown}")\nprint(f"known: {len(joined) - unknown}")'
        },
        "answer": "«known» order lines have an unknown SKU; the other «unknown» lines were used.",
    },
}
