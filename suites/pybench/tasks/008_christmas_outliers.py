# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Detect and treat outliers in a small table of tree sales."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "8"
TITLE = "圣诞树销量中的异常值"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["8.csv"]
NOTE = "The quartile fence finds two sales figures, the rule of three standard deviations finds none in 14 rows: whoever uses that one may leave the table as it is, if the answer says that there was no outlier and by which rule."

KEYS = ["Year", "Type of tree"]
MEASURES = ["Number of trees sold", "Average Tree Price", "Sales"]
NONE_FOUND = r"(?:没有|无|未|不存在)[^。\n]{0,20}(?:异常|离群)|\bno\b[^.\n]{0,30}outlier"
RULE = r"(?:z[\s-]*(?:scores?|分数|值)|\|\s*z\s*\||[3三][\s-]*(?:个|倍)?\s*(?:标准差|σ|sigma|standard)|\bthree[\s-](?:sigma|standard))"
APPLIED = (  # a rule that was used: after a word that says so, or as a method
    r"(?:用|按|根据|依据|基于|通过|经过?|做|计算|超[出过]|\b(?:by|using|with|under|per|via|on|appl\w+|used?"
    r"|comput\w+|calculat\w+|beyond|outside|within|exceed\w*|more than|detect\w*))"
    rf"[^。.\n]{{0,24}}{RULE}"
    rf"|{RULE}[^。.\n]{{0,16}}(?:法|原则|准则|规则|检[测验查]|判断|标准|范围|阈值|大于|小于|超过|以[内上]|[<>＜＞≤≥]"
    r"|\b(?:method|rule|test|criteri|threshold|detect|screen|below|under|within|exceed|above|beyond|found|find|flag))"
)
UNAPPLIED = (  # a rule that is named and was not used, or data that nobody looked at
    r"懒得|凭感觉|目测|肉眼|跳过|猜|听说|据说|不知道|\b(?:lazy|bother\w*|gut feeling|skipp\w+|by eye|guess\w*|hear\w*)\b"
    r"|(?:没有?|未|不)(?:使?用|采用|应用|运用)[^。,，；;\n]{0,4}(?:z\b|z-|3\s*[个倍σ]|三[个倍])"
    r"|(?:z[\s-]*(?:score|分数|值)|标准差)[^。,，；;\n]{0,8}(?:没有?|未|不)(?:使?用|采用|应用)"
    r"|(?:没有?|未|不曾)(?:做|进行|真正|仔细)?(?:检查|检测|查看|计算|看|打开|读)(?![到出])"
    r"|\b(?:did not|didn't|never|nobody|no one|without|not)\b[^.\n]{0,24}"
    r"\b(?:look|check|comput|calculat|run|ran|appl|test|measur|open|read\b)"
)


def check(case: Case) -> None:
    import re

    from runner.checks.data import datasets, outliers

    source = tables.source(case.data / "Week 40 - US Christmas Tree Sales - 2010 to 2016.csv")
    source = without(source, "index")
    table = datasets.renamed(tables.without_index(tables.read(case, "8.csv")), source.columns)
    untouched = without(table, "index").columns == source.columns and [
        [datasets.cell(value) for value in row] for row in without(table, "index").rows
    ] == [[datasets.cell(value) for value in row] for row in source.rows]
    if untouched:
        found_none, applied, unapplied = (
            re.search(pattern, case.answer, re.IGNORECASE)
            for pattern in (NONE_FOUND, APPLIED, UNAPPLIED)
        )
        case.expect(
            "outliers treated",
            found_none and applied and not unapplied,
            "two outliers treated, or none found by a rule that the answer names",
            "the input as it was",
            table.file,
            f"{table.file} is the input as it was, and the answer does not say by which rule there is no outlier.",
        )
        return
    outliers.expect_outliers_treated(case, table, source, KEYS, MEASURES, 0)


def without(table: tables.Table, name: str) -> tables.Table:
    """`table` without the column `name`, if it has it."""
    kept = [place for place, column in enumerate(table.columns) if column != name]
    rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
    return tables.Table(table.file, tuple(table.columns[place] for place in kept), rows)


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv")
print(df)
print(df.describe())
""",
        """
columns = ["Number of trees sold", "Average Tree Price", "Sales"]
clean = df.copy()
clean[columns] = clean[columns].astype(float)
for column in columns:
    q1, q3 = df[column].quantile([0.25, 0.75])
    low, high = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
    print(column, low, high, df.loc[(df[column] < low) | (df[column] > high), ["Year", "Type of tree", column]].values.tolist())
    clean[column] = clean[column].clip(low, high)
clean.to_csv("output/8.csv", index=False)
print(clean)
""",
    ],
    "answer": "用 IQR 方法检测到 Sales 列有 2 个异常值（2016 年的真树和假树），已截断到上界，其余数据不变，结果保存在 ./output/8.csv。",
}
WRONG = {
    "duplicates-instead": {
        "why": "drops nulls and duplicates, of which there are none, and no outlier",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv")
df.dropna().drop_duplicates().to_csv("output/8.csv", index=False)
"""
        ],
        "answer": "异常值已处理，清洗后的数据保存在 ./output/8.csv。",
    },
    "a-kind-dropped": {
        "why": "takes the smaller numbers of artificial trees for outliers and drops that kind",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv")
df[df["Number of trees sold"] > 20_000_000].to_csv("output/8.csv", index=False)
"""
        ],
        "answer": "已删除销量异常的行，结果保存在 ./output/8.csv。",
    },
    "capped-from-below": {
        "why": "replaces everything that is no outlier by the median",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/Week 40 - US Christmas Tree Sales - 2010 to 2016.csv")
q1, q3 = df["Sales"].quantile([0.25, 0.75])
high = q3 + 1.5 * (q3 - q1)
df["Sales"] = df["Sales"].where(df["Sales"] > high, df["Sales"].median())
df.to_csv("output/8.csv", index=False)
"""
        ],
        "answer": "异常值已用中位数替换，结果保存在 ./output/8.csv。",
    },
}
