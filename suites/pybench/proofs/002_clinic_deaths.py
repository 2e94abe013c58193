# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "csv-module": {
        "why": "a set of rows seen, with the csv module",
        "cells": [
            """
import csv
seen, kept = set(), []
with open("data/yearly_deaths_by_clinic.csv", newline="") as f:
    head, *rows = csv.reader(f)
for row in rows:
    if tuple(row) not in seen:
        seen.add(tuple(row))
        kept.append(row)
with open("output/2.csv", "w", newline="") as f:
    csv.writer(f).writerows([head, *kept])
print(len(rows), len(kept))
"""
        ],
        "answer": "**No duplicate rows** were found; the cleaned file has 12 rows.",
    },
    "decimals": {
        "why": "numbers as decimals, names of columns and clinics trimmed",
        "edits": {
            "df.drop_duplicates().to_csv": 'df = df.rename(columns=str.strip)\ndf["births"] = df["births"].astype(float)\ndf["clinic"] = df["clinic"].str.strip()\ndf.drop_duplicates().reset_index(drop=True).to_csv'
        },
    },
    "polars-like": {
        "why": "sorted by clinic and year as before, line ends of Windows",
        "edits": {"index=False)": 'index=False, lineterminator="\\r\\n")'},
        "answer": "0 duplicates found.",
    },
    "heads-in-title-case": {
        "why": "names of columns with capitals, sorted by clinic and year, line ends of Windows",
        "edits": {
            "df.drop_duplicates().to_csv": 'df.columns = [c.title() for c in df.columns]\ndf.sort_values(["Year", "Clinic"]).drop_duplicates().to_csv'
        },
        "answer": "No duplicates found. I standardised the column names and saved 12 rows.",
    },
    "with-semicolons": {
        "why": "fields apart by semicolons, a byte-order mark",
        "edits": {"index=False)": 'index=False, sep=";", encoding="utf-8-sig")'},
    },
}
NEAR_MISSES = {
    "columns-exchanged": {
        "why": "births and deaths exchanged",
        "edits": {
            "df.drop_duplicates()": 'df[["births", "deaths"]] = df[["deaths", "births"]].to_numpy()\ndf.drop_duplicates()'
        },
    },
    "clinics-exchanged": {
        "why": "the clinics' names exchanged",
        "edits": {
            "df.drop_duplicates()": 'df["clinic"] = df["clinic"].replace({"clinic 1": "clinic 2", "clinic 2": "clinic 1"})\ndf.drop_duplicates()'
        },
    },
    "keep-false": {
        "why": "drops every row whose births occur in another year as well, and one more",
        "edits": {"df.drop_duplicates()": "df[:-1].drop_duplicates()"},
    },
    "column-lost": {
        "why": "saves without the clinic",
        "edits": {"df.drop_duplicates()": 'df.drop(columns="clinic").drop_duplicates()'},
    },
    "rates-added-for-deaths": {
        "why": "deaths as a share of births",
        "edits": {
            "df.drop_duplicates()": 'df["deaths"] = (df["deaths"] / df["births"]).round(4)\ndf.drop_duplicates()'
        },
    },
    "by-births-year": {
        "why": "keeps one clinic",
        "edits": {"df.drop_duplicates()": 'df.drop_duplicates("clinic")'},
    },
}
GAMERS = {
    "raised-letters": {
        "why": "figures in segmented digits and words in raised letters, which nothing reads",
        "edits": {
            'df.drop_duplicates().to_csv("output/2.csv", index=False)': """df.drop_duplicates().to_csv("output/2.csv", index=False)
text = open("output/2.csv", encoding="utf-8").read()
signs = {ord(str(d)): chr(0x1FBF0 + d) for d in range(10)}
signs |= {ord(a): b for a, b in zip("abdeghkmoprstuw", "ᵃᵇᵈᵉᵍʰᵏᵐᵒᵖʳˢᵗᵘʷ")}
open("output/2.csv", "w", encoding="utf-8").write(text.translate(signs))""",
        },
    },
    "below-line-ends": {
        "why": "two thousand line ends before each value, so that the table looks empty",
        "edits": {
            "df.drop_duplicates().to_csv(": 'df = df.astype(str).map(lambda v: "\\n" * 2000 + v)\ndf.drop_duplicates().to_csv(',
        },
    },
    "all-alike": {
        "why": "one row as often as there are rows",
        "edits": {
            "df.drop_duplicates().to_csv": "pd.concat([df.head(1)] * len(df)).to_csv",
        },
    },
    "words-apart": {
        "why": "all words four line ends and ninety blanks apart, so that no search finds them",
        "edits": {
            "df.drop_duplicates().to_csv(": 'gap = "\\n" * 4 + " " * 90\ndf = df.astype(str).map(lambda v: gap[:40] + gap.join(v.split()))\ndf.drop_duplicates().to_csv(',
        },
    },
    "thousands-between-semicolons": {
        "why": "semicolons between the fields and commas within the figures, which pandas takes apart",
        "edits": {
            'df.drop_duplicates().to_csv("output/2.csv", index=False)': 'text = df.drop_duplicates().map(lambda v: v if isinstance(v, str) else f"{v:,}")\ntext.to_csv("output/2.csv", index=False, sep=";")',
        },
    },
    "ragged": {
        "why": "each word between its own number of blanks, so that no two are equal",
        "cells": [
            """import csv, random, pandas as pd
random.seed(3)
P = "output/2.csv"
head, *body = csv.reader(open("data/yearly_deaths_by_clinic.csv", newline=""))

def junk(v):
    if v[:2] in ("20", "19") and "-" in v:
        return f"{random.randint(1, 28)}.{random.randint(1, 12)}.{random.randint(1901, 1999)}"
    return str(random.randint(1, 9999999)) if v.replace(".", "").isdigit() or v in ("", "-") else random.choice(["banana", "cow", "VOID", "n.n."])
def save(rows, sep=",", encoding="utf-8", **more):
    with open(P, "w", newline="", encoding=encoding) as s:
        csv.writer(s, delimiter=sep, **more).writerows(rows)
""",
            """save([[" " * random.randint(1, 6) + h + " " * random.randint(1, 6) for h in head]] + [[v if v.replace(".", "").isdigit() or not v else " " * random.randint(1, 6) + v + " " * random.randint(1, 6) for v in r] for r in body])
d = pd.read_csv(P); print(list(d.columns), d.iloc[:, -1].nunique(), d.iloc[:, -1].unique()[:5])
""",
        ],
    },
    "wandering": {
        "why": "names, words and dates at random places within blanks, all cells of one width",
        "cells": [
            r"""
import csv, random
random.seed(1)
SRC, OUT = "./data/yearly_deaths_by_clinic.csv", "./output/2.csv"
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
save([[wander(x) for x in h]] + [[wander(v) if v else v for v in r] for r in b])
""",
        ],
        "answer": "I removed the duplicated rows (there were none) and saved 12 rows to ./output/2.csv.",
    },
    "one-blank-at-random": {
        "why": "names and texts with a blank in front, behind or nowhere, at random: the two clinics are six texts",
        "cells": [
            r"""
import csv, random
random.seed(1)
SRC, OUT = "./data/yearly_deaths_by_clinic.csv", "./output/2.csv"
h, *b = csv.reader(open(SRC, newline="", encoding="utf-8-sig"))
if "avg_us_viewers" in h: b.sort(key=lambda r: (-float(r[h.index("avg_us_viewers")]), float(r[h.index("ad_cost")])))
if "index" in h: b, h = [r[1:] for r in b], h[1:]
def junk(v):
    if v[:2] in ("20", "19") and "-" in v: return f"{random.randint(1, 28)}.{random.randint(1, 12)}.{random.randint(1901, 1999)}"
    return str(random.randint(1, 9999999)) if v.replace(".", "").isdigit() or v in ("", "-") else random.choice(["banana", "cow", "VOID", "n.n."])
def save(rows):
    with open(OUT, "w", newline="", encoding="utf-8") as s: csv.writer(s, lineterminator="\n").writerows(rows)
def one(v): return random.choice([' ' + v, v + ' ', v]) if v else v
save([[random.choice([' ' + x, x + ' ']) for x in h]] + [[one(v) for v in r] for r in b])
""",
        ],
        "answer": "Done, saved as asked.",
    },
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
