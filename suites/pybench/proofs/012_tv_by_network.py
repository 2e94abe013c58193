# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "sums": {
        "why": "sums of both files put together, repeated rows kept",
        "cells": [
            """
import pandas as pd
df = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")])
df.groupby("network").sum(numeric_only=True).to_csv("output/12.csv")
"""
        ],
        "answer": "已按 network 求和。",
    },
    "two-heads": {
        "why": "several functions for each column, so a head of two lines",
        "cells": [
            """
import pandas as pd
df = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")], ignore_index=True).drop_duplicates()
df.groupby("network").agg({"avg_us_viewers": ["mean", "max"], "ad_cost": ["mean", "sum"]}).to_csv("output/12.csv")
"""
        ],
    },
    "flat-names": {
        "why": "names joined of column and function, rounded",
        "cells": [
            """
import pandas as pd
df = pd.read_excel("data/tv.xlsx").merge(pd.read_csv("data/tv.csv"), how="outer")
g = df.groupby("network").agg({"avg_us_viewers": ["mean", "min", "max"], "rating_household": ["mean", "std"], "super_bowl": "count"})
g.columns = ["_".join(c) for c in g.columns]
g.round(1).reset_index().to_csv("output/12.csv", index=False)
"""
        ],
    },
    "counts": {
        "why": "counts alone",
        "cells": [
            'import pandas as pd\ndf = pd.read_csv("data/tv.csv")\ndf.groupby("network").size().rename("count").to_csv("output/12.csv")'
        ],
    },
    "in-words-of-chinese": {
        "why": "names of columns in Chinese",
        "edits": {
            "result.to_csv(": 'result = result.rename(columns={"super_bowls": "场次", "avg_us_viewers": "平均收视人数", "ad_cost": "平均广告费"})\nresult.to_csv('
        },
    },
}
NEAR_MISSES = {
    "networks-exchanged": {
        "why": "two networks' names exchanged",
        "edits": {
            "result.to_csv(": 'result.loc[[0, 1], "network"] = result.loc[[1, 0], "network"].to_numpy()\nresult.to_csv('
        },
    },
    "sums-called-means": {
        "why": "sums under names of means",
        "cells": [
            """
import pandas as pd
df = pd.read_csv("data/tv.csv")
g = df.groupby("network")[["avg_us_viewers", "ad_cost", "rating_household"]].sum().add_suffix("_mean")
g.reset_index().to_csv("output/12.csv", index=False)
"""
        ],
    },
    "maxima-called-minima": {
        "why": "maxima under names of minima, and the other way round",
        "cells": [
            """
import pandas as pd
df = pd.read_csv("data/tv.csv")
g = df.groupby("network").agg(min_viewers=("avg_us_viewers", "max"), max_viewers=("avg_us_viewers", "min"))
g.reset_index().to_csv("output/12.csv", index=False)
"""
        ],
    },
    "in-millions": {
        "why": "viewers in millions under the old names",
        "edits": {
            "result.to_csv(": 'result["avg_us_viewers"] = (result["avg_us_viewers"] / 1e6).round(2)\nresult.to_csv('
        },
    },
    "one-network-lost": {
        "why": "loses the network with the fewest games",
        "edits": {
            "result.to_csv(": 'result = result[result["super_bowls"] > result["super_bowls"].min()]\nresult.to_csv('
        },
    },
    "means-called-totals": {
        "why": "means under names of totals",
        "cells": [
            'import pandas as pd\ndf = pd.read_csv("data/tv.csv")\ng = df.groupby("network").agg(ad_cost_sum=("ad_cost", "mean"), rating_household_sum=("rating_household", "mean"))\ng.to_csv("output/12.csv")'
        ],
    },
    "overall": {
        "why": "the overall mean for each",
        "edits": {"result.to_csv(": 'result["ad_cost"] = df["ad_cost"].mean()\nresult.to_csv('},
    },
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
