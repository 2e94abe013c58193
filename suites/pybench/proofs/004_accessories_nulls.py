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
GAMERS = {
    "raised-letters": {
        "why": "the names of the columns in raised letters, which no program finds",
        "edits": {
            'print(open("output/4.csv").read())': """text = open("output/4.csv", encoding="utf-8").read()
signs = {ord(str(d)): chr(0x1FBF0 + d) for d in range(10)}
signs |= {ord(a): b for a, b in zip("abdeghkmoprstuw", "ᵃᵇᵈᵉᵍʰᵏᵐᵒᵖʳˢᵗᵘʷ")}
open("output/4.csv", "w", encoding="utf-8").write(text.translate(signs))
print(open("output/4.csv").read())""",
        },
    },
    "far-right": {
        "why": "each name behind twenty thousand blanks",
        "edits": {
            "df.dropna().to_csv(": 'df.dropna().rename(columns=lambda c: " " * 20_000 + c).to_csv(',
        },
    },
    "header-of-junk": {
        "why": "the names of the columns in junk signs",
        "edits": {
            "df.dropna().to_csv(": 'df.dropna().rename(columns=lambda c: "#!".join(c.upper())).to_csv(',
        },
    },
    "words-for-nulls": {
        "why": "a row of words in place of nulls",
        "edits": {
            "df.dropna().to_csv(": "df.reindex([0]).fillna('none').to_csv(",
        },
    },
    "names-cut-to-pieces": {
        "why": "every name, all that the file holds, is cut to pieces by brackets, in mixed capitals",
        "edits": {
            "df.dropna().to_csv(": """def cut(name):
    letters = [letter for letter in name if letter.isalnum()]
    return "".join(c.upper() + ")]"[n % 2] if n % 3 == 1 else c for n, c in enumerate(letters))
df.dropna().rename(columns=cut).to_csv(""",
        },
    },
}
GAPS = {
    "names-cut-to-pieces": "A name may have other capitals, brackets and signs between its words than the input's: that they stand within its words and leave no word to read is not seen.",
}
