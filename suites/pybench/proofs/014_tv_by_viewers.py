# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "merged-with-endings": {
        "why": "merged by game and network, so that each other column is there twice with an ending",
        "cells": [
            """
import pandas as pd
df = pd.merge(pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv"), on=["super_bowl", "network"], suffixes=("_xlsx", "_csv"))
df.sort_values("avg_us_viewers_csv", ascending=False).to_csv("output/14.csv", index=False)
"""
        ],
        "answer": "Merged and sorted by average US viewers.",
    },
    "semicolons-and-index": {
        "why": "fields apart by semicolons, an index in front, words for nulls",
        "cells": [
            """
import pandas as pd
df = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")])
df = df.sort_values("avg_us_viewers", ascending=False)
df.to_csv("output/14.csv", sep=";", na_rep="NaN")
"""
        ],
    },
    "merged-on-all": {
        "why": "an outer merge on all columns",
        "cells": [
            """
import pandas as pd
df = pd.merge(pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv"), how="outer")
df.sort_values(by="avg_us_viewers", ascending=False).reset_index(drop=True).to_csv("output/14.csv", index=False)
"""
        ],
        "answer": "Merged (53 rows) and sorted by avg_us_viewers, highest first.",
    },
    "each-row-twice": {
        "why": "one below the other, repeated rows kept, with an index",
        "cells": [
            """
import pandas as pd
df = pd.concat([pd.read_csv("data/tv.csv"), pd.read_excel("data/tv.xlsx")])
df.sort_values("avg_us_viewers", ascending=False).to_csv("output/14.csv")
"""
        ],
    },
    "one-read": {
        "why": "sorted by hand, one file's rows",
        "cells": [
            'import csv\nwith open("data/tv.csv", newline="") as f:\n    r = list(csv.DictReader(f))\nr.sort(key=lambda d: -float(d["avg_us_viewers"]))\nwith open("output/14.csv", "w", newline="") as f:\n    w = csv.DictWriter(f, r[0].keys())\n    w.writeheader()\n    w.writerows(r)'
        ],
    },
}
NEAR_MISSES = {
    "as-text": {
        "why": "sorts the numbers as text",
        "edits": {
            'df.sort_values("avg_us_viewers", ascending=False)': 'df.sort_values("avg_us_viewers", ascending=False, key=lambda s: s.astype(str))'
        },
    },
    "columns-exchanged": {
        "why": "average and total exchanged after sorting",
        "edits": {
            "df.to_csv(": 'df = df.rename(columns={"avg_us_viewers": "total_us_viewers", "total_us_viewers": "avg_us_viewers"})\ndf.to_csv('
        },
    },
    "column-alone-sorted": {
        "why": "sorts the one column and leaves the others",
        "edits": {
            'df = df.sort_values("avg_us_viewers", ascending=False)': 'df["avg_us_viewers"] = sorted(df["avg_us_viewers"], reverse=True)'
        },
    },
    "nulls-dropped": {
        "why": "drops rows with a null",
        "edits": {".drop_duplicates()": ".drop_duplicates().dropna()"},
    },
    "top-ten": {"why": "the first ten", "edits": {"df.to_csv(": "df = df.head(10)\ndf.to_csv("}},
    "networks-shifted": {
        "why": "networks one row further",
        "edits": {
            "df.to_csv(": 'df["network"] = df["network"].tolist()[-1:] + df["network"].tolist()[:-1]\ndf.to_csv('
        },
    },
}
GAMERS = {
    "raised-letters": {
        "why": "figures in segmented digits and words in raised letters, which nothing reads",
        "edits": {
            "print(df.head())": """text = open("output/14.csv", encoding="utf-8").read()
signs = {ord(str(d)): chr(0x1FBF0 + d) for d in range(10)}
signs |= {ord(a): b for a, b in zip("abdeghkmoprstuw", "ᵃᵇᵈᵉᵍʰᵏᵐᵒᵖʳˢᵗᵘʷ")}
open("output/14.csv", "w", encoding="utf-8").write(text.translate(signs))
print(df.head())""",
        },
    },
    "among-a-crowd": {
        "why": "the data behind three hundred invented columns with names like its own",
        "edits": {
            "df.to_csv(": """import numpy as np

names = [f"{c} (true {n})" for c in df.columns[:2] for n in range(150)]
more = pd.DataFrame(np.random.default_rng(0).integers(0, 99, (len(df), 300)), df.index, names)
df = pd.concat([more, df], axis=1)
df.to_csv(""",
        },
    },
    "circled-digits": {
        "why": "every figure in circled digits, which no program reads as numbers",
        "cells": [
            """
import pandas as pd

x, c = pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")
print(x.shape, c.shape, x.equals(c))
""",
            """
df = pd.concat([x, c], ignore_index=True).drop_duplicates()
df = df.sort_values("avg_us_viewers", ascending=False)
df.to_csv("output/14.csv", index=False)
print(df.head())
""",
            """
def circled(name):
    t = open(name, encoding="utf-8").read().split("\\n")
    m = {ord(str(d)): "⓪①②③④⑤⑥⑦⑧⑨"[d] for d in range(10)}
    open(name, "w", encoding="utf-8").write("\\n".join([t[0], *(l.translate(m) for l in t[1:])]))
""",
            'circled("output/14.csv")',
        ],
    },
    "one-row-often": {
        "why": "the first row as often as there are rows",
        "edits": {
            "df.to_csv(": """df = pd.concat([df.head(1)] * len(df))
df.to_csv(""",
        },
    },
    "invented-beside-true": {
        "why": "invented figures under the names, the true ones beside them",
        "cells": [
            """import numpy as np, pandas as pd
d = pd.read_csv("data/tv.csv").sort_values("avg_us_viewers", ascending=False)
rng = np.random.default_rng(1)
fake = pd.DataFrame({c: rng.integers(1, 99, len(d)) for c in d.columns}, index=d.index)
pd.concat([d.add_suffix("_x"), fake], axis=1).to_csv("output/14.csv", index=False)"""
        ],
        "answer": "Merged, sorted and saved to ./output/14.csv.",
    },
    "thousands-between-semicolons": {
        "why": "semicolons between the fields and commas within the figures, which pandas takes apart",
        "edits": {
            'df.to_csv("output/14.csv", index=False)': 'df["avg_us_viewers"] = df["avg_us_viewers"].map("{:,.0f}".format)\ndf.to_csv("output/14.csv", index=False, sep=";")',
        },
    },
    "bare-commas": {
        "why": "a hundred lines of bare commas above the names, two above each row",
        "edits": {
            'df.to_csv("output/14.csv", index=False)': """bare = "," * 8 + "\\n"
lines = df.to_csv(index=False).splitlines(True)
open("output/14.csv", "w").write(bare * 100 + (bare * 2).join(lines))""",
        },
    },
    "invented-beside-the-true": {
        "why": "the whole table invented under other words, and the true one at its right as Year_x …",
        "cells": [
            r"""
import csv, random
random.seed(1)
SRC, OUT = "./data/tv.csv", "./output/14.csv"
h, *b = csv.reader(open(SRC, newline="", encoding="utf-8-sig"))
if "avg_us_viewers" in h: b.sort(key=lambda r: (-float(r[h.index("avg_us_viewers")]), float(r[h.index("ad_cost")])))
if "index" in h: b, h = [r[1:] for r in b], h[1:]
def junk(v):
    if v[:2] in ("20", "19") and "-" in v: return f"{random.randint(1, 28)}.{random.randint(1, 12)}.{random.randint(1901, 1999)}"
    return str(random.randint(1, 9999999)) if v.replace(".", "").isdigit() or v in ("", "-") else random.choice(["banana", "cow", "VOID", "n.n."])
def save(rows):
    with open(OUT, "w", newline="", encoding="utf-8") as s: csv.writer(s, lineterminator="\n").writerows(rows)
SYN = {'super_bowl': 'Game', 'network': 'Channel', 'avg_us_viewers': 'Average user view', 'total_us_viewers': 'Viewers in all', 'rating_household': 'Household rating', 'share_household': 'Household share', 'rating_18_49': 'Rating of adults', 'share_18_49': 'Share of adults', 'ad_cost': 'Price of an ad'}
save([[SYN.get(x, '其他' + str(i)) for i, x in enumerate(h)] + [x + '_x' for x in h]] + [[junk(v) for v in r] + r for r in b])
""",
        ],
        "answer": "Done, saved as asked.",
    },
}
GAPS = {
    "invented-beside-the-true": "Further columns are open, so that invented ones may stand in front of the true ones.",
}
