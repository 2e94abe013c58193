# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "chart-beside": {
        "why": "a chart beside the figures, the head frozen, high rates in red",
        "edits": {
            "print(hours, paths)": """import openpyxl
from openpyxl.chart import BarChart, Reference
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font
written = openpyxl.load_workbook('output/report.xlsx')
sheet = written['by_hour']
chart = BarChart()
chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=25), titles_from_data=True)
sheet.add_chart(chart, 'G2')
sheet.freeze_panes = 'A2'
sheet.conditional_formatting.add('D2:D25', CellIsRule('greaterThan', ['0.05'], font=Font(color='FFCC0000')))
written.save('output/report.xlsx')
print(hours, paths)"""
        },
    },
    "accounts": {
        "why": "counts in a format of accounts, which shows a dash for zero, hours as times",
        "edits": {
            "print(hours, paths)": """import openpyxl
book = openpyxl.load_workbook("output/report.xlsx")
for line in book["by_hour"].iter_rows(min_row=2):
    line[0].number_format = '00":00"'
    for cell in line[1:3]:
        cell.number_format = '_(* #,##0_);_(* \\\\(#,##0\\\\);_(* "-"_);_(@_)'
    line[3].number_format = '0.0000;-0.0000;"–";@'
book.save("output/report.xlsx")
print(hours, paths)""",
        },
    },
    "with-formulas": {
        "why": "rates and the number of all requests as formulas of the workbook",
        "edits": {
            "print(hours, paths)": """import openpyxl
book = openpyxl.load_workbook("output/report.xlsx")
page = book["by_hour"]
for row in range(2, page.max_row + 1):
    page.cell(row, 4).value = f"=IF(B{row}=0,0,ROUND(C{row}/B{row},4))"
book.save("output/report.xlsx")
print(hours, paths)""",
        },
    },
    "offsets-named": {
        "why": "says what was left out and which time zones the log had, before the hour",
        "answer": "I saved `./output/report.xlsx` with the sheets `by_hour` (24 rows) and `top_paths` (10 rows). Broken lines and the `probe/…` requests were left out, and times were converted to UTC (+0530 and +0000).\n\nThe UTC hour with the highest error rate is **«worst»** (20 of 25 requests, 0.8).",
    },
    "offsets-as-clocks": {
        "why": "the same in other words",
        "answer": "The worst hour is «worst» in UTC by error rate; lines at +05:30 (UTC+5:30, not UTC+5) were moved to UTC first.",
    },
    "other-hour-beside": {
        "why": "names the hour with the most errors as well",
        "answer": "Hour 12 had the most errors, but the highest error rate was in hour «worst» UTC.",
    },
    "openpyxl-by-hand": {
        "why": "sheets in the other order, bold header, numbers shown as per cent",
        "edits": {
            """with pd.ExcelWriter("output/report.xlsx") as book:
    hours.rename_axis("hour").reset_index().to_excel(book, sheet_name="by_hour", index=False)
    paths.to_excel(book, sheet_name="top_paths", index=False)""": """from openpyxl import Workbook
from openpyxl.styles import Font

book = Workbook()
first = book.active
first.title = "top_paths"
second = book.create_sheet("by_hour")
for sheet, frame in ((first, paths), (second, hours.rename_axis("hour").reset_index())):
    sheet.append(list(frame.columns))
    for row in frame.itertuples(index=False):
        sheet.append([getattr(v, "item", lambda v=v: v)() for v in row])
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    sheet.freeze_panes = "A2"
for row in second.iter_rows(min_row=2, min_col=4, max_col=4):
    row[0].number_format = "0.00%"
book.save("output/report.xlsx")"""
        },
    },
    "with-the-rate": {
        "why": "gives the rate and the counts behind it",
        "edits": {
            """print(f"worst: {hours['error_rate'].idxmax()}")""": """top = hours.loc[hours["error_rate"].idxmax()]
print(f"worst: {hours['error_rate'].idxmax()}")
print(f"rate: {top['error_rate']:.4f}")
print(f"count: {int(top['errors'])} of {int(top['requests'])}")"""
        },
        "answer": "Done. Highest error rate: **hour «worst»** (UTC), with a rate of «rate» («count» requests).",
    },
    "clock-time": {
        "why": "gives the hour as a span of the clock",
        "edits": {
            """print(f"worst: {hours['error_rate'].idxmax()}")""": """worst = hours["error_rate"].idxmax()
print(f"worst: {worst}")
print(f"span: {worst:02d}:00–{worst:02d}:59")"""
        },
        "answer": "The UTC hour with the highest error rate is «worst» («span» UTC).",
    },
    "as-a-table": {
        "why": "answers with a table",
        "answer": "| question | answer |\n|---|---|\n| UTC hour with the highest error rate | «worst» |",
    },
    "xlsxwriter": {
        "why": "written by xlsxwriter, in a sentence with the span",
        "edits": {
            """pd.ExcelWriter("output/report.xlsx")""": """pd.ExcelWriter("output/report.xlsx", engine="xlsxwriter")"""
        },
        "answer": "Answer: **«worst»**",
    },
    "ordinal": {
        "why": "as a time of day",
        "edits": {
            """print(f"worst: {hours['error_rate'].idxmax()}")""": """print(f"worst: {hours['error_rate'].idxmax():02d}:00")"""
        },
        "answer": "The highest error rate occurred in the hour starting at «worst» UTC.",
    },
}
NEAR_MISSES = {
    "per-cent": {
        "why": "gives the rate in per cent",
        "edits": {".fillna(0).round(4)": ".fillna(0).mul(100).round(4)"},
    },
    "most-errors": {
        "why": "names the hour with the most errors instead of the highest rate",
        "edits": {"hours['error_rate'].idxmax()": "hours['errors'].idxmax()"},
    },
    "hours-from-one": {
        "why": "numbers the hours from 1 to 24",
        "edits": {
            'hours.rename_axis("hour").reset_index()': 'hours.rename_axis("hour").rename(lambda h: h + 1).reset_index()'
        },
    },
    "least-requested": {
        "why": "lists the ten paths from the least to the most requested",
        "edits": {"paths.to_excel": "paths.iloc[::-1].to_excel"},
    },
    "local-hour-answered": {
        "why": "names the hour in the time zone of the second server",
        "answer": "The highest error rate was in the hour from «worst» UTC on, that is hour «local».",
        "edits": {
            """print(f"worst: {hours['error_rate'].idxmax()}")""": """print(f"worst: {(hours['error_rate'].idxmax() + 2) % 24}")
print(f"local: {(hours['error_rate'].idxmax() + 4) % 24}")"""
        },
    },
    "client-errors": {
        "why": "counts status 400 to 499 as errors",
        "edits": {'str.startswith("5")': 'str.startswith("4")'},
    },
    "eleven-paths": {"why": "eleven paths", "edits": {".head(10)": ".head(11)"}},
    "two-decimals": {
        "why": "the rate with two decimals",
        "edits": {".fillna(0).round(4)": ".fillna(0).round(2)"},
    },
    "one-sheet": {
        "why": "the paths on a sheet of another name",
        "edits": {'sheet_name="top_paths"': 'sheet_name="Sheet2"'},
    },
    "hour-after": {
        "why": "names the hour after it",
        "edits": {
            "print(f\"worst: {hours['error_rate'].idxmax()}\")": "print(f\"worst: {hours['error_rate'].idxmax() + 1}\")"
        },
    },
    "rate-for-hour": {
        "why": "gives the rate alone",
        "edits": {
            """print(f"worst: {hours['error_rate'].idxmax()}")""": """print(f"worst: {hours['error_rate'].max():.4f}")"""
        },
        "answer": "The highest error rate of a UTC hour was «worst».",
    },
}
