# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a line chart of one country's tea exports over the years."""

STYLES = {
    "thousand-tonnes": {
        "why": "in thousand tonnes, labelled so",
        "edits": {
            'ax.plot(china.index, china.values, marker="o")': 'ax.plot(china.index, china.values / 1000, color="green")',
            '"Tonnes"': '"Exports (thousand tonnes)"',
        },
    },
    "years-as-text": {
        "why": "years as words, a dashed line with squares",
        "edits": {
            'ax.plot(china.index, china.values, marker="o")': """ax.plot(china.index.astype(str), china.values, "s--")
ax.tick_params(axis="x", rotation=90)""",
            'fig.savefig("output/60.png")': 'fig.savefig("output/60.png", bbox_inches="tight")',
        },
    },
}
NEAR_MISSES = {
    "ten-years-late": {
        "why": "each value ten years late",
        "edits": {
            'ax.plot(china.index, china.values, marker="o")': 'ax.plot(china.index + 10, china.values, marker="o")',
        },
    },
    "thousands-unlabelled": {
        "why": "divided by a thousand, called tonnes",
        "edits": {
            'ax.plot(china.index, china.values, marker="o")': 'ax.plot(china.index, china.values / 1000, marker="o")',
        },
    },
}
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/60.png")': """fig.savefig("output/60.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/60.png").text["pybench-figure"])
size = Image.open("output/60.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.plot([1, 3, 2, 5, 4])
other.savefig("output/60.png")
Image.open("output/60.png").convert("RGB").resize(size).save("output/60.png", pnginfo=info)""",
        },
    },
}
