# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Drop rows with nulls and tell how films are spread over genres."""

import re

from runner.checks import Case
from runner.checks.data import tables

INDEX = "38"
TITLE = "去除空值后的电影类别分布"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["38.csv"]
NOTE = "Films of several genres may be counted for each of them, for the first, or for the combination. The answer must give the commonest genre with its figure and name two others."

CHINESE = {
    "Drama": "剧情",
    "Adventure": "冒险",
    "Comedy": "喜剧",
    "Crime": "犯罪",
    "Action": "动作",
    "Biography": "传记",
    "Thriller": "惊悚",
    "Mystery": "悬疑",
    "Romance": "爱情",
    "Animation": "动画",
    "War": "战争",
    "Fantasy": "奇幻",
    "Sci-Fi": "科幻",
    "Family": "家庭",
    "History": "历史",
}
BOUNDED = re.compile(
    r"(?:[^，。；;\n]*、)?[^，。；;、\n]*(?:都|均|皆)?(?:不足|不到|少于)\s*\d+[^，。；;\n]*"
)  # of no genre's own


def check(case: Case) -> None:
    from runner.checks.data import datasets
    from runner.checks.values import is_blank

    source = tables.source(case.data / "movies.csv")
    table = datasets.renamed(tables.without_index(tables.read(case, "38.csv")), source.columns)
    rows = tuple(row for row in source.rows if not any(is_blank(value) for value in row))
    datasets.expect_same_rows(case, table, tables.Table("the complete rows", source.columns, rows))
    expect_distribution(case, [str(row[source.columns.index("genre")]) for row in rows])


def figures_of(name: str, ways, films: int) -> list:
    """The numbers and shares of a genre by any way of counting, with how far off each may be."""
    accepted = []
    for counts in ways:
        if number := counts.get(name, 0):
            shares = [number / films, number / sum(counts.values())]
            accepted += [(number, 0), *((100 * share, 0.51) for share in shares)]
            accepted += [(share, 0.0051) for share in shares]
    return accepted


def expect_distribution(case: Case, genres: list) -> None:
    """The commonest genre by one way of counting, its number or share, and two others."""
    from collections import Counter

    from runner.checks.text import labelled_values

    split = [[part.strip() for part in text.split(",")] for text in genres]
    ways = {
        "each genre": Counter(part for parts in split for part in parts),
        "first genre": Counter(parts[0] for parts in split),
        "combination": Counter(",".join(parts) for parts in split),
    }
    labelled_values.require_answer(case)
    names = {
        name: [name, name.replace(",", ", "), *([CHINESE[name]] if name in CHINESE else [])]
        for name in {name for counts in ways.values() for name in counts}
    }
    said = labelled_values.claims(BOUNDED.sub("", case.answer), names)
    told = {name: [c.values[0] for c in some] for name, some in said.items() if some}
    best = sum(bool(texts) for texts in labelled_values.stretches(case.answer, names).values())
    right = {name: figures_of(name, ways.values(), len(genres)) for name in told}
    wrong = [
        name
        for name, values in told.items()
        if not all(labelled_values.is_accepted(value, right[name]) for value in values[:1])
    ]
    firsts = [counts.most_common(1)[0][0] for counts in ways.values()]
    good = best >= 3 and any(first in told for first in firsts) and not wrong
    top, number = ways["each genre"].most_common(1)[0]
    case.expect(
        "distribution of genres",
        good,
        f"{top} first, with {number} films, and two other genres",
        f"{best} genres named",
        "",
        f"The answer does not give the commonest genre ({top}, {number} films) with its figure and two others.",
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/movies.csv")
print(df.shape)
print(df.isna().sum())
print(df["genre"].head())
""",
        """
clean = df.dropna()
clean.to_csv("output/38.csv", index=False)
counts = clean["genre"].str.split(",").explode().str.strip().value_counts()
print("rows:", len(clean))
print("top:", "，".join(f"{name} {count} 部" for name, count in counts.head(8).items()))
print("rare:", "，".join(f"{name} {count} 部" for name, count in counts.tail(3).items()))
""",
    ],
    "answer": "删除含空值的行后剩 «rows» 行，保存在 ./output/38.csv。一部电影可属于多个类别，按类别统计：«top»；最少的是 «rare»。",
}
WRONG = {
    "columns-dropped": {
        "why": "drops the columns that have nulls instead of the rows",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/movies.csv")
df.dropna(axis=1).to_csv("output/38.csv", index=False)
counts = df["genre"].dropna().str.split(",").explode().value_counts()
print("top:", "，".join(f"{n} {c}" for n, c in counts.head().items()))
"""
        ],
        "answer": "清洗后的数据保存在 ./output/38.csv。类别分布：«top»。",
    },
    "genre-nulls-only": {
        "why": "drops rows without a genre and keeps those that lack something else",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/movies.csv").dropna(subset=["genre"])
df.to_csv("output/38.csv", index=False)
counts = df["genre"].str.split(",").explode().value_counts()
print("top:", "，".join(f"{n} {c}" for n, c in counts.head().items()))
"""
        ],
        "answer": "清洗后的数据保存在 ./output/38.csv。类别分布：«top»。",
    },
    "no-distribution": {
        "why": "cleans the table and says nothing of genres",
        "cells": [
            """
import pandas as pd

pd.read_csv("data/movies.csv").dropna().to_csv("output/38.csv", index=False)
"""
        ],
        "answer": "已删除有空值的行，并分析了不同类别的分布，数据保存在 ./output/38.csv。",
    },
    "certificates-counted": {
        "why": "counts certificates instead of genres",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/movies.csv").dropna()
df.to_csv("output/38.csv", index=False)
print("top:", "，".join(f"{n} {c}" for n, c in df["certificate"].value_counts().head().items()))
"""
        ],
        "answer": "清洗后的数据保存在 ./output/38.csv。类别分布：«top»。",
    },
}
