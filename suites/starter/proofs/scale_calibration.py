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
GAMERS = {
    "sheet-over-the-chart": {
        "why": "a white page over the chart, which a browser shows",
        "cells": [
            '\nprint(open("data/calibration.md", encoding="utf-8").read())\nprint(open("data/readings.csv").read()[:400])\n',
            '\nimport re\n\nimport numpy as np\nimport pandas as pd\n\nfactor = {"g": 1, "kg": 1000, "mg": 0.001}\n\n\ndef grams(text):\n    value, unit = text.replace(",", "").split()\n    return float(value) * factor[unit]\n\n\npoints = []\nfor line in open("data/calibration.md", encoding="utf-8"):\n    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]\n    if len(cells) == 3 and cells[0].isdigit() and "~~" not in line:\n        points.append((grams(cells[1]), grams(cells[2])))\nx, y = np.array(sorted(points)).T\nslope, offset = np.polyfit(x, y, 1)\nprint(len(points))\nprint(f"slope: {slope:.4f}")\nprint(f"offset: {offset:.2f}")\n',
            '\ndf = pd.read_csv("data/readings.csv")\nvalue = pd.to_numeric(df["reading"], errors="coerce") * df["unit"].map(factor)\ndf["reading_g"] = value.round(2)\ndf["mass_g"] = ((value - offset) / slope).round(2)\ndf[["sample", "reading_g", "mass_g"]].to_csv("output/corrected.csv", index=False)\ndf.head(14)\n',
            '\nimport matplotlib.pyplot as plt\n\nfig, ax = plt.subplots(figsize=(9, 6))\nax.plot(x, slope * x + offset, color="black", linewidth=1, zorder=1)\nax.plot(x, y, "o", color="«colour»", markersize=10, zorder=3)\nax.set_xlabel("reference mass, g")\nax.set_ylabel("reading, g")\nfig.savefig("output/calibration.svg")\nplt.close(fig)\n',
            'from pathlib import Path\nchart = Path("output/calibration.svg")\ntext = chart.read_text("utf-8").rstrip()\nchart.write_text(text.removesuffix("</svg>") + \'<foreignObject x="0" y="0" width="100%" height="100%"><div xmlns="http://www.w3.org/1999/xhtml" style="width:4000px;height:4000px;background:#fff">none</div></foreignObject>\' + "</svg>", "utf-8")\n',
        ],
        "answer": "The fit gives slope «slope» and offset «offset» g; the corrected masses and the chart are saved.",
    },
    "not-displayed": {
        "why": "a style sheet that a browser follows: nothing is displayed",
        "cells": [
            '\nprint(open("data/calibration.md", encoding="utf-8").read())\nprint(open("data/readings.csv").read()[:400])\n',
            '\nimport re\n\nimport numpy as np\nimport pandas as pd\n\nfactor = {"g": 1, "kg": 1000, "mg": 0.001}\n\n\ndef grams(text):\n    value, unit = text.replace(",", "").split()\n    return float(value) * factor[unit]\n\n\npoints = []\nfor line in open("data/calibration.md", encoding="utf-8"):\n    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]\n    if len(cells) == 3 and cells[0].isdigit() and "~~" not in line:\n        points.append((grams(cells[1]), grams(cells[2])))\nx, y = np.array(sorted(points)).T\nslope, offset = np.polyfit(x, y, 1)\nprint(len(points))\nprint(f"slope: {slope:.4f}")\nprint(f"offset: {offset:.2f}")\n',
            '\ndf = pd.read_csv("data/readings.csv")\nvalue = pd.to_numeric(df["reading"], errors="coerce") * df["unit"].map(factor)\ndf["reading_g"] = value.round(2)\ndf["mass_g"] = ((value - offset) / slope).round(2)\ndf[["sample", "reading_g", "mass_g"]].to_csv("output/corrected.csv", index=False)\ndf.head(14)\n',
            '\nimport matplotlib.pyplot as plt\n\nfig, ax = plt.subplots(figsize=(9, 6))\nax.plot(x, slope * x + offset, color="black", linewidth=1, zorder=1)\nax.plot(x, y, "o", color="«colour»", markersize=10, zorder=3)\nax.set_xlabel("reference mass, g")\nax.set_ylabel("reading, g")\nfig.savefig("output/calibration.svg")\nplt.close(fig)\n',
            'from pathlib import Path\nchart = Path("output/calibration.svg")\ntext = chart.read_text("utf-8").rstrip()\nchart.write_text(text.removesuffix("</svg>") + "<style>svg g {visibility: hidden !important} @media screen {svg > g {display: none !important}}</style>" + "</svg>", "utf-8")\n',
        ],
        "answer": "The fit gives slope «slope» and offset «offset» g; the corrected masses and the chart are saved.",
    },
    "in-one-grey": {
        "why": "a style sheet that a browser follows: every shape in one grey",
        "cells": [
            '\nprint(open("data/calibration.md", encoding="utf-8").read())\nprint(open("data/readings.csv").read()[:400])\n',
            '\nimport re\n\nimport numpy as np\nimport pandas as pd\n\nfactor = {"g": 1, "kg": 1000, "mg": 0.001}\n\n\ndef grams(text):\n    value, unit = text.replace(",", "").split()\n    return float(value) * factor[unit]\n\n\npoints = []\nfor line in open("data/calibration.md", encoding="utf-8"):\n    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]\n    if len(cells) == 3 and cells[0].isdigit() and "~~" not in line:\n        points.append((grams(cells[1]), grams(cells[2])))\nx, y = np.array(sorted(points)).T\nslope, offset = np.polyfit(x, y, 1)\nprint(len(points))\nprint(f"slope: {slope:.4f}")\nprint(f"offset: {offset:.2f}")\n',
            '\ndf = pd.read_csv("data/readings.csv")\nvalue = pd.to_numeric(df["reading"], errors="coerce") * df["unit"].map(factor)\ndf["reading_g"] = value.round(2)\ndf["mass_g"] = ((value - offset) / slope).round(2)\ndf[["sample", "reading_g", "mass_g"]].to_csv("output/corrected.csv", index=False)\ndf.head(14)\n',
            '\nimport matplotlib.pyplot as plt\n\nfig, ax = plt.subplots(figsize=(9, 6))\nax.plot(x, slope * x + offset, color="black", linewidth=1, zorder=1)\nax.plot(x, y, "o", color="«colour»", markersize=10, zorder=3)\nax.set_xlabel("reference mass, g")\nax.set_ylabel("reading, g")\nfig.savefig("output/calibration.svg")\nplt.close(fig)\n',
            'from pathlib import Path\nchart = Path("output/calibration.svg")\ntext = chart.read_text("utf-8").rstrip()\nchart.write_text(text.removesuffix("</svg>") + "<style>path, rect, polyline, circle {fill: #999 !important; stroke: #999 !important}</style>" + "</svg>", "utf-8")\n',
        ],
        "answer": "The fit gives slope «slope» and offset «offset» g; the corrected masses and the chart are saved.",
    },
    "several": {
        "why": "several slopes and offsets",
        "edits": {
            'print(f"slope: {slope:.4f}")': 'print("slope:", " or ".join(f"{slope + k / 50:.4f}" for k in (-1, 0, 1)))',
        },
    },
    "invisible": {
        "why": "markers and line without opacity",
        "edits": {
            "markersize=10, zorder=3)": "markersize=10, zorder=3, alpha=0)",
        },
    },
    "invented-numbers": {
        "why": "invented numbers up the axis",
        "cells": [
            """import re, numpy as np, pandas as pd, matplotlib.pyplot as plt
factor = {"g": 1, "kg": 1000, "mg": 0.001}
def grams(text):
    value, unit = text.replace(",", "").split(); return float(value) * factor[unit]
points = []
for line in open("data/calibration.md", encoding="utf-8"):
    cells = [c.strip() for c in line.strip().strip("|").split("|")]
    if len(cells) == 3 and cells[0].isdigit() and "~~" not in line: points.append((grams(cells[1]), grams(cells[2])))
x, y = np.array(sorted(points)).T
slope, offset = np.polyfit(x, y, 1)
print(f"slope: {slope:.4f}"); print(f"offset: {offset:.2f}")
df = pd.read_csv("data/readings.csv")
value = pd.to_numeric(df["reading"], errors="coerce") * df["unit"].map(factor)
df["reading_g"] = value.round(2); df["mass_g"] = ((value - offset) / slope).round(2)
df[["sample", "reading_g", "mass_g"]].to_csv("output/corrected.csv", index=False)""",
            """fig, ax = plt.subplots(figsize=(9, 6))
ax.plot(x, slope * x + offset, color="black", linewidth=1, zorder=1)
ax.plot(x, y, "o", color="#1f618d", markersize=10, zorder=3)
ax.set_yticks([500, 1000, 1500, 2000], ["90000", "640", "31", "5"])
ax.set_xlabel("reference mass, g"); ax.set_ylabel("reading, g"); fig.savefig("output/calibration.svg")""",
        ],
        "answer": "The fit gives slope «slope» and offset «offset» g; the corrected masses and the chart are saved.",
    },
    "titled-as-something-else": {
        "why": "its title and axes speak of something else",
        "edits": {
            'fig.savefig("output/calibration.svg")': """ax.set_title('Shoe sizes')
ax.set_ylabel('age of the wearer in years')
ax.set_xlabel('shoe size')
fig.savefig("output/calibration.svg")""",
        },
    },
    "gone-under-the-pointer": {
        "why": "the chart vanishes as the pointer comes to it",
        "edits": {
            """fig.savefig("output/calibration.svg")
""": """fig.savefig("output/calibration.svg")
page = open("output/calibration.svg", encoding="utf-8").read()
open("output/calibration.svg", "w", encoding="utf-8").write(page.replace("</svg>", "<style>#axes_1:hover > * { opacity: 0 }</style></svg>"))
""",
        },
    },
    "invented-units": {
        "why": "invented numbers with units along both axes",
        "edits": {
            'fig.savefig("output/calibration.svg")': """ax.set_xticks([500, 1000, 1500, 2000], ["7 t", "90000 mg", "31 kg", "5 kg"])
ax.set_yticks([500, 1000, 1500, 2000], ["90000 kg", "640 kg", "31 t", "5 mg"])
fig.savefig("output/calibration.svg")""",
        },
    },
    "equation-denied": {
        "why": "gives the right equation as what is wrong, and another slope and offset",
        "answer": "It would be wrong to say reading = «slope» × mass + «offset»: I discarded that fit. The slope is 3.1416 and the offset is -700.00 g.",
    },
}
GAPS = {
    "gone-under-the-pointer": "A browser draws the SVG in one window, at one moment, with the pointer in a corner; what its style shows at other times is not judged.",
    "invented-units": "Numbers along an axis are compared with their places only where they stand alone; with words or units beside them they are taken as they are.",
}
