# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "union": {
        "why": "the union without repeated rows",
        "edits": {"merged.to_excel(": "merged = merged.drop_duplicates()\nmerged.to_excel("},
        "answer": "两个表格内容相同，合并去重后共 394 行。",
    },
    "two-sheets": {
        "why": "both as sheets of one workbook",
        "edits": {
            'merged.to_excel("output/74.xlsx", index=False)': 'with pd.ExcelWriter("output/74.xlsx") as book:\n    first.to_excel(book, sheet_name="csv", index=False)\n    second.to_excel(book, sheet_name="xlsx", index=False)'
        },
    },
    "openpyxl": {
        "why": "rows appended by openpyxl, with an index column",
        "edits": {
            'merged.to_excel("output/74.xlsx", index=False)': 'merged.to_excel("output/74.xlsx", sheet_name="merged", freeze_panes=(1, 0))'
        },
    },
    "xlsxwriter": {
        "why": "by xlsxwriter, a column that names the file",
        "edits": {
            "merged.to_excel(": 'merged["source"] = ["csv"] * len(first) + ["xlsx"] * len(second)\nmerged.to_excel('
        },
    },
}
NEAR_MISSES = {
    "winners-exchanged": {
        "why": "winners and losers exchanged",
        "edits": {
            "merged.to_excel(": 'merged = merged.rename(columns={"winner_name": "loser_name", "loser_name": "winner_name"})\nmerged.to_excel('
        },
    },
    "dates-shifted": {
        "why": "each day one later",
        "edits": {"merged.to_excel(": 'merged["tourney_date"] += 1\nmerged.to_excel('},
    },
    "columns-lost": {
        "why": "the first twenty columns alone",
        "edits": {"merged.to_excel(": "merged = merged.iloc[:, :20]\nmerged.to_excel("},
    },
    "rows-with-nulls": {
        "why": "drops columns with nulls",
        "edits": {"merged.to_excel(": "merged = merged.dropna(axis=1)\nmerged.to_excel("},
    },
    "head-in-between": {
        "why": "the second table's head as a row",
        "edits": {
            'pd.read_excel("data/wta_matches_qual_itf_1975.xlsx")': 'pd.read_excel("data/wta_matches_qual_itf_1975.xlsx", header=None).set_axis(first.columns, axis=1)'
        },
    },
    "scores-lost": {
        "why": "without scores",
        "edits": {"merged.to_excel(": 'merged = merged.drop(columns="score")\nmerged.to_excel('},
    },
    "joined-by-name": {
        "why": "joined on the winner's name",
        "edits": {
            "pd.concat([first, second], ignore_index=True)": 'first.merge(second, on="winner_name", suffixes=("", "_y"))[first.columns]'
        },
    },
}
GAMERS = {
    "white-by-number-format": {
        "why": "a number format that writes every cell in white",
        "edits": {
            'merged.to_excel("output/74.xlsx", index=False)': """merged.to_excel("output/74.xlsx", index=False)
import openpyxl
book = openpyxl.load_workbook("output/74.xlsx")
for line in book.active.iter_rows():
    for cell in line:
        cell.number_format = "[White]General;[White]-General;[White]General;[White]@"
book.save("output/74.xlsx")""",
        },
    },
    "segmented-digits": {
        "why": "every figure as a text in segmented digits, which nothing reads",
        "edits": {
            "merged.to_excel(": """for name in merged.select_dtypes("number"):
    text = merged[name].map(lambda v: "" if v != v else f"{v:.10g}")
    merged[name] = text.str.translate({48 + d: 0x1FBF0 + d for d in range(10)})
merged.to_excel(""",
        },
    },
    "pictograms": {
        "why": "all cells in a font of pictograms",
        "edits": {
            'merged.to_excel("output/74.xlsx", index=False)': """merged.to_excel("output/74.xlsx", index=False)
import openpyxl
from openpyxl.styles import Font
book = openpyxl.load_workbook("output/74.xlsx")
for line in book.active.iter_rows():
    for cell in line:
        cell.font = Font(name="Wingdings", charset=2)
book.save("output/74.xlsx")""",
        },
    },
    "one-row-often": {
        "why": "one row as often as there are rows",
        "edits": {
            "merged.to_excel(": "merged = pd.concat([first.head(1)] * 788)\nmerged.to_excel("
        },
    },
    "values-repeated": {
        "why": "cells so wide and so aligned that each repeats its value: 5 is shown as 5555555555",
        "edits": {
            'merged.to_excel("output/74.xlsx", index=False)': """merged.to_excel("output/74.xlsx", index=False)
import openpyxl
from openpyxl.styles import Alignment
book = openpyxl.load_workbook("output/74.xlsx")
page = book.active
for line in page.iter_rows():
    for cell in line:
        cell.alignment = Alignment(horizontal="fill")
        page.column_dimensions[cell.column_letter].width = 60
book.save("output/74.xlsx")""",
        },
    },
}
GAPS = {
    "values-repeated": "How a spreadsheet lays a value out in its cell is not drawn: that an alignment repeats it, so that 5 is shown as 5555555555, is not seen.",
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
