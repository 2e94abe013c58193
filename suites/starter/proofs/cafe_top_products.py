# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "pandas-only": {
        "why": "joins in pandas, and draws by hand with the longest bar last",
        "cells": [
            """
import sqlite3
import pandas as pd
con = sqlite3.connect('data/cafe.sqlite')
o, l, p = (pd.read_sql(f'select * from {t}', con) for t in ('orders', 'lines', 'products'))
o = o[(o.status.fillna('').str.strip().str.lower() == 'paid') & o.placed_at.astype(str).str.startswith('«year»')]
m = l[l.order_id.isin(o.id)].merge(p, left_on='product_id', right_on='id')
m['revenue_eur'] = m.quantity * m.unit_price_cents / 100
t = m.groupby('name', as_index=False).agg(units=('quantity', 'sum'), revenue_eur=('revenue_eur', 'sum'))
t = t.nlargest(5, 'revenue_eur').rename(columns={'name': 'product'}).reset_index(drop=True)
t.insert(0, 'rank', t.index + 1)
t.round(2).to_csv('output/top5.csv', index=False)
""",
            """
import matplotlib.pyplot as plt
back = t.iloc[::-1]
fig, ax = plt.subplots(figsize=(12, 7))
bars = ax.barh(range(5), back.revenue_eur, height=0.55, color='«other_colour»')
bars[-1].set_color('«first_colour»')
ax.set_yticks(range(5), back['product'])
ax.set_xlim(0, back.revenue_eur.max() * 1.1)
ax.spines[['top', 'right']].set_visible(False)
ax.set_title('Top 5 products of «year»')
ax.set_xlabel('Revenue (EUR)')
plt.savefig('output/top5.png', dpi=120, bbox_inches='tight')
""",
        ],
        "answer": "Both files are saved.",
    },
    "seaborn": {
        "why": "drawn by seaborn, with a grid behind",
        "edits": {
            "fig, ax = plt.subplots(figsize=(9, 5.5), dpi=100, facecolor='white')": "import seaborn as sns\nsns.set_theme(style='whitegrid')\nfig, ax = plt.subplots(figsize=(10, 6), dpi=100)",
            "ax.barh(top['product'], top.revenue_eur, color=['«first_colour»'] + ['«other_colour»'] * 4)\nax.invert_yaxis()": "sns.barplot(data=top, x='revenue_eur', y='product', hue='product', palette=['«first_colour»'] + ['«other_colour»'] * 4, saturation=1, legend=False, ax=ax)",
        },
    },
    "values-beside": {
        "why": "the values written right of the bars, a grid, a wider picture",
        "edits": {
            "fig.tight_layout()": "for bar, v in zip(ax.patches, top.revenue_eur):\n    ax.text(v * 1.01, bar.get_y() + bar.get_height() / 2, f'€{v:,.0f}', va='center')\nax.set_xlim(0, top.revenue_eur.max() * 1.15)\nax.set_axisbelow(True)\nax.grid(axis='x', alpha=0.4)\nfig.tight_layout()"
        },
    },
    "in-thousands": {
        "why": "an axis in thousands, as it says",
        "edits": {
            "ax.barh(top['product'], top.revenue_eur,": "ax.barh(top['product'], top.revenue_eur / 1000,",
            "revenue in «year», €": "revenue in «year», thousand €",
        },
    },
}
NEAR_MISSES = {
    "cents": {
        "why": "gives revenue in cents",
        "edits": {"/ 100.0 AS revenue_eur": "* 1.0 AS revenue_eur"},
    },
    "names-reversed": {
        "why": "the bars right, the names beside them in the other order",
        "edits": {
            "ax.invert_yaxis()": "ax.set_yticks(range(5), list(top['product'])[::-1])\nax.invert_yaxis()"
        },
    },
    "other-bar-coloured": {
        "why": "the last bar in the colour of the first",
        "edits": {
            "['«first_colour»'] + ['«other_colour»'] * 4": "['«other_colour»'] * 4 + ['«first_colour»']"
        },
    },
    "lines-counted": {
        "why": "counts order lines as units",
        "edits": {"SUM(quantity) AS units": "COUNT(*) AS units"},
    },
    "cut-axis": {
        "why": "an axis that begins above zero",
        "edits": {
            "fig.tight_layout()": "ax.set_xlim(top.revenue_eur.min() * 0.8)\nfig.tight_layout()"
        },
    },
    "values-on-bars": {
        "why": "writes the values on the bars",
        "edits": {
            "fig.tight_layout()": "ax.bar_label(ax.containers[0], label_type='center', fontsize=14)\nfig.tight_layout()"
        },
    },
    "by-units": {
        "why": "ranks by units",
        "edits": {"ORDER BY revenue_eur DESC": "ORDER BY units DESC"},
    },
    "standing": {
        "why": "standing bars",
        "edits": {
            "ax.barh(top['product'], top.revenue_eur,": "ax.bar(top['product'], top.revenue_eur,",
            "ax.invert_yaxis()\n": "",
        },
    },
    "outlined": {
        "why": "bars of other lengths: units",
        "edits": {"ax.barh(top['product'], top.revenue_eur,": "ax.barh(top['product'], top.units,"},
    },
    "first-name-twice": {
        "why": "two names exchanged in the table",
        "edits": {
            "top.to_csv(": "top.loc[[1, 2], 'product'] = top.loc[[2, 1], 'product'].to_numpy()\ntop.to_csv("
        },
    },
}
