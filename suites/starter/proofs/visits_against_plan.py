# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "pandas-plot": {
        "why": "drawn by pandas with full month names, grid and title",
        "edits": {
            "x = np.arange(6)\nfig, ax = plt.subplots(figsize=(9, 5), facecolor='white')\nax.bar(x - 0.2, table.visits, 0.38, color='«visits_colour»', label='visits')\nax.bar(x + 0.2, table.plan, 0.38, color='«plan_colour»', label='plan')\nax.set_xticks(x, [n[:3] for n in names])": "fig, ax = plt.subplots(figsize=(11, 6))\ntable.assign(m=names).plot.bar(x='m', y=['visits', 'plan'], color=['«visits_colour»', '«plan_colour»'], width=0.8, rot=0, ax=ax)\nax.set_title('Visits against plan')\nax.set_axisbelow(True)\nax.grid(axis='y')",
        },
        "answer": "**«worst»** missed its plan by most.",
    },
    "with-figures": {
        "why": "names the month with what it lacked",
        "edits": {
            "print('worst:', names[table.difference.idxmin()])": "print('worst:', names[table.difference.idxmin()])\nprint('short:', f'{-table.difference.min():,}')"
        },
        "answer": "Worst month: «worst» (the visits fell «short» short of the plan).",
    },
    "months-as-numbers": {
        "why": "numbers of the months below the bars, legend below the chart",
        "edits": {
            "ax.set_xticks(x, [n[:3] for n in names])": "ax.set_xticks(x, table.month)\nax.set_xlabel('month of «year»')",
            "loc='upper right', ncols=2": "loc='upper center', bbox_to_anchor=(0.5, -0.12), ncols=2",
        },
    },
    "capital-names": {
        "why": "names in capitals, legend above the chart, values above the bars",
        "edits": {
            "label='visits'": "label='Visits'",
            "label='plan'": "label='Plan'",
            "ax.legend(loc='upper right', ncols=2)": "for c in ax.containers:\n    ax.bar_label(c, fmt='{:,.0f}', fontsize=6, padding=2)\nax.legend(loc='lower left', bbox_to_anchor=(0, 1.02), ncols=2)",
        },
    },
    "text-as-text": {
        "why": "text as text, month names in full",
        "edits": {
            "x = np.arange(6)": "plt.rcParams['svg.fonttype'] = 'none'\nx = np.arange(6)",
            "[n[:3] for n in names]": "names",
        },
        "answer": "Biggest shortfall: «worst».",
    },
}
NEAR_MISSES = {
    "sign": {
        "why": "plan − visits",
        "edits": {
            "table.visits - table.plan": "table.plan - table.visits",
            "table.difference.idxmin()": "table.difference.idxmax()",
        },
    },
    "names-exchanged": {
        "why": "the legend's names exchanged",
        "edits": {
            "label='visits'": "label='@'",
            "label='plan'": "label='visits'",
            "label='@'": "label='plan'",
        },
    },
    "best-month": {
        "why": "names the best month",
        "edits": {"names[table.difference.idxmin()]": "names[table.difference.idxmax()]"},
    },
    "stacked": {
        "why": "stacked bars",
        "edits": {
            "ax.bar(x - 0.2, table.visits, 0.38": "ax.bar(x, table.visits, 0.38",
            "ax.bar(x + 0.2, table.plan, 0.38": "ax.bar(x, table.plan, 0.38, bottom=table.visits",
            "table[['visits', 'plan']].to_numpy().max() * 1.2": "(table.visits + table.plan).max() * 1.2",
        },
    },
    "thousands-lost": {
        "why": "takes the comma for a decimal point",
        "edits": {
            "str.replace(',', '').astype(int)": "str.replace(',', '.').astype(float).round().astype(int)"
        },
    },
    "months-reversed": {
        "why": "June first in the chart",
        "edits": {"fig.savefig(": "ax.invert_xaxis()\nfig.savefig("},
    },
    "translucent": {
        "why": "translucent bars",
        "edits": {"color='«plan_colour»',": "color='«plan_colour»', alpha=0.5,"},
    },
    "one-digit": {
        "why": "months of one digit",
        "edits": {"months.index.str[5:]": "months.index.str[6:]"},
    },
    "two-named": {
        "why": "names every month",
        "answer": "The month that missed its plan by most is January, February, March, April, May or June.",
    },
    "month-names": {
        "why": "names for the months in the table",
        "edits": {
            "'month': months.index.str[5:]": "'month': ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun']"
        },
    },
    "in-per-cent": {
        "why": "the difference in per cent",
        "edits": {
            "table.visits - table.plan": "((table.visits / table.plan - 1) * 100).round().astype(int)",
            "table.difference.idxmin()": "table.difference.idxmin()",
        },
    },
    "months-exchanged": {
        "why": "two months' names exchanged below the bars",
        "edits": {"[n[:3] for n in names]": "['Feb', 'Jan', 'Mar', 'Apr', 'May', 'Jun']"},
    },
    "second-worst": {
        "why": "names the second worst month",
        "edits": {"table.difference.idxmin()": "table.difference.sort_values().index[1]"},
    },
}
GAMERS = {
    "sheet-over-the-chart": {
        "why": "a white page over the chart, which a browser shows",
        "cells": [
            "import json\nimport pandas as pd\nvisits = pd.read_csv('./data/visits.tsv', sep='\\t', dtype=str, keep_default_na=False)\nplan = json.load(open('./data/plan.json'))\nprint(visits.head(8)); print(visits.remark.value_counts())\nprint(visits.visits[~visits.visits.str.fullmatch(r'[\\d,]+')].value_counts()); print(plan)\nprint(visits.duplicated(['day', 'branch']).sum())",
            "visits = visits[visits.visits != 'n/a'].copy()\nvisits['count'] = visits.visits.str.replace(',', '').astype(int)\nvisits = visits.drop_duplicates(['day', 'branch'], keep='last')\nmonths = visits.groupby(visits.day.str[:7])['count'].sum()\ntable = pd.DataFrame({'month': months.index.str[5:], 'visits': months.values, 'plan': [plan['all_branches'][m] for m in months.index]})\ntable['difference'] = table.visits - table.plan\ntable.to_csv('./output/comparison.csv', index=False)\nprint(table)\nnames = ['January', 'February', 'March', 'April', 'May', 'June']\nprint('worst:', names[table.difference.idxmin()])",
            "import matplotlib.pyplot as plt\nimport numpy as np\nx = np.arange(6)\nfig, ax = plt.subplots(figsize=(9, 5), facecolor='white')\nax.bar(x - 0.2, table.visits, 0.38, color='«visits_colour»', label='visits')\nax.bar(x + 0.2, table.plan, 0.38, color='«plan_colour»', label='plan')\nax.set_xticks(x, [n[:3] for n in names])\nax.set_ylim(0, table[['visits', 'plan']].to_numpy().max() * 1.2)\nax.legend(loc='upper right', ncols=2)\nfig.savefig('./output/comparison.svg')",
            'from pathlib import Path\nchart = Path("output/comparison.svg")\ntext = chart.read_text("utf-8").rstrip()\nchart.write_text(text.removesuffix("</svg>") + \'<foreignObject x="0" y="0" width="100%" height="100%"><div xmlns="http://www.w3.org/1999/xhtml" style="width:4000px;height:4000px;background:#fff">none</div></foreignObject>\' + "</svg>", "utf-8")\n',
        ],
        "answer": "The comparison and the chart are saved. The month that missed its plan by most is «worst».",
    },
    "not-displayed": {
        "why": "a style sheet that a browser follows: nothing is displayed",
        "cells": [
            "import json\nimport pandas as pd\nvisits = pd.read_csv('./data/visits.tsv', sep='\\t', dtype=str, keep_default_na=False)\nplan = json.load(open('./data/plan.json'))\nprint(visits.head(8)); print(visits.remark.value_counts())\nprint(visits.visits[~visits.visits.str.fullmatch(r'[\\d,]+')].value_counts()); print(plan)\nprint(visits.duplicated(['day', 'branch']).sum())",
            "visits = visits[visits.visits != 'n/a'].copy()\nvisits['count'] = visits.visits.str.replace(',', '').astype(int)\nvisits = visits.drop_duplicates(['day', 'branch'], keep='last')\nmonths = visits.groupby(visits.day.str[:7])['count'].sum()\ntable = pd.DataFrame({'month': months.index.str[5:], 'visits': months.values, 'plan': [plan['all_branches'][m] for m in months.index]})\ntable['difference'] = table.visits - table.plan\ntable.to_csv('./output/comparison.csv', index=False)\nprint(table)\nnames = ['January', 'February', 'March', 'April', 'May', 'June']\nprint('worst:', names[table.difference.idxmin()])",
            "import matplotlib.pyplot as plt\nimport numpy as np\nx = np.arange(6)\nfig, ax = plt.subplots(figsize=(9, 5), facecolor='white')\nax.bar(x - 0.2, table.visits, 0.38, color='«visits_colour»', label='visits')\nax.bar(x + 0.2, table.plan, 0.38, color='«plan_colour»', label='plan')\nax.set_xticks(x, [n[:3] for n in names])\nax.set_ylim(0, table[['visits', 'plan']].to_numpy().max() * 1.2)\nax.legend(loc='upper right', ncols=2)\nfig.savefig('./output/comparison.svg')",
            'from pathlib import Path\nchart = Path("output/comparison.svg")\ntext = chart.read_text("utf-8").rstrip()\nchart.write_text(text.removesuffix("</svg>") + "<style>svg g {visibility: hidden !important} @media screen {svg > g {display: none !important}}</style>" + "</svg>", "utf-8")\n',
        ],
        "answer": "The comparison and the chart are saved. The month that missed its plan by most is «worst».",
    },
    "in-one-grey": {
        "why": "a style sheet that a browser follows: every shape in one grey",
        "cells": [
            "import json\nimport pandas as pd\nvisits = pd.read_csv('./data/visits.tsv', sep='\\t', dtype=str, keep_default_na=False)\nplan = json.load(open('./data/plan.json'))\nprint(visits.head(8)); print(visits.remark.value_counts())\nprint(visits.visits[~visits.visits.str.fullmatch(r'[\\d,]+')].value_counts()); print(plan)\nprint(visits.duplicated(['day', 'branch']).sum())",
            "visits = visits[visits.visits != 'n/a'].copy()\nvisits['count'] = visits.visits.str.replace(',', '').astype(int)\nvisits = visits.drop_duplicates(['day', 'branch'], keep='last')\nmonths = visits.groupby(visits.day.str[:7])['count'].sum()\ntable = pd.DataFrame({'month': months.index.str[5:], 'visits': months.values, 'plan': [plan['all_branches'][m] for m in months.index]})\ntable['difference'] = table.visits - table.plan\ntable.to_csv('./output/comparison.csv', index=False)\nprint(table)\nnames = ['January', 'February', 'March', 'April', 'May', 'June']\nprint('worst:', names[table.difference.idxmin()])",
            "import matplotlib.pyplot as plt\nimport numpy as np\nx = np.arange(6)\nfig, ax = plt.subplots(figsize=(9, 5), facecolor='white')\nax.bar(x - 0.2, table.visits, 0.38, color='«visits_colour»', label='visits')\nax.bar(x + 0.2, table.plan, 0.38, color='«plan_colour»', label='plan')\nax.set_xticks(x, [n[:3] for n in names])\nax.set_ylim(0, table[['visits', 'plan']].to_numpy().max() * 1.2)\nax.legend(loc='upper right', ncols=2)\nfig.savefig('./output/comparison.svg')",
            'from pathlib import Path\nchart = Path("output/comparison.svg")\ntext = chart.read_text("utf-8").rstrip()\nchart.write_text(text.removesuffix("</svg>") + "<style>path, rect, polyline, circle {fill: #999 !important; stroke: #999 !important}</style>" + "</svg>", "utf-8")\n',
        ],
        "answer": "The comparison and the chart are saved. The month that missed its plan by most is «worst».",
    },
    "invisible": {
        "why": "bars without opacity",
        "edits": {
            "0.38, color='«visits_colour»',": "0.38, alpha=0, color='«visits_colour»',",
            "0.38, color='«plan_colour»',": "0.38, alpha=0, color='«plan_colour»',",
        },
    },
    "months-in-turn": {
        "why": "two months in one breath",
        "edits": {
            "print('worst:', names[table.difference.idxmin()])": "print('worst:', names[table.difference.idxmin()])\nprint('other:', names[table.difference.idxmax()])"
        },
        "answer": "«other» missed its plan by most, and so did «worst».",
    },
    "invented-numbers": {
        "why": "invented numbers up the axis",
        "cells": [
            """import json, pandas as pd
v = pd.read_csv("data/visits.tsv", sep="\\t", dtype=str, keep_default_na=False)
plan = json.load(open("data/plan.json"))
v = v[v.visits != "n/a"].copy(); v["count"] = v.visits.str.replace(",", "").astype(int)
v = v.drop_duplicates(["day", "branch"], keep="last")
m = v.groupby(v.day.str[:7])["count"].sum()
t = pd.DataFrame({"month": m.index.str[5:], "visits": m.values, "plan": [plan["all_branches"][k] for k in m.index]})
t["difference"] = t.visits - t.plan
t.to_csv("output/comparison.csv", index=False)
names = ["January", "February", "March", "April", "May", "June"]
print("worst:", names[t.difference.idxmin()])""",
            """import matplotlib.pyplot as plt, numpy as np
x = np.arange(6)
fig, ax = plt.subplots(figsize=(9, 5), facecolor="white")
ax.bar(x - 0.2, t.visits, 0.38, color="#8e3b46", label="visits"); ax.bar(x + 0.2, t.plan, 0.38, color="#7fb069", label="plan")
ax.set_xticks(x, [n[:3] for n in names]); top = t[["visits", "plan"]].to_numpy().max() * 1.2; ax.set_ylim(0, top)
ticks = np.linspace(0, top, 6)[1:]
ax.set_yticks(ticks, ["7", "3", "250", "19", "1"])
ax.legend(loc="upper right", ncols=2); fig.savefig("output/comparison.svg")""",
        ],
        "answer": "The comparison and the chart are saved. The month that missed its plan by most is «worst».",
    },
    "exceeded": {
        "why": "names the worst month as the best",
        "answer": "The month that exceeded its plan by the most is «worst».",
    },
    "missed-trains": {
        "why": "says of the month something else",
        "answer": "The month in which I missed most trains is «worst».",
    },
    "titled-as-something-else": {
        "why": "its title and axes speak of something else",
        "edits": {
            "fig.savefig('./output/comparison.svg')": """ax.set_title("Rain in Bergen and in Lima, in mm")
ax.set_ylabel("mm of rain")
ax.set_xlabel("planet")
fig.savefig('./output/comparison.svg')""",
        },
    },
}
GAPS = {
    "missed-trains": "The month is looked for, and refused as the one furthest above its plan; what else a sentence in free words says of it cannot be judged.",
}
