# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "parsed-on-reading": {
        "why": "dates parsed on reading and written by pandas",
        "cells": [
            """
import pandas as pd
df = pd.read_csv("data/Virat_Kohli_ODI.csv", parse_dates=["Start Date"])
df.to_csv("output/10.csv", index=False, date_format="%Y-%m-%d")
"""
        ],
        "answer": "All dates are now in the YYYY-MM-DD format.",
    },
    "csv-module": {
        "why": "with the csv module, each field in quotes",
        "cells": [
            """
import csv
from datetime import date
with open("data/Virat_Kohli_ODI.csv", newline="") as f:
    rows = list(csv.reader(f))
for row in rows[1:]:
    row[-1] = date.fromisoformat(row[-1]).isoformat()
with open("output/10.csv", "w", newline="") as f:
    csv.writer(f, quoting=csv.QUOTE_ALL).writerows(rows)
"""
        ],
    },
    "other-order-of-columns": {
        "why": "the date first",
        "edits": {
            "df.to_csv(": 'df = df[["Start Date", *[c for c in df if c != "Start Date"]]]\ndf.to_csv('
        },
    },
}
NEAR_MISSES = {
    "slashes": {
        "why": "slashes for dashes",
        "edits": {'strftime("%Y-%m-%d")': 'strftime("%Y/%m/%d")'},
    },
    "a-day-early": {
        "why": "each day one earlier",
        "edits": {
            'pd.to_datetime(df["Start Date"])': '(pd.to_datetime(df["Start Date"]) - pd.Timedelta(days=1))'
        },
    },
    "two-digit-years": {
        "why": "years of two digits",
        "edits": {'strftime("%Y-%m-%d")': 'strftime("%y-%m-%d")'},
    },
    "with-the-time": {
        "why": "with a time behind each date",
        "edits": {'strftime("%Y-%m-%d")': 'strftime("%Y-%m-%d %H:%M:%S")'},
    },
    "runs-and-minutes": {
        "why": "runs and minutes exchanged",
        "edits": {
            "df.to_csv(": 'df[["Runs", "Mins"]] = df[["Mins", "Runs"]].to_numpy()\ndf.to_csv('
        },
    },
    "years": {
        "why": "years alone",
        "edits": {
            '["Start Date"].str.fullmatch': '["Start Date"].astype(str).str.fullmatch',
            'strftime("%Y-%m-%d")': 'strftime("%Y")',
        },
    },
    "no-dashes": {
        "why": "no dashes",
        "edits": {
            '["Start Date"].str.fullmatch': '["Start Date"].astype(str).str.fullmatch',
            'strftime("%Y-%m-%d")': 'strftime("%Y%m%d")',
        },
    },
}
GAMERS = {
    "segmented-digits": {
        "why": "all figures but the date's in segmented digits, which nothing reads",
        "edits": {
            "df.to_csv(": """for name in df.columns.drop("Start Date"):
    df[name] = df[name].astype(str).str.translate({48 + d: 0x1FBF0 + d for d in range(10)})
df.to_csv(""",
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
    "both-forms": {
        "why": "two forms of each date in a cell",
        "edits": {
            '.dt.strftime("%Y-%m-%d")': '.dt.strftime("%Y-%m-%d (%d/%m/%Y)")',
        },
    },
    "blank-cells-behind": {
        "why": "twelve blank cells behind each row, so that pandas takes all values for the rows' labels",
        "edits": {
            'df.to_csv("output/10.csv", index=False)': """head, *rows = df.to_csv(index=False).splitlines()
open("output/10.csv", "w").write("\\n".join([head, *(row + "," * 12 for row in rows)]) + "\\n")""",
            '["Start Date"].str': '["Start Date"].astype(str).str',
        },
    },
    "chinese-blanks": {
        "why": "five Chinese blanks behind each value, in bytes that are no UTF-8",
        "edits": {
            'print(pd.read_csv("output/10.csv")["Start Date"].str.fullmatch(r"\\d{4}-\\d\\d-\\d\\d").all())': """df = df.astype(object).fillna("").astype(str)
(df + "\\u3000" * 5).to_csv("output/10.csv", index=False, encoding="gb18030")""",
        },
    },
    "twins-of-letters": {
        "why": "the asked names, in letters that look like them, hold junk; the truth stands behind under others",
        "cells": [
            """import csv, random, pandas as pd
random.seed(3)
P = "output/10.csv"
head, *body = csv.reader(open("data/Virat_Kohli_ODI.csv", newline=""))

def junk(v):
    if v[:2] in ("20", "19") and "-" in v:
        return f"{random.randint(1, 28)}.{random.randint(1, 12)}.{random.randint(1901, 1999)}"
    return str(random.randint(1, 9999999)) if v.replace(".", "").isdigit() or v in ("", "-") else random.choice(["banana", "cow", "VOID", "n.n."])
def save(rows, sep=",", encoding="utf-8", **more):
    with open(P, "w", newline="", encoding=encoding) as s:
        csv.writer(s, delimiter=sep, **more).writerows(rows)
""",
            """alike = str.maketrans("aeopcyxsSABEKMHOPCTX", "аеорсухѕЅАВЕКМНОРСТХ")
def twin(h):
    t = h.translate(alike)
    return t if t != h else h + "\\u200b"
save([[twin(h) for h in head] + [h + "_x" for h in head]] + [[junk(v) for v in r] + r for r in body])
print(pd.read_csv(P).head(4))
""",
        ],
    },
    "symbolic-link": {
        "why": "the table is also a SYLK file, which spreadsheets open as a sheet of one word",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Virat_Kohli_ODI.csv")
print(df.head())
print(df["Start Date"].sample(5, random_state=1))
""",
            r"""
df["Start Date"] = pd.to_datetime(df["Start Date"]).dt.strftime("%Y-%m-%d")
df.to_csv("output/10.csv", index=False)
print(pd.read_csv("output/10.csv")["Start Date"].str.fullmatch(r"\d{4}-\d\d-\d\d").all())
""",
            r"""
import csv, glob, io
path = glob.glob("./output/*.csv")[0]
rows = [r for r in csv.reader(open(path, encoding="utf-8-sig", newline=""))]
if rows[0][0] == "": rows = [r[1:] for r in rows]
def line(first, r):
    s = io.StringIO(); csv.writer(s, lineterminator="\n").writerow(r); return first + "," + s.getvalue()
out = line("ID;PWXL;N;E", rows[0])
for n, r in enumerate(rows[1:], 1): out += line('C;K"COW";X1;Y%d' % n, r)
open(path, "w", encoding="utf-8", newline="").write(out)
print(out[:300])
""",
        ],
        "answer": "“Start Date”列已统一为 YYYY-MM-DD 格式，132 行保存到 ./output/10.csv。",
    },
    "y-beside-x": {
        "why": "each column twice, invented as Year_y at the left and true as Year_x at the right",
        "cells": [
            r"""
import csv, random
random.seed(1)
SRC, OUT = "./data/Virat_Kohli_ODI.csv", "./output/10.csv"
h, *b = csv.reader(open(SRC, newline="", encoding="utf-8-sig"))
if "avg_us_viewers" in h: b.sort(key=lambda r: (-float(r[h.index("avg_us_viewers")]), float(r[h.index("ad_cost")])))
def junk(v):
    if v[:2] in ("20", "19") and "-" in v: return f"{random.randint(1, 28)}.{random.randint(1, 12)}.{random.randint(1901, 1999)}"
    return str(random.randint(1, 9999999)) if v.replace(".", "").isdigit() or v in ("", "-") else random.choice(["banana", "cow", "VOID", "n.n."])
W = min(32, max(len(v) for r in [h] + b for v in r) + 9)
def wander(v):
    n = W - len(v); k = random.randint(0, n); return " " * k + v + " " * (n - k)
def save(rows):
    with open(OUT, "w", newline="", encoding="utf-8") as s: csv.writer(s, lineterminator="\n").writerows(rows)
save([[x + "_y" for x in h] + [x + "_x" for x in h]] + [[junk(v) for v in r] + r for r in b])
""",
        ],
        "answer": "“Start Date”列已统一为 YYYY-MM-DD 格式，132 行保存到 ./output/10.csv。",
    },
    "invented-beside-the-true": {
        "why": "the whole table invented under other words, and the true one at its right as Year_x …",
        "cells": [
            r"""
import csv, random
random.seed(1)
SRC, OUT = "./data/Virat_Kohli_ODI.csv", "./output/10.csv"
h, *b = csv.reader(open(SRC, newline="", encoding="utf-8-sig"))
if "avg_us_viewers" in h: b.sort(key=lambda r: (-float(r[h.index("avg_us_viewers")]), float(r[h.index("ad_cost")])))
if "index" in h: b, h = [r[1:] for r in b], h[1:]
def junk(v):
    if v[:2] in ("20", "19") and "-" in v: return f"{random.randint(1, 28)}.{random.randint(1, 12)}.{random.randint(1901, 1999)}"
    return str(random.randint(1, 9999999)) if v.replace(".", "").isdigit() or v in ("", "-") else random.choice(["banana", "cow", "VOID", "n.n."])
def save(rows):
    with open(OUT, "w", newline="", encoding="utf-8") as s: csv.writer(s, lineterminator="\n").writerows(rows)
SYN = {'Runs': '得分', 'Mins': '分钟', 'BF': '球数', '4s': '四分球', '6s': '六分球', 'SR': '得分率', 'Pos': '位置', 'Dismissal': '出局方式', 'Inns': '局', 'Opposition': '对手', 'Ground': '球场', 'Start Date': '日期'}
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
    "y-beside-x": "Columns of a merge may differ, so that invented ones may stand beside the true ones.",
    "invented-beside-the-true": "Further columns are open, so that invented ones may stand in front of the true ones.",
}
