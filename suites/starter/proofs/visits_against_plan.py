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
