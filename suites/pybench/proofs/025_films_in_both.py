# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
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
GAMERS = {
    "all-of-one-table": {
        "why": "names all films of the shorter table",
        "edits": {
            'print("common:", ", ".join(common))': 'print("common:", ", ".join(top["Movies"].str.strip()))'
        },
    },
}
