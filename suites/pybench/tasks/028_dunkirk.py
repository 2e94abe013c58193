"""The year of a film and what else a table says of it."""

from runner.checks import Case, tables

INDEX = "28"
TITLE = "《敦刻尔克》的上映年份与信息"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "The table has two films of this very title: the answer must give the year of the later, well-known one, and three more facts that the table has of it; the earlier one may be told of as well."


def check(case: Case) -> None:
    from runner.checks import frames, labels

    rows = [
        row
        for row in frames.rows_of(tables.source(case.data / "war.csv"))
        if str(row["movie_name"]).strip() == "Dunkirk"
    ]
    film = max(rows, key=lambda row: str(row["year"]))
    labels.require_answer(case)
    answer = case.answer
    year = float(film["year"])
    case.expect(
        "year",
        labels.says_number(answer, year, 0),
        f"{year:.0f}",
        answer[:80],
        "",
        f"The answer does not give the year {year:.0f}.",
    )
    told = [name for name, is_told in facts(film, answer).items() if is_told]
    case.expect(
        "other facts",
        len(told) >= 3,
        "three more facts of the table",
        ", ".join(told) or "none",
        "",
        f"The answer gives {len(told)} other facts that the table has of the film, three at least are wanted.",
    )


def facts(film: dict, answer: str) -> dict:
    """Which of the table's facts the answer gives."""
    import re

    from runner.checks import labels

    stars = [part.strip() for part in str(film["star"]).split(",")]
    genres = [part.strip() for part in str(film["genre"]).split(",")]
    chinese = {"Action": "动作", "Drama": "剧情", "History": "历史", "War": "战争"}
    gross, votes = float(film["gross(in $)"] or 0), float(film["votes"] or 0)
    found = {
        "director": labels.mentions(answer, str(film["director"])) or "诺兰" in answer,
        "runtime": labels.says_number(answer, float(str(film["runtime"]).split()[0]), 0),
        "rating": labels.says_number(answer, float(film["rating"]), 0.001),
        "certificate": labels.mentions(answer, str(film["certificate"])),
        "genre": sum(labels.mentions(answer, g) or chinese.get(g, "\0") in answer for g in genres)
        >= 2,
        "votes": labels.says_number(answer, votes, 0)
        or labels.says_number(answer, votes, votes * 0.005),
        "gross": any(
            labels.says_number(answer, gross / scale, gross / scale * 0.005) for scale in (1, 1e6)
        ),
        "film id": str(film["movie_id"]) in answer,
        "plot": labels.mentions(answer, "Belgium") or "比利时" in answer,
    }
    return found | {f"star {s}": labels.mentions(answer, s) for s in stars if re.search(r"\w", s)}


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/war.csv")
films = df[df["movie_name"].str.strip() == "Dunkirk"]
print(films.T.to_string())
""",
        """
film = films.sort_values("year").iloc[-1]
for column in ["year", "director", "runtime", "rating", "certificate", "genre"]:
    print(f"{column}: {film[column]}")
print("stars:", film["star"].replace("\\n", ""))
print(f"votes: {film['votes']:.0f}")
print("others:", ", ".join(films.sort_values("year")["year"][:-1]))
""",
    ],
    "answer": "电影 Dunkirk 于 «year» 年上映（数据中另有一部 «others» 年的同名电影）。导演：«director»；主演：«stars»；类型：«genre»；分级：«certificate»；片长：«runtime»；评分：«rating»（«votes» 人投票）。",
}
WRONG = {
    "older-film": {
        "why": "takes the other film of this title",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/war.csv")
film = df[df["movie_name"] == "Dunkirk"].sort_values("year").iloc[0]
for column in ["year", "director", "runtime", "rating", "genre"]:
    print(f"{column}: {film[column]}")
"""
        ],
        "answer": "电影 Dunkirk 于 «year» 年上映，导演 «director»，片长 «runtime»，评分 «rating»，类型 «genre»。",
    },
    "year-only": {
        "why": "answers the first question and leaves out the second",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/war.csv")
print("year:", df[df["movie_name"] == "Dunkirk"]["year"].iloc[0])
"""
        ],
        "answer": "电影 Dunkirk 于 «year» 年上映。",
    },
    "title-searched": {
        "why": "takes the last film whose title holds the word",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/war.csv")
film = df[df["movie_name"].str.contains("Dunkirk", na=False)].iloc[-1]
for column in ["year", "director", "runtime", "rating", "genre"]:
    print(f"{column}: {film[column]}")
"""
        ],
        "answer": "电影 Dunkirk 于 «year» 年上映，导演 «director»，片长 «runtime»，评分 «rating»，类型 «genre»。",
    },
}
