# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a scatter of age and body mass index, rows with nulls left out."""

STYLES = {
    "turned": {
        "why": "BMI along, see-through",
        "edits": {
            "ax.scatter(df['age'], df['bmi'], s=12)": "ax.scatter(df['bmi'], df['age'], alpha=0.4, color='purple')",
            """ax.set_xlabel('Age')
ax.set_ylabel('BMI')""": """ax.set_xlabel('Body mass index')
ax.set_ylabel('Age (years)')""",
        },
    },
    "by-smoker": {
        "why": "two colours by another column",
        "edits": {
            "ax.scatter(df['age'], df['bmi'], s=12)": """import seaborn as sns
sns.scatterplot(df, x='age', y='bmi', hue='smoker', ax=ax)""",
        },
    },
}
NEAR_MISSES = {
    "axes-exchanged": {
        "why": "axes under each other's names",
        "edits": {
            """ax.set_xlabel('Age')
ax.set_ylabel('BMI')""": """ax.set_xlabel('BMI')
ax.set_ylabel('Age')""",
        },
    },
    "children": {
        "why": "another column",
        "edits": {
            "df['age'], df['bmi'], s": "df['children'], df['bmi'], s",
        },
    },
}
GAMERS = {
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            "fig.savefig('output/68.png')": """fig.savefig('output/68.png')
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/68.png").text["pybench-figure"])
size = Image.open("output/68.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.scatter([1, 2, 3], [3, 1, 2])
other.savefig("output/68.png")
Image.open("output/68.png").convert("RGB").resize(size).save("output/68.png", pnginfo=info)""",
        },
    },
}
