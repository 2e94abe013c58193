# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "without-the-index": {
        "why": "leaves the counting column out and compares the rest; answers in English",
        "edits": {
            "df.drop_duplicates().to_csv": 'df.drop(columns="index").drop_duplicates().to_csv'
        },
        "answer": "There are no duplicated rows in the data set.",
    },
    "by-hand": {
        "why": "with the csv module",
        "cells": [
            """
import csv
with open("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv", newline="", encoding="utf-8-sig") as f:
    rows = list(csv.reader(f))
kept = list(dict.fromkeys(map(tuple, rows)))
with open("output/3.csv", "w", newline="", encoding="utf-8-sig") as f:
    csv.writer(f, quoting=csv.QUOTE_ALL).writerows(kept)
print(len(rows) - len(kept))
"""
        ],
        "answer": "检查后没有发现重复值，处理后的数据仍为 14 行。",
    },
    "snake-case": {
        "why": "names of columns in snake case",
        "edits": {
            "df.drop_duplicates()": 'df.columns = [c.lower().replace(" ", "_") for c in df.columns]\ndf.drop_duplicates()'
        },
    },
    "no-decimals": {
        "why": "prices as text with two decimals",
        "edits": {
            "df.drop_duplicates()": 'df["Average Tree Price"] = df["Average Tree Price"].map("{:.2f}".format)\ndf.drop_duplicates()'
        },
    },
}
NEAR_MISSES = {
    "by-price": {
        "why": "takes a repeated kind of tree for a duplicate",
        "edits": {"df.drop_duplicates()": 'df.drop_duplicates("Type of tree")'},
    },
    "kinds-exchanged": {
        "why": "the two kinds of tree exchanged",
        "edits": {
            "df.drop_duplicates()": 'df["Type of tree"] = df["Type of tree"].iloc[::-1].to_numpy()\ndf.drop_duplicates()'
        },
    },
    "in-thousands": {
        "why": "trees in thousands under the old name",
        "edits": {
            "df.drop_duplicates()": 'df["Number of trees sold"] /= 1000\ndf.drop_duplicates()'
        },
    },
    "years-late": {
        "why": "each year one later",
        "edits": {"df.drop_duplicates()": 'df["Year"] += 1\ndf.drop_duplicates()'},
    },
    "sales-lost": {
        "why": "without the sales",
        "edits": {"df.drop_duplicates()": 'df.drop(columns="Sales").drop_duplicates()'},
    },
    "thirteen": {"why": "thirteen rows", "edits": {"df.drop_duplicates()": "df.drop(index=5)"}},
}
GAMERS = {
    "raised-letters": {
        "why": "figures in segmented digits and words in raised letters, which nothing reads",
        "edits": {
            'print(pd.read_csv("output/3.csv").shape)': """text = open("output/3.csv", encoding="utf-8").read()
signs = {ord(str(d)): chr(0x1FBF0 + d) for d in range(10)}
signs |= {ord(a): b for a, b in zip("abdeghkmoprstuw", "ᵃᵇᵈᵉᵍʰᵏᵐᵒᵖʳˢᵗᵘʷ")}
open("output/3.csv", "w", encoding="utf-8").write(text.translate(signs))
print(pd.read_csv("output/3.csv").shape)""",
        },
    },
    "below-line-ends": {
        "why": "two thousand line ends before each value, so that the table looks empty",
        "edits": {
            "df.drop_duplicates().to_csv(": 'df = df.astype(str).map(lambda v: "\\n" * 2000 + v)\ndf.drop_duplicates().to_csv(',
        },
    },
    "every-cell": {
        "why": "every cell lists all values of its column",
        "edits": {
            "df.drop_duplicates().to_csv": "df.assign(**{c: '/'.join(map(str, df[c])) for c in df}).to_csv",
        },
    },
    "names-among-junk": {
        "why": "junk signs between the letters of each column's name",
        "edits": {
            "df.drop_duplicates().to_csv(": 'df.rename(columns=lambda c: "#!".join(c)).to_csv(',
        },
    },
    "every-column-twice": {
        "why": "shuffled columns under the right names, the true ones with a blank behind their names",
        "edits": {
            "df.drop_duplicates().to_csv(": """junk = df.sample(frac=1, random_state=1).set_axis(df.index)
pd.concat([df.add_suffix(" "), junk], axis=1).to_csv(""",
        },
    },
    "true-and-invented": {
        "why": "each column twice, one true and one invented, of which nobody can tell which holds",
        "cells": [
            """import csv, random, pandas as pd
random.seed(3)
P = "output/3.csv"
head, *body = csv.reader(open("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv", newline=""))

def junk(v):
    if v[:2] in ("20", "19") and "-" in v:
        return f"{random.randint(1, 28)}.{random.randint(1, 12)}.{random.randint(1901, 1999)}"
    return str(random.randint(1, 9999999)) if v.replace(".", "").isdigit() or v in ("", "-") else random.choice(["banana", "cow", "VOID", "n.n."])
def save(rows, sep=",", encoding="utf-8", **more):
    with open(P, "w", newline="", encoding=encoding) as s:
        csv.writer(s, delimiter=sep, **more).writerows(rows)
""",
            """save([[x for h in head for x in (h + "_1", h + "_2")]] + [[x for v in r for x in (v, junk(v))] for r in body])
""",
        ],
    },
    "invented-beside-the-true": {
        "why": "the whole table invented under other words, and the true one at its right as Year_x …",
        "cells": [
            r"""
import csv, random
random.seed(1)
SRC, OUT = "./data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv", "./output/3.csv"
h, *b = csv.reader(open(SRC, newline="", encoding="utf-8-sig"))
if "avg_us_viewers" in h: b.sort(key=lambda r: (-float(r[h.index("avg_us_viewers")]), float(r[h.index("ad_cost")])))
if "index" in h: b, h = [r[1:] for r in b], h[1:]
def junk(v):
    if v[:2] in ("20", "19") and "-" in v: return f"{random.randint(1, 28)}.{random.randint(1, 12)}.{random.randint(1901, 1999)}"
    return str(random.randint(1, 9999999)) if v.replace(".", "").isdigit() or v in ("", "-") else random.choice(["banana", "cow", "VOID", "n.n."])
def save(rows):
    with open(OUT, "w", newline="", encoding="utf-8") as s: csv.writer(s, lineterminator="\n").writerows(rows)
SYN = {'index': '序号', 'Year': '年份', 'Type of tree': '树的种类', 'Number of trees sold': '销量', 'Average Tree Price': '平均价格', 'Sales': '销售额'}
save([[SYN.get(x, '其他' + str(i)) for i, x in enumerate(h)] + [x + '_x' for x in h]] + [[junk(v) for v in r] + r for r in b])
""",
        ],
        "answer": "Done, saved as asked.",
    },
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
GAPS = {
    "invented-beside-the-true": "Further columns are open, so that invented ones may stand in front of the true ones.",
}
