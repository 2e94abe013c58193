# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A scatter of age and body mass index, rows with nulls left out."""

from runner.checks import Case, alternatives
from runner.checks.charts import figures, marks, unnoted

INDEX = "68"
TITLE = "Age against BMI"
CATEGORY = "chart"
OUTPUTS = ["68.png"]
NOTE = (
    "Either may lie along the bottom. The released table has no nulls, so all its rows are points."
)

AGE = ["age", "年龄"]
BMI = ["bmi", "body mass", "身体质量", "体重指数", "体质"]


def check(case: Case) -> None:
    import pandas as pd

    frame = pd.read_csv(case.data / "insurance.csv").dropna()
    age, bmi = list(frame["age"]), list(frame["bmi"])
    figure = figures.read(case, "68.png")
    if figure.note is None:
        unnoted.expect_marks(case, figure, 20, "a dot for each row")
        return
    alternatives.any_of(
        case,
        "a point for each row",
        {
            "age along": lambda own: marks.expect_points(
                own, figure, age, bmi, x_words=AGE, y_words=BMI
            ),
            "BMI along": lambda own: marks.expect_points(
                own, figure, bmi, age, x_words=BMI, y_words=AGE
            ),
        },
        "68.png",
    )


REFERENCE = {
    "cells": [
        "import pandas as pd\ndf = pd.read_csv('data/insurance.csv')\nprint(df.shape, df.isna().sum())\ndf = df.dropna()",
        "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.scatter(df['age'], df['bmi'], s=12)\nax.set_xlabel('Age')\nax.set_ylabel('BMI')\nax.set_title('Age vs BMI')\nfig.savefig('output/68.png')",
    ],
    "answer": "The scatter plot is saved in ./output/68.png; the data hold no nulls.",
}
WRONG = {
    "charges-instead": {
        "why": "sets age against the charges",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/insurance.csv')\nplt.scatter(df['age'], df['charges'])\nplt.xlabel('Age')\nplt.ylabel('BMI')\nplt.savefig('output/68.png')"
        ],
        "answer": "Saved in ./output/68.png.",
    },
    "mean-by-age": {
        "why": "draws the mean BMI of each age",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/insurance.csv').groupby('age')['bmi'].mean()\nplt.scatter(df.index, df.values)\nplt.xlabel('Age')\nplt.ylabel('BMI')\nplt.savefig('output/68.png')"
        ],
        "answer": "Saved in ./output/68.png.",
    },
    "smokers-only": {
        "why": "loses the non-smokers with a filter",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/insurance.csv')\ndf = df[df['smoker'] == 'yes']\nplt.scatter(df['age'], df['bmi'])\nplt.xlabel('Age')\nplt.ylabel('BMI')\nplt.savefig('output/68.png')"
        ],
        "answer": "Saved in ./output/68.png.",
    },
}
