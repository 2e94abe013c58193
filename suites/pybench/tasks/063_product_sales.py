# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Bars of what each product sold."""

from runner.checks import Case, alternatives
from runner.checks.charts import figures, series, unnoted

INDEX = "63"
TITLE = "各产品销量柱状图"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["63.png"]
NOTE = "The table has amounts of money and no quantities, so bars of total amounts and of numbers of sales are both right."


def check(case: Case) -> None:
    import pandas as pd

    frame = pd.read_csv(case.data / "sales_data.csv")
    by = frame.groupby("product")["sales_amount"]
    figure = figures.read(case, "63.png")
    if figure.note is None:
        unnoted.expect_marks(case, figure, len(by), "a bar for each product")
        return
    alternatives.any_of(
        case,
        "a bar for each product",
        {
            "total amount": lambda own: series.expect_bar_values(
                own, figure, by.sum().to_dict(), scaled=True
            ),
            "number of sales": lambda own: series.expect_bar_values(
                own, figure, by.count().to_dict()
            ),
        },
        "63.png",
    )


REFERENCE = {
    "cells": [
        "import pandas as pd\ndf = pd.read_csv('data/sales_data.csv')\nprint(df.head(), df.isna().sum())\ntotals = df.groupby('product')['sales_amount'].sum()\nprint(totals)",
        """
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(8, 5))
ax.bar(totals.index, totals.values)
ax.set_title("各产品销售额")
ax.set_xlabel("产品")
ax.set_ylabel("销售额")
fig.savefig("output/63.png")
""",
    ],
    "answer": "柱状图已保存到 ./output/63.png。",
}
WRONG = {
    "means": {
        "why": "shows the mean of a sale, not what was sold",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\npd.read_csv('data/sales_data.csv').groupby('product')['sales_amount'].mean().plot.bar()\nplt.savefig('output/63.png')"
        ],
        "answer": "柱状图已保存到 ./output/63.png。",
    },
    "by-customer": {
        "why": "groups by the customer",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\npd.read_csv('data/sales_data.csv').groupby('customer_id')['sales_amount'].sum().plot.bar()\nplt.savefig('output/63.png')"
        ],
        "answer": "柱状图已保存到 ./output/63.png。",
    },
    "first-hundred": {
        "why": "counts only the first hundred rows",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\npd.read_csv('data/sales_data.csv').head(100).groupby('product')['sales_amount'].sum().plot.bar()\nplt.savefig('output/63.png')"
        ],
        "answer": "柱状图已保存到 ./output/63.png。",
    },
}
