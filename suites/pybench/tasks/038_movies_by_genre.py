"""Drop rows with nulls and tell how films are spread over genres."""

from runner.checks import Case, tables

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


def check(case: Case) -> None:
    from runner.checks import frames
    from runner.checks.values import is_blank

    source = tables.source(case.data / "movies.csv")
    table = frames.renamed(tables.without_index(tables.read(case, "38.csv")), source.columns)
    rows = tuple(row for row in source.rows if not any(is_blank(value) for value in row))
    frames.expect_same_rows(case, table, tables.Table("the complete rows", source.columns, rows))
    expect_distribution(case, [str(row[source.columns.index("genre")]) for row in rows])


def expect_distribution(case: Case, genres: list) -> None:
    """The commonest genre by one way of counting, its number or share, and two others."""
    from collections import Counter

    from runner.checks import labels

    split = [[part.strip() for part in text.split(",")] for text in genres]
    ways = {
        "each genre": Counter(part for parts in split for part in parts),
        "first genre": Counter(parts[0] for parts in split),
        "combination": Counter(",".join(parts) for parts in split),
    }
    labels.require_answer(case)
    good, best = False, 0
    for counts in ways.values():
        names = {name: [name, name.replace(",", ", "), CHINESE.get(name, name)] for name in counts}
        said = labels.stretches(case.answer, names)
        first, number = counts.most_common(1)[0]
        shares = [100 * number / len(genres), 100 * number / sum(counts.values())]
        accepted = [
            (number, 0),
            *((share, 0.51) for share in shares),
            *((share / 100, 0.0051) for share in shares),
        ]
        firsts = [f.value for text in said[first] for f in labels.numbers_in(text[:60])[:3]]
        right = len(firsts) <= 30 and any(labels.is_accepted(value, accepted) for value in firsts)
        best = max(best, sum(bool(texts) for texts in said.values()))
        good = good or (right and sum(bool(texts) for texts in said.values()) >= 3)
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
