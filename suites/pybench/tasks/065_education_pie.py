"""A pie of the employees' education."""

from runner.checks import Case, figures

INDEX = "65"
TITLE = "员工受教育程度饼图"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["65.png"]
NOTE = "Education is read as the level from 1 to 5, under any names; the field of study is accepted too. Ten rows stand twice in the table and may be counted once or twice."


def check(case: Case) -> None:
    import pandas as pd

    frame = pd.read_csv(case.data / "HR_Analytics.csv", encoding="utf-8-sig")
    figure = figures.read(case, "65.png")
    figures.require_note(case, figure)
    pies = [axes for axes in figure.panels if axes.wedges]
    case.demand(
        "a pie",
        pies,
        "a pie chart",
        "none" if not pies else "one",
        "65.png",
        "65.png holds no pie chart.",
    )
    shown = [sorted(w.fraction for w in axes.wedges) for axes in pies]
    wanted = {}
    for column in ("Education", "EducationField"):
        for rows in (frame, frame.drop_duplicates(), frame.drop_duplicates("EmpID")):
            wanted[tuple(sorted(rows[column].value_counts(normalize=True)))] = column
    found = next(
        (
            name
            for shares, name in wanted.items()
            for one in shown
            if len(one) == len(shares)
            and all(abs(a - b) < 0.003 for a, b in zip(one, shares, strict=True))
        ),
        "",
    )
    case.expect(
        "its shares",
        found,
        "the shares of the levels of education",
        ", ".join(f"{s:.1%}" for s in shown[0]),
        "65.png",
        "65.png shows other shares than the table's.",
    )
    words = (
        [w.label for w in pies[0].wedges if w.label]
        or list(pies[0].legend)
        or list(figure.note.legend)
    )
    case.expect(
        "its wedges are named",
        len(set(words)) >= 5,
        "a name for each",
        ", ".join(words) or "none",
        "65.png",
    )


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
