# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Sum six monthly sheets of expenses by department; units, spaces and column order vary."""

import random
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

TITLE = "部门费用汇总"
CATEGORY = "chart"
LANGUAGE = "zh"
QUERY = """
./data/费用明细.xlsx 里有 1月 到 6月 六张工作表，每张是当月各部门的费用明细，另有一张说明表不用管。请按部门汇总这六个月的金额（单位：元）。

注意表格是各部门手工填的：标题行、小计行不是明细；部门名称里可能夹有空格；金额有的是数字，有的是文本（可能带人民币符号、千分位、全角数字，或以“万”为单位）；各月的列顺序也不一定相同。

请把结果存为 ./output/部门汇总.xlsx，工作表名为“汇总”，列依次为：部门、1月、2月、3月、4月、5月、6月、合计，金额保留两位小数，按合计从大到小排列，不要再加总计行。当月没有费用的部门填 0。

最后请在回答里告诉我全公司六个月的费用总额是多少元。
"""
INPUTS = ["费用明细.xlsx"]
OUTPUTS = ["部门汇总.xlsx"]

DEPARTMENTS = ["市场部", "研发部", "行政部", "人事部", "客服部", "财务部"]
SUBJECTS = ["差旅", "办公用品", "培训", "招待", "软件订阅", "快递"]
MONTHS = [f"{month}月" for month in range(1, 7)]
FULL_WIDTH = str.maketrans("0123456789.", "０１２３４５６７８９．")


def written_amount(rng: random.Random, cents: int) -> object:
    form = rng.choices(["number", "yuan", "full", "wan"], weights=[6, 2, 2, 2])[0]
    if form == "wan" and cents % 10_000 == 0:
        return f"{cents / 1_000_000:g}万"
    if form == "yuan":
        return f"¥{cents / 100:,.2f}"
    if form == "full":
        return f"{cents / 100:.2f}".translate(FULL_WIDTH)
    return cents / 100


def written_name(rng: random.Random, name: str) -> str:
    return rng.choices([name, name + " ", " ".join(name), "　" + name], weights=[8, 1, 1, 1])[0]


def make_inputs(seed: int, data: Path) -> dict:
    from runner.checks.inputs import build

    rng = random.Random(seed)
    while True:
        sheets, totals = draw_sheets(rng)
        if is_telling(totals):
            break
    sheets["说明"] = [["金额单位为元，注明“万”的除外。"], ["部门", "负责人"], ["市场部", "王"]]
    build.write_xlsx(data / "费用明细.xlsx", sheets)
    return {"cents": totals}


def is_telling(totals: dict[str, list[int]]) -> bool:
    """True if the order by totals is one, and not that of the names or of the last month."""
    sums = {name: sum(months) for name, months in totals.items()}
    ranked = sorted(sums, key=lambda name: -sums[name])
    by_june = sorted(sums, key=lambda name: -totals[name][-1])
    return len(set(sums.values())) == len(sums) and ranked not in (sorted(sums), by_june)


def draw_sheets(rng: random.Random) -> tuple[dict[str, list], dict[str, list[int]]]:
    """The months' sheets, and what each department spent in each month, in cents."""
    totals = {name: [0] * 6 for name in DEPARTMENTS}
    swapped = rng.sample(range(6), 2)
    absent = rng.choice(DEPARTMENTS)
    sheets = {}
    for place, month in enumerate(MONTHS):
        rows = []
        for _ in range(rng.randint(18, 26)):
            name = rng.choice(DEPARTMENTS)
            if name == absent and place == 2:
                continue
            cents = rng.choice([rng.randrange(5_000, 900_000), rng.randrange(1, 90) * 10_000])
            totals[name][place] += cents
            rows.append([written_name(rng, name), rng.choice(SUBJECTS), written_amount(rng, cents)])
        whole = sum(totals[name][place] for name in DEPARTMENTS) / 100
        header = ["部门", "项目", "金额"]
        if place in swapped:
            header = ["项目", "部门", "金额"]
            rows = [[row[1], row[0], row[2]] for row in rows]
        sheets[month] = [[f"2025年{month}费用明细"], [], header, *rows, ["小计", None, whole]]
    return sheets, totals


def check(case: Case) -> None:
    from runner.checks.text import answers

    cents = case.parameters["cents"]
    ranked = sorted(cents, key=lambda name: -sum(cents[name]))
    expected = [
        {
            "部门": name,
            **{month: cents[name][place] / 100 for place, month in enumerate(MONTHS)},
            "合计": sum(cents[name]) / 100,
        }
        for name in ranked
    ]
    table = tables.read(case, "部门汇总.xlsx", sheet="汇总")
    tables.match(case, table, expected, tolerance=0.006, column_order=True)
    whole = sum(map(sum, cents.values())) / 100
    answers.number_near(case, ["总额", "合计", "总计", "费用"], whole, 0.006, "回答：费用总额")


REFERENCE = {
    "cells": [
        r"""
import openpyxl

book = openpyxl.load_workbook("data/费用明细.xlsx", data_only=True)
for sheet in book:
    rows = list(sheet.iter_rows(values_only=True))
    print(sheet.title, len(rows), rows[:5], rows[-1])
""",
        r"""
import re
import unicodedata

import pandas as pd

records = []
for sheet in book:
    if not sheet.title.endswith("月"):
        continue
    rows = list(sheet.iter_rows(values_only=True))
    start = next(i for i, row in enumerate(rows) if "部门" in row)
    header = rows[start]
    for row in rows[start + 1 :]:
        item = dict(zip(header, row))
        if "小计" in row or item["部门"] is None:
            continue
        records.append({"月": sheet.title, "部门": re.sub(r"\s", "", item["部门"]), "金额": item["金额"]})
raw = pd.DataFrame(records)
print(raw["部门"].unique())
print([a for a in raw["金额"] if isinstance(a, str)][:12])
""",
        r"""
def to_number(value):
    if not isinstance(value, str):
        return float(value)
    text = unicodedata.normalize("NFKC", value).replace(",", "").strip("¥￥ ")
    return float(text[:-1]) * 10000 if text.endswith("万") else float(text)


raw["元"] = raw["金额"].map(to_number)
result = raw.pivot_table(index="部门", columns="月", values="元", aggfunc="sum", fill_value=0)
result = result[[f"{m}月" for m in range(1, 7)]]
result["合计"] = result.sum(axis=1)
result = result.sort_values("合计", ascending=False).round(2).reset_index()
result.to_excel("output/部门汇总.xlsx", sheet_name="汇总", index=False)
print(result)
print(f"total: {result['合计'].sum():.2f}")
""",
    ],
    "answer": "全公司六个月的费用总额为 «total» 元，明细已存入 ./output/部门汇总.xlsx。",
}
WRONG = {
    "wan-forgotten": {
        "why": "reads “1.2万” as 1.2",
        "cells": [
            r"""
import re, unicodedata
import pandas as pd

frames = []
for month in range(1, 7):
    df = pd.read_excel("data/费用明细.xlsx", sheet_name=f"{month}月", header=2)
    df = df[(df["部门"] != "小计") & (df["项目"] != "小计")].copy()
    df["部门"] = df["部门"].map(lambda s: re.sub(r"\s", "", str(s)))
    df["元"] = df["金额"].map(lambda v: float(re.sub(r"[^\d.]", "", unicodedata.normalize("NFKC", str(v)))))
    df["月"] = f"{month}月"
    frames.append(df)
raw = pd.concat(frames)
result = raw.pivot_table(index="部门", columns="月", values="元", aggfunc="sum", fill_value=0)
result["合计"] = result.sum(axis=1)
result = result.sort_values("合计", ascending=False).round(2).reset_index()
result.to_excel("output/部门汇总.xlsx", sheet_name="汇总", index=False)
print(f"total: {result['合计'].sum():.2f}")
"""
        ],
        "answer": "全公司六个月的费用总额为 «total» 元。",
    },
    "first-column-is-department": {
        "why": "takes columns by position, though two months have them swapped, and skips text amounts",
        "cells": [
            r"""
import re
import pandas as pd

frames = []
for month in range(1, 7):
    df = pd.read_excel("data/费用明细.xlsx", sheet_name=f"{month}月", header=2)
    df.columns = ["部门", "项目", "金额"]
    df = df[df["部门"] != "小计"].copy()
    df["部门"] = df["部门"].map(lambda s: re.sub(r"\s", "", str(s)))
    df["元"] = pd.to_numeric(df["金额"], errors="coerce").fillna(0)
    df["月"] = f"{month}月"
    frames.append(df)
raw = pd.concat(frames)
result = raw.pivot_table(index="部门", columns="月", values="元", aggfunc="sum", fill_value=0)
result["合计"] = result.sum(axis=1)
result = result.sort_values("合计", ascending=False).round(2).reset_index()
result.to_excel("output/部门汇总.xlsx", sheet_name="汇总", index=False)
print(f"total: {result['合计'].sum():.2f}")
"""
        ],
        "answer": "全公司六个月的费用总额为 «total» 元。",
    },
    "sorted-by-name": {
        "why": "right sums, but in the order of the names instead of the totals",
        "cells": [
            r"""
import re, unicodedata
import pandas as pd

def to_number(value):
    text = re.sub(r"[¥￥,\s]", "", unicodedata.normalize("NFKC", str(value)))
    return float(text[:-1]) * 10000 if text.endswith("万") else float(text)

frames = []
for month in range(1, 7):
    df = pd.read_excel("data/费用明细.xlsx", sheet_name=f"{month}月", header=2)
    df = df[(df["部门"] != "小计") & (df["项目"] != "小计")].copy()
    df["部门"] = df["部门"].map(lambda s: re.sub(r"\s", "", str(s)))
    df["元"] = df["金额"].map(to_number)
    df["月"] = f"{month}月"
    frames.append(df)
raw = pd.concat(frames)
result = raw.pivot_table(index="部门", columns="月", values="元", aggfunc="sum", fill_value=0)
result["合计"] = result.sum(axis=1)
result = result.sort_values("合计").round(2).reset_index()
result.to_excel("output/部门汇总.xlsx", sheet_name="汇总", index=False)
print(f"total: {result['合计'].sum():.2f}")
"""
        ],
        "answer": "全公司六个月的费用总额为 «total» 元。",
    },
}
