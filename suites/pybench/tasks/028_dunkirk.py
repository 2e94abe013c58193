# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The year of a film and what else a table says of it."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "28"
TITLE = "《敦刻尔克》的上映年份与信息"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = []
NOTE = "The table has two films of this very title: the answer must give the year of the later, well-known one, and three more facts that the table has of it; the earlier one may be told of as well."
GUESSABLE = "The facts of a well-known film are asked for, which need no look into the table."


def check(case: Case) -> None:
    import re

    from runner.checks.data import datasets
    from runner.checks.text import answers, labelled_values

    rows = [
        row
        for row in datasets.rows_of(tables.source(case.data / "war.csv"))
        if str(row["movie_name"]).strip() == "Dunkirk"
    ]
    film = max(rows, key=lambda row: str(row["year"]))
    labelled_values.require_answer(case)
    answer = case.answer
    year = float(film["year"])
    years = [int(y) for y in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", answers.folded(answer))]
    both = re.search(r"两部|两个版本|\btwo\b|both", answer, re.IGNORECASE)
    case.expect(
        "year",
        years and year in years and (years[0] == year or both),
        f"{year:.0f}",
        years[:4] or answer[:80],
        "",
        f"The answer does not give the year {year:.0f}.",
    )
    wrong = contradictions(rows, answer)
    case.expect(
        "facts of the film",
        not wrong,
        "none that the table denies",
        wrong[:3] or "none",
        "",
        f"The answer gives {wrong[0] if wrong else ''}, which the table denies.",
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


def contradictions(rows: list, answer: str) -> list:
    """Claims of the answer on the director, the cast, the length or the rating, and no film has."""
    import re

    from runner.checks.text import reading

    lengths = r"(片长|时长|runtime|running time)(\W{0,6})(\d):([0-5]\d)(?![\d:])"
    text = re.sub(
        lengths,
        lambda m: f"{m[1]}{m[2]}{60 * int(m[3]) + int(m[4])}",
        reading.in_minutes(reading.folded(answer)),
    )
    known = {"诺兰", "nolan"}
    for row in rows:
        people = f"{row['director']}, {row['star']}"
        known |= {part.strip().lower() for part in people.split(",")}
        known |= {part.split()[-1].lower() for part in people.split(",") if part.split()}
    found = []
    for match in re.finditer(
        r"(导演|主演|演员|director|directed by|starring|stars|cast)\W*(?:是|为|有|is|was|are|:)?\W*"
        r"([a-z][a-z .'-]+(?:,\s*[a-z][a-z .'-]+)*)",
        text,
    ):
        names = match[2]
        if re.match(r"(?:and|of|by|is|the|a)\b", names):
            continue
        if not any(name and name in names for name in known):
            found.append(f"{match[1]} {names[:40]}")
    figures = {
        "runtime": (r"片长|时长|runtime|running time", 400),
        "rating": (r"评分|imdb|rating", 10),
    }
    for column, (words, most) in figures.items():
        right = [float(str(row[column]).split()[0]) for row in rows if row[column]]
        for match in re.finditer(rf"(?:{words})\W{{0,6}}(\d+(?:\.\d+)?)", text):
            said = float(match[1])
            if said <= most and said not in right:
                found.append(match[0])
    return found


def facts(film: dict, answer: str) -> dict:
    """Facts of the table that the answer gives."""
    import re

    from runner.checks.text import labelled_values, reading

    stars = [part.strip() for part in str(film["star"]).split(",")]
    genres = [part.strip() for part in str(film["genre"]).split(",")]
    chinese = {"Action": "动作", "Drama": "剧情", "History": "历史", "War": "战争"}
    gross, votes = float(film["gross(in $)"] or 0), float(film["votes"] or 0)
    found = {
        "director": labelled_values.mentions(answer, str(film["director"]))
        or labelled_values.mentions(answer, "诺兰"),
        "runtime": labelled_values.says_number(
            reading.in_minutes(reading.folded(answer)), float(str(film["runtime"]).split()[0]), 0
        ),
        "rating": labelled_values.says_number(answer, float(film["rating"]), 0.001),
        "certificate": labelled_values.mentions(answer, str(film["certificate"])),
        "genre": sum(
            labelled_values.mentions(answer, g)
            or labelled_values.mentions(answer, chinese.get(g, g))
            for g in genres
        )
        >= 2,
        "votes": labelled_values.says_number(answer, votes, 0)
        or labelled_values.says_number(answer, votes, votes * 0.005),
        "gross": any(
            labelled_values.says_number(answer, gross / scale, gross / scale * 0.005)
            for scale in (1, 1e6)
        ),
        "film id": str(film["movie_id"]) in answer,
        "plot": labelled_values.mentions(answer, "Belgium")
        or labelled_values.mentions(answer, "比利时"),
    }
    return found | {
        f"star {s}": labelled_values.mentions(answer, s) for s in stars if re.search(r"\w", s)
    }


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
