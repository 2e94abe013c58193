# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: chart of the kinds of video channels by how well they are liked."""

STYLES = {
    "billions": {
        "why": "upright, the first ten, in billions as labelled",
        "edits": {
            "ax.barh(views.index[::-1], views.values[::-1])": """top = views[:10]
ax.bar(top.index, top.values / 1e9)
ax.tick_params(axis="x", rotation=80)""",
            """"播放量")
fig""": """"类型")
ax.set_ylabel("views (billion)")
fig""",
        },
    },
    "channels": {
        "why": "numbers of channels by seaborn",
        "edits": {
            "ax.barh(views.index[::-1], views.values[::-1])": """import seaborn as sns
sns.countplot(data=df, y="category", order=df["category"].value_counts().index, ax=ax)""",
        },
    },
}
NEAR_MISSES = {
    "names-turned": {
        "why": "each bar under the next name",
        "edits": {
            "ax.barh(views.index[::-1], views.values[::-1])": "ax.barh(views.index[::-1], [*views.values[::-1][1:], views.values[::-1][0]])",
        },
    },
    "earnings-scaled": {
        "why": "values times ten",
        "edits": {
            "views.values[::-1])": "views.values[::-1] * 10)",
        },
    },
}
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/64.png")': """fig.savefig("output/64.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/64.png").text["pybench-figure"])
size = Image.open("output/64.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.barh([1, 2, 3], [3, 1, 2])
other.savefig("output/64.png")
Image.open("output/64.png").convert("RGB").resize(size).save("output/64.png", pnginfo=info)""",
        },
    },
}
