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
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
