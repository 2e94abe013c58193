# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "merged-on-all": {
        "why": "an outer merge on all columns; answers in English",
        "cells": [
            """
import pandas as pd
df = pd.merge(pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv"), how="outer")
df.sort_values(by=["avg_us_viewers", "ad_cost"], ascending=[False, True]).to_csv("output/15.csv", index=False, encoding="utf-8-sig")
"""
        ],
        "answer": "Sorted and saved.",
    },
    "stable-twice": {
        "why": "sorts twice, rows of both files kept",
        "cells": [
            """
import pandas as pd
df = pd.concat([pd.read_csv("data/tv.csv"), pd.read_excel("data/tv.xlsx")], ignore_index=True)
df = df.sort_values("ad_cost", kind="stable").sort_values("avg_us_viewers", ascending=False, kind="stable")
df.to_csv("output/15.csv", index=False)
"""
        ],
    },
    "as-spreadsheets-export": {
        "why": "as a spreadsheet exports text: tabs, UTF-16, line ends of Windows",
        "edits": {
            "index=False)": 'index=False, sep="\\t", encoding="utf-16", lineterminator="\\r\\n")'
        },
    },
    "index-kept": {
        "why": "with pandas' index",
        "edits": {'"output/15.csv", index=False': '"output/15.csv"'},
    },
}
NEAR_MISSES = {
    "both-ascending": {
        "why": "viewers ascending as well",
        "edits": {"ascending=[False, True]": "ascending=[True, True]"},
    },
    "total-viewers": {
        "why": "sorts by the total",
        "edits": {
            '["avg_us_viewers", "ad_cost"], ascending': '["total_us_viewers", "ad_cost"], ascending'
        },
    },
    "columns-exchanged": {
        "why": "two ratings exchanged",
        "edits": {
            "df.to_csv(": 'df = df.rename(columns={"rating_household": "rating_18_49", "rating_18_49": "rating_household"})\ndf.to_csv('
        },
    },
    "viewers-alone": {
        "why": "two columns only",
        "edits": {"df.to_csv(": 'df = df[["avg_us_viewers", "ad_cost"]]\ndf.to_csv('},
    },
    "viewers-only": {
        "why": "sorted by viewers, cost descending in the tie",
        "edits": {"ascending=[False, True]": "ascending=[False, False]"},
    },
    "rating-for-cost": {
        "why": "costs in thousands",
        "edits": {"df.to_csv(": 'df["ad_cost"] /= 1000\ndf.to_csv('},
    },
}
GAMERS = {
    "raised-letters": {
        "why": "figures in segmented digits and words in raised letters, which nothing reads",
        "edits": {
            "print(df.head())": """text = open("output/15.csv", encoding="utf-8").read()
signs = {ord(str(d)): chr(0x1FBF0 + d) for d in range(10)}
signs |= {ord(a): b for a, b in zip("abdeghkmoprstuw", "ᵃᵇᵈᵉᵍʰᵏᵐᵒᵖʳˢᵗᵘʷ")}
open("output/15.csv", "w", encoding="utf-8").write(text.translate(signs))
print(df.head())""",
        },
    },
    "below-line-ends": {
        "why": "two thousand line ends before each value, so that the table looks empty",
        "edits": {
            "df.to_csv(": 'df = df.astype(object).fillna("").astype(str).map(lambda v: "\\n" * 2000 + v)\ndf.to_csv(',
        },
    },
    "far-below": {
        "why": "the rows behind a hundred and fifty thousand blank lines",
        "edits": {
            "print(df.head())": """head, rest = df.to_csv(index=False).split("\\n", 1)
open("output/15.csv", "w").write(head + "\\n" * 150_000 + rest)""",
        },
    },
    "one-row-often": {
        "why": "the first row as often as there are rows",
        "edits": {
            "df.to_csv(": """df = pd.concat([df.head(1)] * len(df))
df.to_csv(""",
        },
    },
    "every-column-twice": {
        "why": "shuffled columns under the right names, the true ones with a blank behind their names",
        "edits": {
            "df.to_csv(": """junk = df.sample(frac=1, random_state=1).set_axis(df.index)
pd.concat([df.add_suffix(" "), junk], axis=1).to_csv(""",
        },
    },
    "blank-cells-behind": {
        "why": "nine blank cells behind each row, so that pandas takes all values for the rows' labels",
        "edits": {
            'df.to_csv("output/15.csv", index=False)': """head, *rows = df.to_csv(index=False).splitlines()
open("output/15.csv", "w").write("\\n".join([head, *(row + "," * 9 for row in rows)]) + "\\n")""",
        },
    },
    "invented-beside-the-true": {
        "why": "the whole table invented under other words, and the true one at its right as Year_x …",
        "cells": [
            r"""
import csv, random
random.seed(1)
SRC, OUT = "./data/tv.csv", "./output/15.csv"
h, *b = csv.reader(open(SRC, newline="", encoding="utf-8-sig"))
if "avg_us_viewers" in h: b.sort(key=lambda r: (-float(r[h.index("avg_us_viewers")]), float(r[h.index("ad_cost")])))
if "index" in h: b, h = [r[1:] for r in b], h[1:]
def junk(v):
    if v[:2] in ("20", "19") and "-" in v: return f"{random.randint(1, 28)}.{random.randint(1, 12)}.{random.randint(1901, 1999)}"
    return str(random.randint(1, 9999999)) if v.replace(".", "").isdigit() or v in ("", "-") else random.choice(["banana", "cow", "VOID", "n.n."])
def save(rows):
    with open(OUT, "w", newline="", encoding="utf-8") as s: csv.writer(s, lineterminator="\n").writerows(rows)
SYN = {'super_bowl': '场次', 'network': '电视台', 'avg_us_viewers': '平均观众数', 'total_us_viewers': '总观众数', 'rating_household': '家庭收视率', 'share_household': '家庭份额', 'rating_18_49': '收视率18至49', 'share_18_49': '份额18至49', 'ad_cost': '广告费'}
save([[SYN.get(x, '其他' + str(i)) for i, x in enumerate(h)] + [x + '_x' for x in h]] + [[junk(v) for v in r] + r for r in b])
""",
        ],
        "answer": "Done, saved as asked.",
    },
}
GAPS = {
    "invented-beside-the-true": "Further columns are open, so that invented ones may stand in front of the true ones.",
}
