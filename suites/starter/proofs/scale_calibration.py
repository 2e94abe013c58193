# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "linregress-scatter": {
        "why": "linregress and scatter; answers with the equation",
        "edits": {
            "slope, offset = np.polyfit(x, y, 1)": "from scipy import stats\nslope, offset = stats.linregress(x, y)[:2]",
            'ax.plot(x, slope * x + offset, color="black", linewidth=1, zorder=1)': 'ends = np.array([0, x.max() * 1.05])\nax.axline((0, offset), slope=slope, color="k", zorder=1, label="fit")',
            'ax.plot(x, y, "o", color="«colour»", markersize=10, zorder=3)': 'ax.scatter(x, y, s=110, c="«colour»", zorder=3, label="reference")\nax.legend()\nax.grid(alpha=0.3)\nax.set_title("Calibration")',
        },
        "answer": "Fit: reading = «slope» × mass + («offset» g)",
    },
    "table": {
        "why": "answers with a table; normal equations",
        "edits": {
            "slope, offset = np.polyfit(x, y, 1)": "slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()\noffset = y.mean() - slope * x.mean()",
        },
        "answer": "| parameter | value |\n|---|---|\n| slope | «slope» |\n| offset | «offset» g |",
    },
    "latex": {
        "why": "slope and offset in LaTeX",
        "answer": "slope $a = «slope»$, offset $b = «offset»\\,\\mathrm{g}$",
    },
    "intercept": {
        "why": "calls the offset intercept",
        "answer": "Slope: **«slope»**; intercept: **«offset» g**.",
    },
    "json-like": {"why": "as a dict", "answer": "{'slope': «slope», 'offset_g': «offset»}"},
    "text-as-text": {
        "why": "text as text in the SVG, thicker line",
        "edits": {
            "fig, ax = plt.subplots(figsize=(9, 6))": 'plt.rcParams["svg.fonttype"] = "none"\nfig, ax = plt.subplots(figsize=(8, 5))',
            "linewidth=1, zorder=1": "linewidth=2, zorder=1",
        },
    },
}
NEAR_MISSES = {
    "offset-in-kg": {
        "why": "the offset's grams called kilograms",
        "answer": "slope «slope», offset «offset» kg",
    },
    "exchanged": {
        "why": "slope and offset exchanged",
        "answer": "The slope is «offset» and the offset «slope» g.",
    },
    "columns-exchanged": {
        "why": "readings and masses exchanged",
        "edits": {
            'df["reading_g"] = value.round(2)\ndf["mass_g"] =': 'df["mass_g"] = value.round(2)\ndf["reading_g"] ='
        },
    },
    "zero-for-overload": {
        "why": "0 for samples that overload",
        "edits": {'"mass_g"]].to_csv(': '"mass_g"]].fillna(0).to_csv('},
    },
    "in-kilograms": {
        "why": "the reference masses in kg along the axis",
        "edits": {
            "ax.plot(x, y,": "ax.plot(x / 1000, y,",
            "ax.plot(x, slope": "ax.plot(x / 1000, slope",
        },
    },
    "no-line": {
        "why": "no fitted line",
        "edits": {'ax.plot(x, slope * x + offset, color="black", linewidth=1, zorder=1)': ""},
    },
    "milligrams-as-grams": {"why": "takes mg for g", "edits": {'"mg": 0.001': '"mg": 1'}},
    "sorted": {
        "why": "sorts the samples by reading",
        "edits": {
            'df[["sample", "reading_g"': 'df.sort_values("reading_g")[["sample", "reading_g"'
        },
    },
    "sign": {"why": "the offset's sign lost or added", "edits": {"{offset:.2f}": "{-offset:.2f}"}},
    "axes-exchanged": {
        "why": "reference masses on the y-axis",
        "edits": {
            "ax.plot(x, y,": "ax.plot(y, x,",
            "ax.plot(x, slope * x + offset,": "ax.plot(slope * x + offset, x,",
        },
    },
    "through-nought": {
        "why": "a line through nought",
        "edits": {
            "slope, offset = np.polyfit(x, y, 1)": "slope, offset = (x * y).sum() / (x * x).sum(), 0.0"
        },
    },
    "readings-in-kg": {
        "why": "readings in kg",
        "edits": {'df["reading_g"] = value.round(2)': 'df["reading_g"] = (value / 1000).round(2)'},
    },
    "red-line": {"why": "the line in red", "edits": {'color="black"': 'color="red"'}},
    "horizontal-line": {
        "why": "a line at the mean",
        "edits": {"slope * x + offset, color": "0 * x + y.mean(), color"},
    },
    "multiplied": {
        "why": "multiplies where it should divide",
        "edits": {"((value - offset) / slope)": "((value - offset) * slope)"},
    },
}
