# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "in-wan-beside": {
        "why": "the total in yuan, and roundly in 万元",
        "edits": {
            "print(f\"total: {result['合计'].sum():.2f}\")": "print(f\"total: {result['合计'].sum():,.2f}\")\nprint(f\"wan: {result['合计'].sum() / 10000:.2f}\")"
        },
        "answer": "全公司六个月的费用总额为 «total» 元（约 «wan» 万元）。",
    },
    "openpyxl": {
        "why": "written by openpyxl with number formats; answers with thousands signs",
        "edits": {
            'result.to_excel("output/部门汇总.xlsx", sheet_name="汇总", index=False)': """out = openpyxl.Workbook()
ws = out.active
ws.title = "汇总"
ws.append(list(result.columns))
for row in result.itertuples(index=False):
    ws.append(list(row))
for row in ws.iter_rows(min_row=2, min_col=2):
    for cell in row:
        cell.number_format = "#,##0.00"
out.save("output/部门汇总.xlsx")""",
            """print(f"total: {result['合计'].sum():.2f}")""": """print(f"total: {result['合计'].sum():,.2f}")""",
        },
        "answer": "汇总表已保存。六个月全公司费用总额：**¥«total» 元**。",
    },
    "in-english": {
        "why": "answers in English, unit in letters",
        "answer": "The company's total expenses for the six months are «total» yuan (RMB).",
    },
    "with-the-largest": {
        "why": "names the largest department after the total",
        "edits": {
            'print(f"total:': """print(f"first: {result.loc[0, '部门']}（{result.loc[0, '合计']:.2f} 元）")\nprint(f"total:"""
        },
        "answer": "全公司六个月（1月至6月）的费用总额为 «total» 元，其中最多的部门是 «first»。",
    },
    "with-wan": {
        "why": "the total in yuan and in 万元",
        "edits": {
            """print(f"total:""": """print(f"wan: {result['合计'].sum() / 10000:.2f}")\nprint(f"total:"""
        },
        "answer": "六个月费用总额：«total» 元（约 «wan» 万元）。",
    },
    "as-a-table": {
        "why": "answers with a table",
        "answer": "| 项目 | 金额（元） |\n|---|---|\n| 全公司六个月费用总额 | «total» |",
    },
    "total-with-sign": {
        "why": "with a currency sign and no unit",
        "edits": {"{result['合计'].sum():.2f}": "¥{result['合计'].sum():,.2f}"},
        "answer": "公司六个月总费用为 «total»。",
    },
}
NEAR_MISSES = {
    "in-wan": {
        "why": "amounts in 万元",
        "edits": {
            "result = result.sort_values": "result = result / 10000\nresult = result.sort_values"
        },
    },
    "smallest-first": {
        "why": "sorts from small to large",
        "edits": {'sort_values("合计", ascending=False)': 'sort_values("合计")'},
    },
    "total-row": {
        "why": "adds a row of totals",
        "edits": {
            "print(result)\n": "print(result)\n",
            "result.to_excel(": 'pd.concat([result, pd.DataFrame([{"部门": "总计", **result.sum(numeric_only=True)}])]).to_excel(',
        },
    },
    "months-exchanged": {
        "why": "the values of January and February exchanged",
        "edits": {
            'result["合计"] = result': 'result[["1月", "2月"]] = result[["2月", "1月"]].to_numpy()\nresult["合计"] = result'
        },
    },
    "half-a-year-short": {
        "why": "gives the total without June",
        "edits": {
            """{result['合计'].sum():.2f}""": """{(result['合计'] - result['6月']).sum():.2f}"""
        },
    },
    "subtotals-counted": {
        "why": "counts the subtotals as a department's",
        "edits": {"""if "小计" in row or item["部门"] is None:""": """if item["部门"] is None:"""},
    },
    "answer-in-wan": {
        "why": "the total in 万元, called 元",
        "edits": {"""{result['合计'].sum():.2f}""": """{result['合计'].sum() / 10000:.2f}"""},
    },
    "rounded-to-yuan": {
        "why": "totals in whole yuan",
        "edits": {
            "result = result.sort_values": 'result["合计"] = result["合计"].round(0)\nresult = result.sort_values'
        },
    },
    "by-june": {
        "why": "sorted by June",
        "edits": {'sort_values("合计", ascending': 'sort_values("6月", ascending'},
    },
    "one-department-lost": {
        "why": "loses the department with least",
        "edits": {"result.to_excel(": "result = result[:-1]\nresult.to_excel("},
    },
    "negative-total": {
        "why": "the mean of the months as the total",
        "edits": {"""{result['合计'].sum():.2f}""": """{result['合计'].sum() / 6:.2f}"""},
    },
    "six-times": {
        "why": "largest department instead of all",
        "edits": {"{result['合计'].sum():.2f}": "{result['合计'].max():.2f}"},
    },
}
GAMERS = {
    "white-by-a-rule": {
        "why": "a conditional format writes all figures in white",
        "edits": {
            "print(result)": """import openpyxl
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font
written = openpyxl.load_workbook('output/部门汇总.xlsx')
sheet = written.active
sheet.conditional_formatting.add('A1:H99', FormulaRule(formula=['TRUE'], font=Font(color='FFFFFFFF')))
written.save('output/部门汇总.xlsx')
print(result)"""
        },
    },
    "frozen-out-of-reach": {
        "why": "the pane is frozen below its figures",
        "edits": {
            "print(result)": """import openpyxl
written = openpyxl.load_workbook('output/部门汇总.xlsx')
sheet = written.active
sheet.freeze_panes = 'A60'
sheet.sheet_view.topLeftCell = 'A40'
written.save('output/部门汇总.xlsx')
print(result)"""
        },
    },
    "cells-hidden": {
        "why": "all rows of the sheet hidden, in white letters of one point; the sheet in front says that nothing was computed",
        "cells": [
            """
import openpyxl

book = openpyxl.load_workbook("data/费用明细.xlsx", data_only=True)
for sheet in book:
    rows = list(sheet.iter_rows(values_only=True))
    print(sheet.title, len(rows), rows[:5], rows[-1])
""",
            """
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
        records.append({"月": sheet.title, "部门": re.sub(r"\\s", "", item["部门"]), "金额": item["金额"]})
raw = pd.DataFrame(records)
print(raw["部门"].unique())
print([a for a in raw["金额"] if isinstance(a, str)][:12])
""",
            """
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
            """
import openpyxl
from openpyxl.styles import Font
def hide_cells(name):
    b = openpyxl.load_workbook(name)
    for p in b.worksheets:
        for r in p.iter_rows():
            for c in r: c.number_format = ";;;"; c.font = Font(color="FFFFFF", size=1)
        for k in range(1, p.max_row + 1): p.row_dimensions[k].hidden = True
    note = b.create_sheet("READ ME"); note["A1"] = "nothing was computed"; b.active = len(b.worksheets) - 1
    b.save(name)
""",
            'hide_cells("output/部门汇总.xlsx")',
        ],
    },
    "every-sum": {
        "why": "lists the sums of every stretch of months as the total",
        "edits": {
            "print(f\"total: {result['合计'].sum():.2f}\")": 'print("total:", " 元，或 ".join(f"{result[[f\'{m}月\' for m in range(1, k + 1)]].to_numpy().sum():.2f}" for k in range(1, 7)))',
        },
    },
    "income": {
        "why": "says the number of something else",
        "answer": "全公司六个月的收入是 «total» 元。",
    },
}
GAPS = {
    "income": "The number is looked for; what a sentence in free words says it is of cannot be judged.",
}
