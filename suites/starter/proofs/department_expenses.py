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
