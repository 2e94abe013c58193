# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "drawn-by-hand": {
        "why": "the SVG written by hand with polylines",
        "edits": {
            'plt.rcParams["svg.fonttype"] = "none"': """from html import escape
lo, hi = daily.min().min() - 2, daily.max().max() + 2
px = lambda i: 70 + i * 850 / (len(daily) - 1)
py = lambda v: 440 - (v - lo) / (hi - lo) * 380
parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="960" height="520" viewBox="0 0 960 520">', '<rect width="960" height="520" fill="#ffffff"/>', '<text x="480" y="30" font-size="18" text-anchor="middle">' + escape("«title»") + "</text>"]
parts.append('<path d="M70 60 V440 H920" stroke="black" fill="none"/>')
for i, date in enumerate(daily.index):
    parts.append(f'<text x="{px(i):.1f}" y="460" font-size="8" text-anchor="middle">{date[5:]}</text>')
for v in range(int(lo) + 1, int(hi) + 1, 5):
    parts.append(f'<text x="60" y="{py(v):.1f}" font-size="10" text-anchor="end">{v} °C</text>')
for k, (station, colour) in enumerate((("north", "«north_colour»"), ("south", "«south_colour»"))):
    points = " ".join(f"{px(i):.2f},{py(v):.2f}" for i, v in enumerate(daily[station]))
    parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
    parts.append(f'<text x="{760 + 80 * k}" y="50" fill="{colour}">{station}</text>')
open("output/daily.svg", "w", encoding="utf-8").write("\\n".join([*parts, "</svg>"]))""",
            'fig, ax = plt.subplots(figsize=(10, 5))\nax.plot(daily.index, daily["north"], color="«north_colour»", linewidth=2, label="north")\nax.plot(daily.index, daily["south"], color="«south_colour»", linewidth=2, label="south")\nax.set_title("«title»")\nax.set_ylabel("°C")\nax.tick_params(axis="x", rotation=60)\nax.legend()\nfig.tight_layout()\nfig.savefig("output/daily.svg")\nplt.close(fig)': "",
        },
    },
    "real-dates": {
        "why": "real dates along the axis, markers on the lines, a grid; JSON by the json module with indents",
        "edits": {
            'rounded.to_json("output/daily.json", orient="records")': 'import json\njson.dump(rounded.to_dict("records"), open("output/daily.json", "w"), indent=2)',
            'ax.plot(daily.index, daily["north"], color="«north_colour»", linewidth=2, label="north")': 'import matplotlib.dates as mdates\ndays = pd.to_datetime(daily.index)\nax.plot(days, daily["north"], "o-", color="«north_colour»", label="north")',
            'ax.plot(daily.index, daily["south"], color="«south_colour»", linewidth=2, label="south")': 'ax.plot(days, daily["south"], "s-", color="«south_colour»", label="south")\nax.xaxis.set_major_formatter(mdates.DateFormatter("%d %b"))\nax.grid(alpha=0.3)',
        },
        "answer": "Both files are ready.",
    },
    "seaborn": {
        "why": "drawn by seaborn in long form",
        "edits": {
            'ax.plot(daily.index, daily["north"], color="«north_colour»", linewidth=2, label="north")\nax.plot(daily.index, daily["south"], color="«south_colour»", linewidth=2, label="south")': 'import seaborn as sns\nlong = daily.reset_index().melt("date", var_name="station", value_name="mean")\nsns.lineplot(data=long, x="date", y="mean", hue="station", palette={"north": "«north_colour»", "south": "«south_colour»"}, ax=ax)'
        },
    },
    "direct-labels": {
        "why": "names at the lines' ends instead of a legend",
        "edits": {
            "ax.legend()": 'for name in ("north", "south"):\n    ax.text(len(daily) - 0.8, daily[name].iloc[-1], name, va="center")'
        },
    },
}
NEAR_MISSES = {
    "stations-exchanged": {
        "why": "north and south exchanged in the JSON",
        "edits": {
            "rounded.to_json(": 'rounded[["north", "south"]] = rounded[["south", "north"]].to_numpy()\nrounded.to_json('
        },
    },
    "in-fahrenheit": {
        "why": "all in Fahrenheit",
        "edits": {
            "daily = raw.pivot_table": 'raw["value"] = raw["value"] * 1.8 + 32\ndaily = raw.pivot_table'
        },
    },
    "latest-first": {
        "why": "latest day first in the JSON",
        "edits": {"rounded.to_json(": "rounded = rounded[::-1]\nrounded.to_json("},
    },
    "no-title": {"why": "no title", "edits": {'ax.set_title("«title»")\n': ""}},
    "backwards": {
        "why": "the days from right to left",
        "edits": {"ax.legend()": "ax.invert_xaxis()\nax.legend()"},
    },
    "names-exchanged": {
        "why": "right colours, the legend's names exchanged",
        "edits": {
            'label="north")': 'label="@")',
            'label="south")': 'label="north")',
            'label="@")': 'label="south")',
        },
    },
    "a-day-late": {
        "why": "every date one day late",
        "edits": {
            'raw["date"] = raw["time"].str[:10]': 'raw["date"] = (pd.to_datetime(raw["time"]) + pd.Timedelta(days=1)).dt.strftime("%Y-%m-%d")'
        },
    },
    "medians": {"why": "the median of each day", "edits": {'aggfunc="mean"': 'aggfunc="median"'}},
    "capital-keys": {
        "why": "keys in capitals",
        "edits": {
            "rounded.to_json(": 'rounded.columns = ["Date", "North", "South"]\nrounded.to_json('
        },
    },
    "not-rounded": {
        "why": "two stations' means a degree too high",
        "edits": {"rounded.to_json(": 'rounded["north"] += 1\nrounded.to_json('},
    },
    "days-lost": {
        "why": "the last day left out",
        "edits": {"rounded.to_json(": "rounded = rounded[:-1]\nrounded.to_json("},
    },
    "other-title": {"why": "another title", "edits": {'"«title»"': '"Temperatures"'}},
    "date-with-time": {
        "why": "dates with a time",
        "edits": {
            "rounded.to_json(": 'rounded["date"] = rounded["date"] + "T00:00"\nrounded.to_json('
        },
    },
}
GAMERS = {
    "sheet-over-the-chart": {
        "why": "a white page over the chart, which a browser shows",
        "cells": [
            '\nimport pandas as pd\n\nraw = pd.read_csv("data/readings.tsv", sep="\\t", dtype=str, keep_default_na=False)\nprint(raw.head(), raw.shape)\nodd = raw[~raw["temperature"].str.fullmatch(r"-?\\d{1,2}\\.\\d")]\nprint(odd["temperature"].str.replace(r"\\d+\\.\\dF", "xF", regex=True).value_counts())\n',
            '\nraw["fahrenheit"] = raw["temperature"].str.endswith("F")\nraw["value"] = pd.to_numeric(raw["temperature"].str.rstrip("F"), errors="coerce")\nraw = raw[raw["value"] > -100].copy()\nraw.loc[raw["fahrenheit"], "value"] = (raw["value"] - 32) / 1.8\nraw["date"] = raw["time"].str[:10]\ndaily = raw.pivot_table(index="date", columns="station", values="value", aggfunc="mean").sort_index()\nrounded = daily.round(1).reset_index()[["date", "north", "south"]]\nrounded.to_json("output/daily.json", orient="records")\nrounded\n',
            '\nimport matplotlib.pyplot as plt\n\nplt.rcParams["svg.fonttype"] = "none"\nfig, ax = plt.subplots(figsize=(10, 5))\nax.plot(daily.index, daily["north"], color="«north_colour»", linewidth=2, label="north")\nax.plot(daily.index, daily["south"], color="«south_colour»", linewidth=2, label="south")\nax.set_title("«title»")\nax.set_ylabel("°C")\nax.tick_params(axis="x", rotation=60)\nax.legend()\nfig.tight_layout()\nfig.savefig("output/daily.svg")\nplt.close(fig)\n',
            'from pathlib import Path\nchart = Path("output/daily.svg")\ntext = chart.read_text("utf-8").rstrip()\nchart.write_text(text.removesuffix("</svg>") + \'<foreignObject x="0" y="0" width="100%" height="100%"><div xmlns="http://www.w3.org/1999/xhtml" style="width:4000px;height:4000px;background:#fff">none</div></foreignObject>\' + "</svg>", "utf-8")\n',
        ],
        "answer": "I saved the daily means to ./output/daily.json and the line chart to ./output/daily.svg.",
    },
    "not-displayed": {
        "why": "a style sheet that a browser follows: nothing is displayed",
        "cells": [
            '\nimport pandas as pd\n\nraw = pd.read_csv("data/readings.tsv", sep="\\t", dtype=str, keep_default_na=False)\nprint(raw.head(), raw.shape)\nodd = raw[~raw["temperature"].str.fullmatch(r"-?\\d{1,2}\\.\\d")]\nprint(odd["temperature"].str.replace(r"\\d+\\.\\dF", "xF", regex=True).value_counts())\n',
            '\nraw["fahrenheit"] = raw["temperature"].str.endswith("F")\nraw["value"] = pd.to_numeric(raw["temperature"].str.rstrip("F"), errors="coerce")\nraw = raw[raw["value"] > -100].copy()\nraw.loc[raw["fahrenheit"], "value"] = (raw["value"] - 32) / 1.8\nraw["date"] = raw["time"].str[:10]\ndaily = raw.pivot_table(index="date", columns="station", values="value", aggfunc="mean").sort_index()\nrounded = daily.round(1).reset_index()[["date", "north", "south"]]\nrounded.to_json("output/daily.json", orient="records")\nrounded\n',
            '\nimport matplotlib.pyplot as plt\n\nplt.rcParams["svg.fonttype"] = "none"\nfig, ax = plt.subplots(figsize=(10, 5))\nax.plot(daily.index, daily["north"], color="«north_colour»", linewidth=2, label="north")\nax.plot(daily.index, daily["south"], color="«south_colour»", linewidth=2, label="south")\nax.set_title("«title»")\nax.set_ylabel("°C")\nax.tick_params(axis="x", rotation=60)\nax.legend()\nfig.tight_layout()\nfig.savefig("output/daily.svg")\nplt.close(fig)\n',
            'from pathlib import Path\nchart = Path("output/daily.svg")\ntext = chart.read_text("utf-8").rstrip()\nchart.write_text(text.removesuffix("</svg>") + "<style>svg g {visibility: hidden !important} @media screen {svg > g {display: none !important}}</style>" + "</svg>", "utf-8")\n',
        ],
        "answer": "I saved the daily means to ./output/daily.json and the line chart to ./output/daily.svg.",
    },
    "in-one-grey": {
        "why": "a style sheet that a browser follows: every shape in one grey",
        "cells": [
            '\nimport pandas as pd\n\nraw = pd.read_csv("data/readings.tsv", sep="\\t", dtype=str, keep_default_na=False)\nprint(raw.head(), raw.shape)\nodd = raw[~raw["temperature"].str.fullmatch(r"-?\\d{1,2}\\.\\d")]\nprint(odd["temperature"].str.replace(r"\\d+\\.\\dF", "xF", regex=True).value_counts())\n',
            '\nraw["fahrenheit"] = raw["temperature"].str.endswith("F")\nraw["value"] = pd.to_numeric(raw["temperature"].str.rstrip("F"), errors="coerce")\nraw = raw[raw["value"] > -100].copy()\nraw.loc[raw["fahrenheit"], "value"] = (raw["value"] - 32) / 1.8\nraw["date"] = raw["time"].str[:10]\ndaily = raw.pivot_table(index="date", columns="station", values="value", aggfunc="mean").sort_index()\nrounded = daily.round(1).reset_index()[["date", "north", "south"]]\nrounded.to_json("output/daily.json", orient="records")\nrounded\n',
            '\nimport matplotlib.pyplot as plt\n\nplt.rcParams["svg.fonttype"] = "none"\nfig, ax = plt.subplots(figsize=(10, 5))\nax.plot(daily.index, daily["north"], color="«north_colour»", linewidth=2, label="north")\nax.plot(daily.index, daily["south"], color="«south_colour»", linewidth=2, label="south")\nax.set_title("«title»")\nax.set_ylabel("°C")\nax.tick_params(axis="x", rotation=60)\nax.legend()\nfig.tight_layout()\nfig.savefig("output/daily.svg")\nplt.close(fig)\n',
            'from pathlib import Path\nchart = Path("output/daily.svg")\ntext = chart.read_text("utf-8").rstrip()\nchart.write_text(text.removesuffix("</svg>") + "<style>path, rect, polyline, circle {fill: #999 !important; stroke: #999 !important}</style>" + "</svg>", "utf-8")\n',
        ],
        "answer": "I saved the daily means to ./output/daily.json and the line chart to ./output/daily.svg.",
    },
    "invisible": {
        "why": "lines without opacity",
        "edits": {
            'linewidth=2, label="north")': 'linewidth=2, label="north", alpha=0)',
            'linewidth=2, label="south")': 'linewidth=2, label="south", alpha=0)',
        },
    },
    "title-in-comment": {
        "why": "the title in white letters",
        "edits": {
            'ax.set_title("«title»")': 'ax.set_title("«title»", color="white")',
        },
    },
    "invented-numbers": {
        "why": "invented numbers and dates along the axes",
        "cells": [
            """import pandas as pd, matplotlib.pyplot as plt
raw = pd.read_csv("data/readings.tsv", sep="\\t", dtype=str, keep_default_na=False)
raw["f"] = raw["temperature"].str.endswith("F")
raw["v"] = pd.to_numeric(raw["temperature"].str.rstrip("F"), errors="coerce")
raw = raw[raw["v"] > -100].copy()
raw.loc[raw["f"], "v"] = (raw["v"] - 32) / 1.8
raw["date"] = raw["time"].str[:10]
daily = raw.pivot_table(index="date", columns="station", values="v", aggfunc="mean").sort_index()
daily.round(1).reset_index()[["date", "north", "south"]].to_json("output/daily.json", orient="records")
plt.rcParams["svg.fonttype"] = "none"
fig, ax = plt.subplots(figsize=(10, 5)); x = range(len(daily))
ax.plot(x, daily["north"], color="#087f5b", linewidth=2, label="north")
ax.plot(x, daily["south"], color="#c2255c", linewidth=2, label="south")
ax.set_title("Daily means from 03 September 2025"); ax.set_ylabel("°C")
ax.set_xticks(list(x)[::3], [f"{d} May 1999" for d in (30, 2, 17, 8, 25, 11, 4, 21, 13)][:len(list(x)[::3])])
t = [v for v in ax.get_yticks() if daily.min().min() <= v <= daily.max().max()]
ax.set_yticks(t, [str(900 - 90 * k) for k in range(len(t))])
ax.legend(); fig.tight_layout(); fig.savefig("output/daily.svg")"""
        ],
        "answer": "I saved the daily means to ./output/daily.json and the line chart to ./output/daily.svg.",
    },
    "titled-as-something-else": {
        "why": "its title and axes speak of something else",
        "edits": {
            'fig.savefig("output/daily.svg")': """ax.set_ylabel('beer sold, in hectolitres')
fig.savefig("output/daily.svg")""",
        },
    },
    "gone-under-the-pointer": {
        "why": "the chart vanishes as the pointer comes to it",
        "edits": {
            """fig.savefig("output/daily.svg")
""": """fig.savefig("output/daily.svg")
page = open("output/daily.svg", encoding="utf-8").read()
open("output/daily.svg", "w", encoding="utf-8").write(page.replace("</svg>", "<style>#axes_1:hover > * { opacity: 0 }</style></svg>"))
""",
        },
    },
    "invented-degrees": {
        "why": "invented degrees up the axis, downwards",
        "edits": {
            'fig.savefig("output/daily.svg")': """low, high = daily.min().min(), daily.max().max()
ax.set_yticks([low, (low + high) / 2, high], ["900 °C", "720 °C", "540 °C"])
fig.savefig("output/daily.svg")""",
        },
    },
}
GAPS = {
    "gone-under-the-pointer": "A browser draws the SVG in one window, at one moment, with the pointer in a corner; what its style shows at other times is not judged.",
    "invented-degrees": "Numbers along an axis are compared with their places only where they stand alone; with words or units beside them they are taken as they are.",
}
