# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: tea exports by continent over the years, from a table of countries."""

STYLES = {
    "own-lines": {
        "why": "lines of its own in ten thousand tonnes, legend turned over",
        "edits": {
            'ax = totals.plot(figsize=(10, 6), title="各大洲茶叶出口量")': """fig, ax = plt.subplots(figsize=(10, 6))
names = {"Africa": "非洲", "America": "美洲", "Asia": "亚洲", "Europe": "欧洲", "Oceania": "大洋洲"}
for name in totals:
    ax.plot(totals.index, totals[name] / 1e4, label=names[name])
ax.set_title("各大洲茶叶出口量")
handles, labels = ax.get_legend_handles_labels()
ax.legend(handles[::-1], labels[::-1])""",
            '"出口量（吨）"': '"出口量（万吨）"',
        },
    },
    "panels": {
        "why": "a plot for each continent",
        "edits": {
            """ax = totals.plot(figsize=(10, 6), title="各大洲茶叶出口量")
ax.set_xlabel("年份")
ax.set_ylabel("出口量（吨）")
ax.figure""": """fig, many = plt.subplots(5, 1, figsize=(9, 15))
for ax, name in zip(many, totals):
    ax.plot(totals.index, totals[name])
    ax.set_title(name)
fig""",
        },
    },
}
NEAR_MISSES = {
    "names-exchanged": {
        "why": "Africa and Asia under each other's names",
        "edits": {
            "ax = totals.plot(": """totals = totals.rename(columns={"Africa": "Asia", "Asia": "Africa"})
ax = totals.plot(""",
        },
    },
    "years-late": {
        "why": "each value ten years late",
        "edits": {
            "ax = totals.plot(": """totals.index = totals.index + 10
ax = totals.plot(""",
        },
    },
}
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'ax.figure.savefig("output/62.png")': """ax.figure.savefig("output/62.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/62.png").text["pybench-figure"])
size = Image.open("output/62.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.plot([1, 3, 2, 5, 4])
other.savefig("output/62.png")
Image.open("output/62.png").convert("RGB").resize(size).save("output/62.png", pnginfo=info)""",
        },
    },
}
