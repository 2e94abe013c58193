# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "no-others": {
        "why": "says that there are no others",
        "answer": "有，共有 «count» 部：«common»。没有其他相同的电影。",
    },
    "bullets": {
        "why": "a list in bold, in English",
        "edits": {
            'print("common:"': 'print("bold:", "; ".join(f"**{c}**" for c in common))\nprint("common:"'
        },
        "answer": "Yes. There are «count» movies that appear in both tables: «bold».",
    },
    "three-named": {
        "why": "how many, and some of them",
        "edits": {
            'print("common:"': 'print("some:", "、".join(f"《{c}》" for c in common[:4]))\nprint("common:"'
        },
        "answer": "有，两张表中共有 «count» 部相同的电影，例如 «some» 等。",
    },
    "merged": {
        "why": "by title and year of release where both are known",
        "edits": {
            'common = sorted(set(horror["movie_name"].str.strip()) & set(top["Movies"].str.strip()))': 'names = top["Movies"].str.strip()\ncommon = sorted(horror.loc[horror["movie_name"].str.strip().isin(names), "movie_name"].str.strip().unique())'
        },
        "answer": "是的，有 «count» 部：\n\n«common»",
    },
    "with-years": {
        "why": "tells how many of them are old films of the same name",
        "edits": {
            'print("common:"': 'both = horror.assign(name=horror["movie_name"].str.strip()).query("name in @common")\nprint("new:", (both["year"].astype(str).str[:4] == "2022").sum())\nprint("old:", (both["year"].astype(str).str[:4] != "2022").sum())\nprint("common:"'
        },
        "answer": "有。按片名比对，两张表共有 «count» 部同名电影：«common»\n\n其中前 «new» 部年份也是 2022 年，可以认为是同一部电影；后 «old» 部只是同名的老片，并不是同一部。",
    },
    "new-and-old": {
        "why": "tells how many are of the same year and how many are not",
        "edits": {
            'print("common:"': 'both = horror.assign(name=horror["movie_name"].str.strip()).query("name in @common")\nnew = (both["year"].astype(str).str[:4] == "2022").sum()\nprint("new:", new)\nprint("old:", len(common) - new)\nprint("common:"'
        },
        "answer": "Yes, «count» films share a title: «common». «new» films also share the year, the remaining «old» films are older namesakes.",
    },
    "table": {
        "why": "a table",
        "edits": {
            'print("common:"': 'for n, c in enumerate(common[:9]):\n    print(f"f{n}: {c}")\nprint("common:"'
        },
        "answer": "有 «count» 部相同的电影，例如：\n\n| 序号 | 电影 |\n|---|---|\n| 1 | «f0» |\n| 2 | «f1» |\n| 3 | «f2» |\n| 4 | «f3» |",
    },
}
NEAR_MISSES = {
    "too-many": {
        "why": "names films of the second table as well",
        "edits": {
            'print("count:"': 'common = sorted({*common, *top["Movies"].str.strip()[:15]})\nprint("count:"'
        },
    },
    "half": {
        "why": "half of them, as if they were all",
        "edits": {'print("count:"': 'common = common[: len(common) // 2]\nprint("count:"'},
    },
    "no-with-names": {"why": "says no", "answer": "没有相同的电影。"},
    "count-of-rows": {
        "why": "says how many films one table has",
        "edits": {'print("count:", len(common))': 'print("count:", len(top))'},
    },
    "one-invented": {
        "why": "one that only the first table has, as the count",
        "edits": {'print("count:", len(common))': 'print("count:", len(common) + 3)'},
    },
    "years-compared": {
        "why": "says that only one is there",
        "edits": {'print("count:"': 'common = common[:1]\nprint("count:"'},
    },
}
