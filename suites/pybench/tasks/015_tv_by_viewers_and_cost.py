# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Sort a table by viewers, most first, and then by cost, least first."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "15"
TITLE = "按观众数和广告费排序"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["15.csv"]
NOTE = "The two files hold the same rows: the result may have each row twice or once. Viewers come first; cost decides between the two games with equally many. Told the delimiter, pandas must read the same table from the file: each name once, figures as plain numbers without thousands commas."


def check(case: Case) -> None:
    from runner.checks.data import datasets
    from runner.checks.values import number

    source = tables.source(case.data / "tv.csv")
    table = datasets.read_as(case, "15.csv", source)
    if not datasets.expect_same_rows(case, table, source, copies=(1, 2)):
        return
    viewers, costs = (
        [number(v) or 0 for v in table.column(name)] for name in ("avg_us_viewers", "ad_cost")
    )
    found = list(zip(viewers, costs, strict=True))
    case.equal(
        "most viewers first, then lowest cost",
        found,
        sorted(found, key=lambda pair: (-pair[0], pair[1])),
        table.file,
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

x, c = pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")
print(x.shape, c.shape, x.equals(c))
print(x[x["avg_us_viewers"].duplicated(keep=False)])
""",
        """
df = pd.concat([x, c]).drop_duplicates()
df = df.sort_values(["avg_us_viewers", "ad_cost"], ascending=[False, True])
df.to_csv("output/15.csv", index=False)
print(df.head())
""",
    ],
    "answer": "两个文件内容相同，去重后按 avg_us_viewers 降序、ad_cost 升序排序，保存在 ./output/15.csv。",
}
WRONG = {
    "cost-first": {
        "why": "sorts by cost first and by viewers second",
        "cells": [
            """
import pandas as pd

df = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")]).drop_duplicates()
df.sort_values(["ad_cost", "avg_us_viewers"], ascending=[True, False]).to_csv("output/15.csv", index=False)
"""
        ],
        "answer": "排序完成，保存在 ./output/15.csv。",
    },
    "both-descending": {
        "why": "sorts cost in descending order as well, so that a tie stands the wrong way round",
        "cells": [
            """
import pandas as pd

df = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")]).drop_duplicates()
df.sort_values(["avg_us_viewers", "ad_cost"], ascending=False).to_csv("output/15.csv", index=False)
"""
        ],
        "answer": "排序完成，保存在 ./output/15.csv。",
    },
    "one-file-after-the-other": {
        "why": "sorts each file and writes them one below the other",
        "cells": [
            """
import pandas as pd

by = dict(by=["avg_us_viewers", "ad_cost"], ascending=[False, True])
df = pd.concat([pd.read_excel("data/tv.xlsx").sort_values(**by), pd.read_csv("data/tv.csv").sort_values(**by)])
df.to_csv("output/15.csv", index=False)
"""
        ],
        "answer": "排序完成，保存在 ./output/15.csv。",
    },
}
