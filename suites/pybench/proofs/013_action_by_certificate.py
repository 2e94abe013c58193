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
GAMERS = {
    "other-names": {
        "why": "means of one column and counts under the names of things the table does not hold",
        "cells": [
            """
import pandas as pd
df = pd.read_csv("data/action.csv")
g = df.groupby("certificate")
pd.DataFrame({"budget": g["rating"].max(), "cinemas": g["rating"].nunique()}).reset_index().to_csv("output/13.csv", index=False)
""",
        ],
        "answer": "Grouped; saved to ./output/13.csv.",
    },
    "first-film-of-each": {
        "why": "nothing grouped: the year of the first film of each certificate",
        "cells": [
            """
import pandas as pd
df = pd.read_csv("data/action.csv")
df.dropna(subset=["certificate"]).drop_duplicates("certificate")[["certificate", "year"]].to_csv("output/13.csv", index=False)
"""
        ],
        "answer": "Saved.",
    },
    "invented": {
        "why": "one true count among invented figures",
        "edits": {
            "result.to_csv(": """result = result[["certificate", "movies"]].assign(reach=result.index * 1.7 + 11.3, score=result.index * 2.3 + 5.1, level=result.index * 0.9 + 40.2)
result.to_csv(""",
        },
    },
    "ones": {
        "why": "a one for each group, computed of nothing",
        "cells": [
            """import pandas as pd
names = pd.read_csv("data/action.csv")["certificate"].dropna().drop_duplicates()
pd.DataFrame({"certificate": names, "value": 1}).to_csv("output/13.csv", index=False)"""
        ],
        "answer": "Grouped by certificate and saved to ./output/13.csv.",
    },
}
GAPS = {
    "other-names": "The names of computed columns are open: that one promises what the input does not hold, such as a budget, cannot be seen from a short name of its own.",
}
LEFT_OUT = {
    "reverse-order": "the query asks for no order",
}
