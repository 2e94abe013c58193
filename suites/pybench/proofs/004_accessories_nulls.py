# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "with-index": {
        "why": "with pandas' index, so an empty first name",
        "edits": {'"output/4.csv", index=False': '"output/4.csv"'},
    },
    "snake-case": {
        "why": "names of columns in snake case",
        "edits": {
            "df.dropna().to_csv(": 'df.columns = [c.replace("-", "_") for c in df.columns]\ndf.dropna().to_csv('
        },
    },
    "quoted": {
        "why": "names in quotes, a byte-order mark",
        "edits": {
            '"output/4.csv", index=False': '"output/4.csv", index=False, quoting=1, encoding="utf-8-sig"'
        },
        "answer": "The dataset is empty (0 rows), so there are no null values to remove.",
    },
}
NEAR_MISSES = {
    "row-of-blanks": {
        "why": "a row of nulls below the names",
        "edits": {"df.dropna().to_csv(": "df.reindex([0]).to_csv("},
    },
    "renamed": {
        "why": "other names of the columns",
        "edits": {
            "df.dropna()": 'df.dropna().rename(columns=lambda c: c.upper().replace("_", " ") + " (clean)")'
        },
    },
    "one-column-lost": {
        "why": "loses a column",
        "edits": {"df.dropna()": "df.iloc[:, 1:].dropna()"},
    },
    "second-head": {
        "why": "the head twice",
        "edits": {
            'print(open("output/4.csv").read())': 'text = open("output/4.csv").read()\nopen("output/4.csv", "w").write(text + text)'
        },
    },
}
