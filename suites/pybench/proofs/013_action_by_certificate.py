# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "counts": {
        "why": "counts alone, with those without a certificate",
        "cells": [
            """
import pandas as pd
df = pd.read_csv("data/action.csv")
df.groupby("certificate", dropna=False).size().reset_index(name="count").to_csv("output/13.csv", index=False)
"""
        ],
        "answer": "Saved the number of movies per certificate.",
    },
    "two-heads": {
        "why": "a head of two lines",
        "cells": [
            """
import pandas as pd
df = pd.read_csv("data/action.csv")
df.groupby("certificate").agg({"rating": ["mean", "count"], "votes": ["sum", "max"]}).to_csv("output/13.csv")
"""
        ],
    },
    "means": {
        "why": "the mean of every column of numbers",
        "cells": [
            'import pandas as pd\npd.read_csv("data/action.csv").groupby("certificate").mean(numeric_only=True).to_csv("output/13.csv")'
        ],
    },
    "medians": {
        "why": "medians, sorted by name",
        "cells": [
            'import pandas as pd\ndf = pd.read_csv("data/action.csv")\ndf.groupby("certificate").agg(n=("rating", "size"), median_rating=("rating", "median"), max_votes=("votes", "max")).sort_index().to_csv("output/13.csv")'
        ],
    },
}
NEAR_MISSES = {
    "names-exchanged": {
        "why": "two certificates exchanged",
        "edits": {
            "result.to_csv(": 'result.loc[[0, 1], "certificate"] = result.loc[[1, 0], "certificate"].to_numpy()\nresult.to_csv('
        },
    },
    "sums-called-means": {
        "why": "sums under names of means",
        "cells": [
            """
import pandas as pd
df = pd.read_csv("data/action.csv")
df.groupby("certificate").agg(mean_rating=("rating", "sum"), mean_votes=("votes", "sum")).to_csv("output/13.csv")
"""
        ],
    },
    "largest-alone": {
        "why": "the three commonest certificates alone",
        "edits": {"result.to_csv(": "result = result.head(3)\nresult.to_csv("},
    },
    "shares-called-counts": {
        "why": "ten times the count",
        "edits": {"result.to_csv(": 'result["movies"] *= 10\nresult.to_csv('},
    },
    "overall": {
        "why": "the overall mean rating for each",
        "edits": {
            "result.to_csv(": 'result["rating"] = round(df["rating"].mean(), 2)\nresult.to_csv('
        },
    },
    "by-director": {"why": "by director", "edits": {'"certificate")\n': '"director")\n'}},
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
