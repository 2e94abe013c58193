# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "loops-and-patches": {
        "why": "plain loops, bars as rectangles with the values above, more words under each",
        "cells": [
            """
import csv, re
from datetime import datetime
forms = ('%Y-%m-%d', '%d.%m.%Y', '%d %b %Y', '%Y/%m/%d', '%d/%m/%Y')
tot = {f'Q{i}': [0, 0.0] for i in range(1, 5)}
for r in csv.DictReader(open('data/sales.csv', encoding='utf-8-sig', newline='')):
    if not re.fullmatch('[0-9]+', (r['order_id'] or '').strip()):
        continue
    for f in forms:
        try:
            d = datetime.strptime(r['date'].strip(), f)
            break
        except ValueError:
            continue
    q = tot[f'Q{(d.month + 2) // 3}']
    v = float(re.sub('[^0-9.]', '', r['gross']))
    q[0] += 1
    q[1] += -v if '(' in r['gross'] else v
with open('output/quarters.csv', 'w', newline='') as out:
    w = csv.writer(out)
    w.writerow(['quarter', 'orders', 'gross'])
    w.writerows([k, n, f'{v:.2f}'] for k, (n, v) in tot.items())
print('best:', max(tot, key=lambda k: tot[k][1]))
print('sum:', format(max(v for _, v in tot.values()), ',.2f'))
""",
            """
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle
fig, ax = plt.subplots(figsize=(12, 8))
for i, (k, (n, v)) in enumerate(tot.items()):
    ax.add_patch(Rectangle((i - 0.3, 0), 0.6, v, color='«colour»'))
    ax.text(i, v, f'{v:,.0f} €', ha='center', va='bottom')
ax.set(xlim=(-0.6, 3.6), ylim=(0, max(v for _, v in tot.values()) * 1.15), ylabel='Gross (€)')
ax.set_xticks(range(4), [f'{k} 2025' for k in tot])
fig.savefig('output/quarters.png', facecolor='white')
""",
        ],
        "answer": "The strongest quarter of 2025 was **«best»**, with a gross of €«sum».",
    },
    "seaborn": {
        "why": "drawn by seaborn; names the quarter in words too",
        "edits": {
            'ax.bar(result["quarter"], result["gross"], color="«colour»")': 'import seaborn as sns\nsns.set_style("whitegrid")\nsns.barplot(data=result, x="quarter", y="gross", color="«colour»", saturation=1, width=0.5, ax=ax)',
            'print("best:", result.loc[result["gross"].idxmax(), "quarter"])': 'best = result.loc[result["gross"].idxmax(), "quarter"]\nprint("best:", best)\nprint("months:", dict(Q1="January to March", Q2="April to June", Q3="July to September", Q4="October to December")[best])',
        },
        "answer": "«best» («months») was the strongest quarter.",
    },
    "in-words": {
        "why": "names the quarter in words alone",
        "edits": {
            'print("best:", result.loc[result["gross"].idxmax(), "quarter"])': 'print("best:", ["first", "second", "third", "fourth"][result["gross"].idxmax()])'
        },
        "answer": "The «best» quarter was the strongest.",
    },
    "then-the-next": {
        "why": "names the next one after it, with sums",
        "edits": {
            'print("best:"': 'r = result.sort_values("gross", ascending=False).reset_index()\nprint("first:", f"{r.loc[0, \'quarter\']} (€{r.loc[0, \'gross\']:,.2f})")\nprint("next:", f"{r.loc[1, \'quarter\']} (€{r.loc[1, \'gross\']:,.2f})")\nprint("best:"'
        },
        "answer": "Strongest quarter: **«first»**, followed by «next».",
    },
    "abbreviated": {"why": "Q and number with the year", "answer": "Strongest: «best» 2025"},
}
NEAR_MISSES = {
    "names-exchanged": {
        "why": "two names exchanged below the bars",
        "edits": {'ax.bar(result["quarter"],': 'ax.bar(["Q1", "Q3", "Q2", "Q4"],'},
    },
    "from-last-to-first": {
        "why": "the quarters from last to first in the chart",
        "edits": {
            'ax.bar(result["quarter"], result["gross"],': 'ax.bar(result["quarter"][::-1], result["gross"][::-1],'
        },
    },
    "weakest": {
        "why": "names the weakest",
        "edits": {'result["gross"].idxmax()': 'result["gross"].idxmin()'},
    },
    "refunds-positive": {"why": "adds refunds", "edits": {"sign = -1 if": "sign = 1 if"}},
    "refunds-not-counted": {
        "why": "does not count refunds as order lines",
        "edits": {'orders=("amount", "size")': 'orders=("amount", lambda a: (a > 0).sum())'},
    },
    "in-thousands": {
        "why": "draws thousands and says so nowhere",
        "edits": {'result["gross"], color': 'result["gross"] / 1000, color'},
    },
    "two-named": {
        "why": "names two quarters",
        "answer": "The strongest quarter was Q1 or Q2 or Q3 or Q4.",
    },
    "four-digits": {
        "why": "three quarters",
        "edits": {"result.to_csv(": "result = result[:3]\nresult.to_csv("},
    },
    "two-strongest": {
        "why": "names two with a stroke",
        "edits": {
            'print("best:"': 'r = result.sort_values("gross", ascending=False)["quarter"].tolist()\nprint("two:", "/".join(r[:2]))\nprint("best:"'
        },
        "answer": "The strongest quarter was «two».",
    },
    "counts-drawn": {
        "why": "draws numbers of orders",
        "edits": {'result["gross"], color': 'result["orders"], color'},
    },
}
