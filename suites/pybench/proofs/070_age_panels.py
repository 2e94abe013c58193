# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: two plots side by side: age against BMI, and mean charges by age."""

STYLES = {
    "english": {
        "why": "English words, BMI along",
        "edits": {
            'left.scatter(df["age"], df["bmi"], s=10)': 'left.scatter(df["bmi"], df["age"], s=6, c="tab:green", alpha=0.5)',
            """left.set_xlabel("年龄")
left.set_ylabel("BMI")""": """left.set_xlabel("BMI")
left.set_ylabel("Age")""",
            """right.set_xlabel("年龄")
right.set_ylabel("平均保险金额")""": """right.set_xlabel("Age")
right.set_ylabel("Mean charges")""",
        },
    },
    "cropped": {
        "why": "a dashed line, cropped",
        "edits": {
            'marker="."': 'ls="--", color="crimson"',
            'fig.savefig("output/70.png")': 'fig.savefig("output/70.png", bbox_inches="tight", dpi=140)',
        },
    },
}
NEAR_MISSES = {
    "axes-exchanged": {
        "why": "axes under each other's names",
        "edits": {
            """left.set_xlabel("年龄")
left.set_ylabel("BMI")""": """left.set_xlabel("BMI")
left.set_ylabel("年龄")""",
        },
    },
    "right-exchanged": {
        "why": "the right plot's axes under each other's names",
        "edits": {
            """right.set_xlabel("年龄")
right.set_ylabel("平均保险金额")""": """right.set_xlabel("平均保险金额")
right.set_ylabel("年龄")""",
        },
    },
}
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/70.png")': """fig.savefig("output/70.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/70.png").text["pybench-figure"])
size = Image.open("output/70.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.plot([1, 3, 2, 5, 4])
other.savefig("output/70.png")
Image.open("output/70.png").convert("RGB").resize(size).save("output/70.png", pnginfo=info)""",
        },
    },
}
