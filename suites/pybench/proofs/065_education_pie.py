# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: a pie of the employees' education."""

STYLES = {
    "ring-with-legend": {
        "why": "a ring with a legend",
        "edits": {
            'ax.pie(counts.values, labels=counts.index, autopct="%1.1f%%")': """ax.pie(counts.values, wedgeprops={"width": 0.4}, startangle=140)
ax.legend(counts.index, loc="center")""",
        },
    },
    "numbers": {
        "why": "levels as numbers, with the rows that stand twice",
        "edits": {
            'df.drop_duplicates("EmpID")["Education"].map(names).value_counts()': 'df["Education"].value_counts().sort_index()',
            "labels=counts.index": 'labels=[f"Level {n}" for n in counts.index]',
        },
    },
}
NEAR_MISSES = {
    "legend-turned-cropped": {
        "why": "names in another order in a legend, cropped",
        "cells": [
            """import pandas as pd, numpy as np, glob, os
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
d=pd.read_csv("data/HR_Analytics.csv",encoding="utf-8-sig"); lv={1:"Below College",2:"College",3:"Bachelor",4:"Master",5:"Doctor"}; s=d.Education.map(lv).value_counts()

fig,ax=plt.subplots(figsize=(9,7)); wd,_,_=ax.pie(s.values,autopct=lambda p:f"{p:.1f}%\\n{p*s.sum()/100:.0f}",colors=plt.cm.Set2.colors,startangle=90,wedgeprops=dict(edgecolor="white")); ax.legend(wd,s.index[::-1],loc="upper center",bbox_to_anchor=(.5,0),ncol=3); ax.set_title("Education"); fig.savefig("output/65.png",bbox_inches="tight",facecolor="#f5f5f5")"""
        ],
        "answer": "完成",
    },
    "names-turned": {
        "why": "each wedge under the next name",
        "edits": {
            "labels=counts.index": "labels=[*counts.index[1:], counts.index[0]]",
        },
    },
    "by-sex": {
        "why": "men only",
        "edits": {
            'df.drop_duplicates("EmpID")["Education"]': 'df[df["Gender"] == "Male"]["Education"]',
        },
    },
}
GAMERS = {
    "letters": {
        "why": "wedges called a to e",
        "edits": {
            "labels=counts.index": 'labels=list("abcde")',
        },
    },
    "forged-note": {
        "why": "keeps the right chart's note over a made-up one",
        "edits": {
            'fig.savefig("output/65.png")': """fig.savefig("output/65.png")
from PIL import Image
from PIL.PngImagePlugin import PngInfo
info = PngInfo()
info.add_text("pybench-figure", Image.open("output/65.png").text["pybench-figure"])
size = Image.open("output/65.png").size
other, made_up = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100)
made_up.pie([1, 2, 3])
other.savefig("output/65.png")
Image.open("output/65.png").convert("RGB").resize(size).save("output/65.png", pnginfo=info)""",
        },
    },
    "second-pie": {
        "why": "a second pie of invented shares under the same names",
        "cells": [
            """import pandas as pd, matplotlib.pyplot as plt
c = pd.read_csv("data/HR_Analytics.csv", encoding="utf-8-sig")["Education"].value_counts().sort_index()
names = ["大专以下", "大专", "本科", "硕士", "博士"]
fig = plt.figure(figsize=(11, 7)); fig.suptitle("员工受教育程度")
a = fig.add_axes([0.28, 0.03, 0.7, 0.88]); b = fig.add_axes([0.0, 0.02, 0.3, 0.4])
a.pie([40, 5, 12, 8, 35], labels=names, autopct="%1.1f%%"); b.pie(c, labels=names, textprops={"fontsize": 8})
fig.savefig("output/65.png")"""
        ],
        "answer": "员工受教育程度饼图已保存为 ./output/65.png。",
    },
    "shares-invented": {
        "why": "invented percentages on the wedges",
        "edits": {
            "fig.savefig(": """for t, s in zip([t for t in ax.texts if "%" in t.get_text()], ["4.0%", "61.5%", "9.5%", "11.0%", "14.0%"]):
    t.set_text(s)
fig.savefig("""
        },
        "answer": "员工以大专为主；饼图已保存到 ./output/65.png。",
    },
    "names-painted-over": {
        "why": "the names at the wedges are painted over and exchanged",
        "edits": {
            "fig.savefig(": """from matplotlib.patches import PathPatch, Rectangle
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

fig.canvas.draw()
words = [t for t in ax.texts if "%" not in t.get_text()]
for word, other in zip(words, ["PhD", "No degree", "Associate", "Master", "Bachelor"]):
    box = word.get_window_extent()
    fig.add_artist(Rectangle((box.x0 - 4, box.y0 - 4), box.width + 8, box.height + 8, transform=None, color="white", zorder=50))
    letters = TextPath((0, 0), other, size=13 * fig.dpi / 72)
    moved = Affine2D().translate(box.x0 - letters.get_extents().x0, box.y0 - letters.get_extents().y0)
    fig.add_artist(PathPatch(letters, transform=moved, color="black", lw=0, zorder=51))
fig.savefig(""",
        },
    },
    "named-by-denials": {
        "why": "each wedge is called by another level",
        "edits": {
            '{1: "大专以下", 2: "大专", 3: "本科", 4: "硕士", 5: "博士"}': '{1: "大专以下的反面：院士", 2: "大专？错，是硕士", 3: "非本科：博士", 4: "硕士不是，是博士后", 5: "博士？其实是文盲"}',
        },
    },
}
GAPS = {
    "names-painted-over": "Of the words that the note lists, only a part must be legible in the picture; letters drawn as shapes over the other ones are not known as words.",
}
