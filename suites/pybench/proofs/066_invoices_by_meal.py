# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a pie of the meals that invoices are for."""

STYLES = {
    "legend": {
        "why": "names in a legend",
        "edits": {
            'ax.pie(counts.values, labels=counts.index, autopct="%1.1f%%")': """ax.pie(counts.values, colors=["gold", "coral", "navy"], startangle=60)
ax.legend(counts.index)""",
        },
    },
    "pandas": {
        "why": "pandas' pie, cropped",
        "edits": {
            'ax.pie(counts.values, labels=counts.index, autopct="%1.1f%%")': 'counts.plot.pie(ax=ax, autopct="%.0f%%", ylabel="")',
            'fig.savefig("output/66.png")': 'fig.savefig("output/66.png", bbox_inches="tight")',
        },
    },
}
NEAR_MISSES = {
    "names-turned": {
        "why": "each wedge under the next name",
        "edits": {
            "labels=counts.index": "labels=[*counts.index[1:], counts.index[0]]",
        },
    },
    "least": {
        "why": "the answer names the rarest",
        "edits": {
            "counts.index[0])": "counts.index[-1])",
        },
    },
}
