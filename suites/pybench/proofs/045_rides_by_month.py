# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a time series out of a table of bicycle rides by month."""

STYLES = {
    "one-kind": {
        "why": "one line, months counted",
        "edits": {
            'bottom.plot(rows["month"], rows["Monthly_Total Count of ride_id"], marker="o", label=kind)': 'bottom.bar(range(1, len(rows) + 1), rows["Monthly_Total Count of ride_id"])',
        },
    },
    "wide": {
        "why": "pandas' plot of both kinds",
        "edits": {
            """for kind, rows in df.groupby("Type_Member"):
    top.plot(rows["month"], rows["minutes"], marker="o", label=kind)
    bottom.plot(rows["month"], rows["Monthly_Total Count of ride_id"], marker="o", label=kind)""": """df.pivot(index="month", columns="Type_Member", values="minutes").plot(ax=top)
df.pivot(index="month", columns="Type_Member", values="Monthly_Total Count of ride_id").plot(ax=bottom)""",
        },
    },
}
NEAR_MISSES = {
    "two-months-late": {
        "why": "each value two months late",
        "edits": {
            'format="%Y%m")': 'format="%Y%m") + pd.DateOffset(months=2)',
        },
    },
    "kinds-exchanged": {
        "why": "each kind under the other's name",
        "edits": {
            "label=kind)": 'label={"casual": "member", "member": "casual"}[kind])',
        },
    },
}
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/45.png")': """fig.savefig("output/45.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/45.png").text["pybench-figure"])
size = Image.open("output/45.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.plot([1, 3, 2, 5, 4])
other.savefig("output/45.png")
Image.open("output/45.png").convert("RGB").resize(size).save("output/45.png", pnginfo=info)""",
        },
    },
}
LEFT_OUT = {
    "drop-row": "it hides one kind of rider, and any column will do",
    "reverse-order": "it turns one of several plots, and one right one will do",
    "scale-by-10": "the unit of a share is left open",
}
