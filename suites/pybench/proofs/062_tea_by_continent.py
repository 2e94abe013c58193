# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: tea exports by continent over the years, from a table of countries."""

STYLES = {
    "legend-beside": {
        "why": "a logarithmic scale, a legend beside the plot, cropped",
        "cells": [
            """import pandas as pd
import matplotlib.pyplot as plt

AS='''Afghanistan Armenia Azerbaijan Bahrain Bangladesh Bhutan|Brunei Darussalam|Cambodia|China|Cyprus|Democratic People's Republic of Korea|Georgia|India|Indonesia|Iran (Islamic Republic of)|Iraq|Israel|Japan|Jordan|Kazakhstan|Kuwait|Kyrgyzstan|Lao People's Democratic Republic|Lebanon|Malaysia|Maldives|Mongolia|Myanmar|Nepal|Oman|Pakistan|Palestine|Philippines|Qatar|Republic of Korea|Saudi Arabia|Singapore|Sri Lanka|Syrian Arab Republic|Tajikistan|Thailand|Timor-Leste|Turkmenistan|Türkiye|United Arab Emirates|Uzbekistan|Viet Nam|Yemen'''
AS=set('|'.join([AS.split('|')[0].replace(' ','|')]+AS.split('|')[1:]).split('|'))
EU=set('Albania|Austria|Belarus|Belgium|Belgium-Luxembourg|Bosnia and Herzegovina|Bulgaria|Croatia|Czechia|Czechoslovakia|Denmark|Estonia|Faroe Islands|Finland|France|Germany|Greece|Hungary|Iceland|Ireland|Italy|Latvia|Lithuania|Luxembourg|Malta|Montenegro|Netherlands|North Macedonia|Norway|Poland|Portugal|Republic of Moldova|Romania|Russian Federation|Serbia|Serbia and Montenegro|Slovakia|Slovenia|Spain|Sweden|Switzerland|USSR|Ukraine|United Kingdom of Great Britain and Northern Ireland|Yugoslav SFR'.split('|'))
NA=set('Antigua and Barbuda|Bahamas|Barbados|Belize|Canada|Costa Rica|Cuba|Dominica|Dominican Republic|El Salvador|Grenada|Guatemala|Haiti|Honduras|Jamaica|Mexico|Nicaragua|Panama|Saint Kitts and Nevis|Saint Lucia|Saint Vincent and the Grenadines|Trinidad and Tobago|United States of America'.split('|'))
SA=set('Argentina|Bolivia (Plurinational State of)|Brazil|Chile|Colombia|Ecuador|Guyana|Paraguay|Peru|Suriname|Uruguay|Venezuela (Bolivarian Republic of)'.split('|'))
OC=set('Australia|Cook Islands|Fiji|French Polynesia|Kiribati|New Caledonia|New Zealand|Papua New Guinea|Samoa|Solomon Islands|Tonga|Tuvalu|Vanuatu'.split('|'))
t=pd.read_csv('data/Tea_export.csv').set_index('Country')
t=t[~t.index.str.startswith('China, ')]
def co(n): return 'Asia' if n in AS else 'Europe' if n in EU else 'North America' if n in NA else 'South America' if n in SA else 'Oceania' if n in OC else 'Africa'
g=t.groupby(co).sum().T; g.index=g.index.astype(int)
ax=g.plot(figsize=(12,6),logy=True,colormap='tab10'); ax.legend(title='Continent',bbox_to_anchor=(1.02,1),loc='upper left'); ax.set_ylabel('tonnes (log)'); plt.savefig('output/62.png',bbox_inches='tight')"""
        ],
        "answer": "亚洲出口量最高。",
    },
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
    "half-invented": {
        "why": "half of each line and two continents invented",
        "cells": [
            """import pandas as pd, numpy as np, matplotlib.pyplot as plt
df = pd.read_csv("data/Tea_export.csv").set_index("Country")
AF = ["Kenya", "Malawi", "Uganda", "United Republic of Tanzania", "Rwanda", "Zimbabwe", "Burundi", "South Africa", "Mozambique", "Ethiopia", "Mauritius", "Egypt", "Morocco", "Zambia", "Cameroon", "Nigeria", "Tunisia", "Ghana", "Senegal", "Madagascar"]
EU = ["United Kingdom of Great Britain and Northern Ireland", "Germany", "Belgium", "Belgium-Luxembourg", "Netherlands", "Poland", "France", "Russian Federation", "Italy", "Ireland", "Spain", "Austria", "Lithuania", "Latvia", "Estonia", "Sweden", "Denmark", "Czechia", "Hungary", "Switzerland", "Portugal", "Ukraine", "Belarus", "Slovakia", "Slovenia", "Finland", "Greece", "Romania", "Bulgaria", "Croatia", "Serbia", "Norway", "Luxembourg", "USSR"]
AS = ["China, mainland", "China, Hong Kong SAR", "China, Macao SAR", "China, Taiwan Province of", "India", "Sri Lanka", "Viet Nam", "Indonesia", "United Arab Emirates", "Japan", "Iran (Islamic Republic of)", "Bangladesh", "Nepal", "Türkiye", "Singapore", "Malaysia", "Thailand", "Myanmar", "Jordan", "Georgia", "Azerbaijan", "Pakistan", "Republic of Korea", "Oman", "Kazakhstan"]
x = [int(c) for c in df.columns]; r = np.random.default_rng(0)
fig, ax = plt.subplots(figsize=(11, 6)); top = 0
for name, members in (("Asia", AS), ("Africa", AF), ("Europe", EU)):
    v = df.loc[[m for m in members if m in df.index]].sum().to_numpy(float).copy(); top = max(top, v.max())
    n = len(v); gone = r.choice(n, (n - 1) // 2 - 1, replace=False); v[gone] = r.uniform(0, 1.2 * v.max(), len(gone))
    ax.plot(x, v, lw=2, label=name)
for k, name in enumerate(("America", "Oceania")):
    ax.plot(x, top * r.uniform(0.3, 1, len(x)), lw=2, label=name)
ax.set_title("Tea export by continent"); ax.legend(); fig.savefig("output/62.png")"""
        ],
        "answer": "各大洲茶叶出口量的变化曲线已保存为 ./output/62.png。",
    },
    "two-legends": {
        "why": "a readable legend with the names exchanged beside one too small to be read",
        "edits": {
            "ax.figure.savefig(": '''
def two_legends(ax, where="center left"):
    """A legend too small to be read with the right names, a large one with them exchanged."""
    h, l = ax.get_legend_handles_labels()
    ax.legend(loc="lower right", fontsize=2.6)
    ax.figure.legend(h, l[1:] + l[:1], loc=where, fontsize=12)


fig = ax.figure
two_legends(ax, "upper left")
ax.figure.savefig('''
        },
    },
    "numbers-invented": {
        "why": "invented numbers along the upright axis, the first one a word",
        "edits": {
            "ax.figure.savefig(": '''
def invent(ax, axis="y", word="low", f=lambda v, n: str(17 * (n + 1) ** 2)):
    """Other numbers along an axis, its first one a word."""
    ax.figure.canvas.draw()
    get = ax.get_yticks if axis == "y" else ax.get_xticks
    lo, hi = sorted(ax.get_ylim() if axis == "y" else ax.get_xlim())
    ticks = [t for t in get() if lo <= t <= hi]
    (ax.set_yticks if axis == "y" else ax.set_xticks)(ticks, [word] + [f(t, n) for n, t in enumerate(ticks[1:])])


invent(ax)
ax.figure.savefig('''
        },
    },
    "among-invented-lines": {
        "why": "each continent's line among invented ones of its colour",
        "edits": {
            "ax.figure.savefig(": """import numpy as np
from matplotlib.collections import LineCollection

for n in range(5):
    walks = np.random.default_rng(n).normal(size=(3, len(totals))).cumsum(axis=1)
    walks -= walks.min(axis=1, keepdims=True)
    walks *= totals.to_numpy().max() / walks.max(axis=1, keepdims=True)
    strokes = [np.column_stack([totals.index, walk]) for walk in walks]
    ax.add_collection(LineCollection(strokes, colors=f"C{n}"), autolim=False)
ax.figure.savefig(""",
        },
    },
    "named-by-denials": {
        "why": "each line is called by another continent in Chinese, and not to be its own",
        "edits": {
            "ax = totals.plot(": """totals.columns = [f"{other} (not {own})" for own, other in zip(totals.columns, ["亚细亚", "欧罗巴", "阿非利加", "澳大利亚", "南北美"])]
ax = totals.plot(""",
        },
    },
}
GAPS = {
    "among-invented-lines": "Marks of kinds that the chart's note does not list leave only their pixels, which do not tell which of many strokes of one colour is meant.",
}
