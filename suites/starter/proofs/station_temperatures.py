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
