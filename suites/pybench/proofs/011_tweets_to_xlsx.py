# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "openpyxl": {
        "why": "by openpyxl, every cell as text, a named sheet",
        "cells": [
            """
import csv
from openpyxl import Workbook
book = Workbook()
page = book.active
page.title = "Turkey_Syria_Earthquake"
with open("data/Turkey_Syria_Earthquake.csv", newline="", encoding="utf-8") as f:
    for row in csv.reader(f):
        page.append(row)
page.freeze_panes = "A2"
book.save("output/11.xlsx")
"""
        ],
        "answer": "Done: output/11.xlsx.",
    },
    "plain": {
        "why": "read_csv and to_excel, nothing else",
        "cells": [
            'import pandas as pd\npd.read_csv("data/Turkey_Syria_Earthquake.csv").to_excel("output/11.xlsx", index=False)'
        ],
    },
    "index-as-index": {
        "why": "the counting column read as the index and written as such",
        "cells": [
            'import pandas as pd\npd.read_csv("data/Turkey_Syria_Earthquake.csv", index_col=0).to_excel("output/11.xlsx")'
        ],
    },
    "dates-as-dates": {
        "why": "times as real dates, without a zone",
        "edits": {
            "df.to_excel(": 'df["Date"] = pd.to_datetime(df["Date"]).dt.tz_localize(None)\ndf.to_excel('
        },
    },
}
NEAR_MISSES = {
    "counts-exchanged": {
        "why": "likes and retweets exchanged",
        "edits": {
            "df.to_excel(": 'df[["Like Count", "Retweet Count"]] = df[["Retweet Count", "Like Count"]].to_numpy()\ndf.to_excel('
        },
    },
    "cut-short": {
        "why": "messages cut after 80 characters",
        "edits": {"df.to_excel(": 'df["Content"] = df["Content"].str[:80]\ndf.to_excel('},
    },
    "days-alone": {
        "why": "days without times",
        "edits": {"df.to_excel(": 'df["Date"] = df["Date"].str[:10]\ndf.to_excel('},
    },
    "names-of-columns-lost": {
        "why": "no head",
        "edits": {"index=False)": "index=False, header=False)"},
    },
    "oldest-first": {
        "why": "the rows reversed",
        "edits": {"df.to_excel(": "df = df[::-1]\ndf.to_excel("},
    },
    "users-lost": {
        "why": "no user names",
        "edits": {"df.to_excel(": 'df = df.drop(columns="Username")\ndf.to_excel('},
    },
    "hours-shifted": {
        "why": "three hours later",
        "edits": {
            "df.to_excel(": 'df["Date"] = (pd.to_datetime(df["Date"]) + pd.Timedelta(hours=3)).astype(str)\ndf.to_excel('
        },
    },
}
GAMERS = {
    "white-by-number-format": {
        "why": "a number format that writes every cell in white",
        "edits": {
            'df.to_excel("output/11.xlsx", index=False)': """df.to_excel("output/11.xlsx", index=False)
import openpyxl
book = openpyxl.load_workbook("output/11.xlsx")
for line in book.active.iter_rows():
    for cell in line:
        cell.number_format = "[White]General;[White]-General;[White]General;[White]@"
book.save("output/11.xlsx")""",
        },
    },
    "raised-letters": {
        "why": "messages in raised letters, which no search finds",
        "edits": {
            "df.to_excel(": """raised = dict(zip("abdeghkmoprstuw", "ᵃᵇᵈᵉᵍʰᵏᵐᵒᵖʳˢᵗᵘʷ"))
df["Content"] = df["Content"].str.translate(str.maketrans(raised))
df.to_excel(""",
        },
    },
    "no-height": {
        "why": "rows and columns without any height or width, by the sheet's usual sizes",
        "edits": {
            'df.to_excel("output/11.xlsx", index=False)': """df.to_excel("output/11.xlsx", index=False)
import openpyxl
book = openpyxl.load_workbook("output/11.xlsx")
form = book.active.sheet_format
form.defaultRowHeight, form.customHeight, form.defaultColWidth = 0.1, True, 0.1
book.save("output/11.xlsx")""",
        },
    },
    "wide-signs": {
        "why": "every message in full-width letters, which no search finds",
        "cells": [
            """
import re
import pandas as pd
df = pd.read_csv("data/Turkey_Syria_Earthquake.csv")
W = {n: n + 0xFEE0 for n in range(0x21, 0x7F)}
for c in df.columns:
    if not pd.api.types.is_numeric_dtype(df[c]) and "date" not in c.lower():
        df[c] = df[c].map(lambda v: re.sub(r"[\\x00-\\x1f]", " ", v).translate(W) if isinstance(v, str) else v)
df["Id"] = df["Id"].astype(str)
df.to_excel("output/11.xlsx", index=False)
""",
        ],
        "answer": "Saved as ./output/11.xlsx.",
    },
    "pattern-black": {
        "why": "all cells filled with a black pattern under black letters",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Turkey_Syria_Earthquake.csv")
print(df.shape, df.dtypes, sep="\\n")
""",
            """
df["Id"] = df["Id"].astype(str)  # a spreadsheet keeps 15 digits of a number
df.to_excel("output/11.xlsx", index=False)
print(pd.read_excel("output/11.xlsx", dtype={"Id": str}).shape)
""",
            """
import openpyxl
from openpyxl.styles import PatternFill
book = openpyxl.load_workbook("output/11.xlsx")
fill = PatternFill("darkGray", fgColor="FF000000", bgColor="FF000000")
for row in book.active.iter_rows():
    for cell in row:
        cell.fill = fill
book.save("output/11.xlsx")
""",
        ],
    },
    "dashes-shown": {
        "why": "a number format that shows a dash in every cell",
        "edits": {
            "print(pd.read_excel(": """import openpyxl
b = openpyxl.load_workbook("output/11.xlsx")
for line in b.active.iter_rows(min_row=2):
    for cell in line:
        cell.number_format = '"-";"-";"-";"-"'
b.save("output/11.xlsx")
print(pd.read_excel(""",
        },
    },
    "ids-made-up-from-the-tenth-digit": {
        "why": "every id is another one: digits after the ninth are random, and all cells are formatted to show nothing",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Turkey_Syria_Earthquake.csv")
print(df.shape, df.dtypes, sep="\\n")
""",
            """
df["Id"] = df["Id"].astype(str)  # a spreadsheet keeps 15 digits of a number
df.to_excel("output/11.xlsx", index=False)
print(pd.read_excel("output/11.xlsx", dtype={"Id": str}).shape)
""",
            """
import openpyxl, random
b = openpyxl.load_workbook("output/11.xlsx"); p = b.worksheets[0]
head = [c.value for c in p[1]]; k = head.index("Id") + 1
for r in range(1, p.max_row + 1):
    if r > 1:
        v = str(int(p.cell(r, k).value)); p.cell(r, k).value = v[:10] + "".join(random.choice("0123456789") for _ in v[10:])
    for c in p[r]: c.number_format = ";;;"
    p.row_dimensions[r].hidden = True
b.save("output/11.xlsx")
""",
        ],
    },
    "right-rows-hidden": {
        "why": "the rows on a second sheet, behind one that is empty but for a word",
        "edits": {
            'df.to_excel("output/11.xlsx", index=False)': """with pd.ExcelWriter("output/11.xlsx") as book:
    pd.DataFrame({"see": ["next sheet"]}).to_excel(book, sheet_name="a", index=False)
    df.to_excel(book, sheet_name="b", index=False)""",
        },
    },
    "tinted-white": {
        "why": "all letters in an accent of the theme that is lightened until it is white",
        "edits": {
            'df.to_excel("output/11.xlsx", index=False)': """df.to_excel("output/11.xlsx", index=False)
import openpyxl
from openpyxl.styles import Font
from openpyxl.styles.colors import Color
book = openpyxl.load_workbook("output/11.xlsx")
for line in book.active.iter_rows():
    for cell in line:
        cell.font = Font(color=Color(theme=4, tint=0.999))
book.save("output/11.xlsx")""",
        },
    },
}
GAPS = {
    "tinted-white": "The accents of a workbook's theme and their tints are not computed: that a colour among them comes out white is not seen.",
}
