# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A pie of the employees' education."""

from runner.checks import Case
from runner.checks.charts import figures, series, unnoted

INDEX = "65"
TITLE = "员工受教育程度饼图"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["65.png"]
NOTE = "Education is read as the level from 1 to 5, under any names: 程度 asks for a level, which the field of study is not. Ten rows stand twice in the table and may be counted once or twice."


def check(case: Case) -> None:
    import pandas as pd

    frame = pd.read_csv(case.data / "HR_Analytics.csv", encoding="utf-8-sig")
    figure = figures.read(case, "65.png")
    if figure.note is None:
        unnoted.expect_marks(case, figure, 3, "the shares of the levels")
        return
    pies = [axes for axes in figure.panels if axes.wedges]
    case.demand(
        "a pie",
        pies,
        "a pie chart",
        "none" if not pies else "one",
        "65.png",
        "65.png holds no pie chart.",
    )
    shown = [series.shown_wedges(figure, axes) for axes in pies]
    tables = [frame, frame.drop_duplicates(), frame.drop_duplicates("EmpID")]
    reasons = [why_not(one, rows) for one in shown for rows in tables]
    best = "" if "" in reasons else reasons[0]
    case.expect(
        "the share of each level under its name",
        not best,
        "the shares of the levels of education",
        best or "so",
        "65.png",
        f"65.png {best}.",
    )


LEVELS = {  # words of each level, by which it is known in the usual names of the table
    1: ["below", "大专以下", "中专", "高中", "专科以下"],
    2: ["college", "大专", "专科", "associate"],
    3: ["bachelor", "本科", "学士"],
    4: ["master", "硕士", "研究生"],
    5: ["doctor", "phd", "ph.d", "博士"],
}


def level_of(name: str) -> int:
    """The level that a wedge's name says, by its words or its number; 0 for none or several."""
    import re

    if re.search(r"[?？≠]|不是|并非|[非反错]|\bnot\b", name):
        return 0
    if "below" in name or "以下" in name:
        return 1
    said = [n for n, words in LEVELS.items() if any(word in name for word in words)]
    said = said or [n for n in LEVELS if re.search(rf"(?<![\d.]){n}(?![\d.%])", name)]
    return said[0] if len(said) == 1 else 0


def why_not(found: dict, rows) -> str:
    """Why a pie does not show a table's shares under their names, "" when it does.

    Names that are five letters or words of nobody's scale cannot be assigned.
    """
    wanted = rows["Education"].value_counts(normalize=True).to_dict()
    named = {level_of(said): share for said, share in found.items()}
    if len(found) != len(wanted):
        return f"shows {len(found)} wedges, expected {len(wanted)}"
    for name, value in wanted.items():
        if abs(named.get(name, 9.0) - value) >= 0.003:
            told = f"{named[name]:.1%}" if name in named else "no wedge"
            return f"shows {told} for the level {name}, expected {value:.1%}"
    return ""


REFERENCE = {
    "cells": [
        "import pandas as pd\ndf = pd.read_csv('data/HR_Analytics.csv', encoding='utf-8-sig')\nprint(df['Education'].value_counts(), df['EmpID'].duplicated().sum())",
        """
import matplotlib.pyplot as plt

names = {1: "大专以下", 2: "大专", 3: "本科", 4: "硕士", 5: "博士"}
counts = df.drop_duplicates("EmpID")["Education"].map(names).value_counts()
fig, ax = plt.subplots(figsize=(7, 6))
ax.pie(counts.values, labels=counts.index, autopct="%1.1f%%")
ax.set_title("员工受教育程度")
fig.savefig("output/65.png")
print(counts)
""",
    ],
    "answer": "员工以本科为主，其次是硕士；饼图已保存到 ./output/65.png。",
}
WRONG = {
    "field-of-study": {
        "why": "shows the field of study in place of the level",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\npd.read_csv('data/HR_Analytics.csv', encoding='utf-8-sig')['EducationField'].value_counts().plot.pie(autopct='%1.1f%%')\nplt.title('员工受教育程度')\nplt.savefig('output/65.png')"
        ],
        "answer": "饼图已保存到 ./output/65.png。",
    },
    "by-department": {
        "why": "shows the departments",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\npd.read_csv('data/HR_Analytics.csv', encoding='utf-8-sig')['Department'].value_counts().plot.pie(autopct='%1.1f%%')\nplt.savefig('output/65.png')"
        ],
        "answer": "饼图已保存到 ./output/65.png。",
    },
    "bars-instead": {
        "why": "draws bars though a pie is asked for",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\npd.read_csv('data/HR_Analytics.csv', encoding='utf-8-sig')['Education'].value_counts().plot.bar()\nplt.savefig('output/65.png')"
        ],
        "answer": "图已保存到 ./output/65.png。",
    },
    "income-by-education": {
        "why": "shares out the income, not the people",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\npd.read_csv('data/HR_Analytics.csv', encoding='utf-8-sig').groupby('Education')['MonthlyIncome'].sum().plot.pie(autopct='%1.1f%%')\nplt.savefig('output/65.png')"
        ],
        "answer": "饼图已保存到 ./output/65.png。",
    },
}
