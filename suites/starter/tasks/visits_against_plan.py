# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Compare visits counted per day with a monthly plan from a second file, in a grouped bar chart."""

import json
import random
from datetime import date, timedelta
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables
from runner.checks.inputs import build
from runner.checks.text import answers

TITLE = "Library visits against the plan"
CATEGORY = "chart"
QUERY = """
./data/visits.tsv holds the visits that our libraries counted per day and branch in the first half of «year»; ./data/plan.json holds the planned visits per month of all branches together.

Beware of the counts: some carry thousands separators, some cells hold n/a (not counted: leave out), and where a row has the remark "corrects" it replaces the count that stands further up for the same day and branch.

Compare the months January to June:
1. ./output/comparison.csv with the columns month (2-digit number, 01 to 06), visits, plan and difference (visits − plan), one row per month in calendar order, whole numbers;
2. ./output/comparison.svg, a grouped vertical bar chart with two bars side by side per month in calendar order: visits in «visits_colour» and plan in «plan_colour», solid fill without transparency, y-axis from 0, white background.

In your final answer, name the month that missed its plan by most (as English month name).
"""
INPUTS = ["visits.tsv", "plan.json"]
OUTPUTS = ["comparison.csv", "comparison.svg"]
STRENGTH = "partial"
NOTE = "Whether the background is white is not looked at."

MONTHS = ["January", "February", "March", "April", "May", "June"]
BRANCHES = ["Central", "Harbour", "Northgate"]
PAIRS = [("#1b7f79", "#e0a030"), ("#4059ad", "#c97b84"), ("#8e3b46", "#7fb069")]


def make_inputs(seed: int, data: Path) -> dict:
    rng = random.Random(seed)
    year = rng.choice([2023, 2024, 2025])
    while True:
        rows, sums = draw_rows(rng, year)
        plan = [round(total * rng.uniform(0.75, 1.3), -2) for total in sums]
        gaps = sorted(total - goal for total, goal in zip(sums, plan, strict=True))
        if gaps[0] < 0 and gaps[1] - gaps[0] > 400:
            break
    header = ["day", "branch", "visits", "remark"]
    build.write_csv(data / "visits.tsv", [header, *rows], delimiter="\t")
    entries = {f"{year}-{number:02d}": int(goal) for number, goal in enumerate(plan, 1)}
    shuffled = entries
    while list(shuffled.values()) == list(entries.values()):
        shuffled = dict(rng.sample(list(entries.items()), len(entries)))
    build.write_json(data / "plan.json", {"unit": "visits", "all_branches": shuffled})
    visits_colour, plan_colour = rng.choice(PAIRS)
    return {
        "year": year,
        "visits": sums,
        "visits_colour": visits_colour,
        "plan_colour": plan_colour,
    }


def draw_rows(rng: random.Random, year: int) -> tuple[list, list[int]]:
    """The rows of the file, corrections among them, and the true sums by month."""
    rows: list[list[str]] = []
    sums = [0] * 6
    day = date(year, 1, 1)
    while day.month <= 6:
        for branch in BRANCHES:
            count = rng.randint(150, 2400)
            if rng.random() < 0.04:
                rows.append([day.isoformat(), branch, "n/a", ""])
                continue
            rows.append([day.isoformat(), branch, written(rng, count), ""])
            if rng.random() < 0.05:
                count = rng.randint(150, 2400)
                rows.append([day.isoformat(), branch, written(rng, count), "corrects"])
            sums[day.month - 1] += count
        day += timedelta(days=1)
    return delayed_corrections(rng, rows), sums


def delayed_corrections(rng: random.Random, rows: list) -> list:
    """Each correction a few rows further down than what it corrects."""
    places = [
        (index + (rng.randint(1, 12) if row[3] else 0), bool(row[3]), index)
        for index, row in enumerate(rows)
    ]
    return [rows[index] for _, _, index in sorted(places)]


def written(rng: random.Random, count: int) -> str:
    return f"{count:,}" if rng.random() < 0.5 else str(count)


def check(case: Case) -> None:
    p = case.parameters
    table = tables.read(case, "comparison.csv")
    plan = json.loads((case.data / "plan.json").read_text("utf-8"))["all_branches"]
    goals = [plan[f"{p['year']}-{number:02d}"] for number in range(1, 7)]
    expected = [
        {"month": number, "visits": visits, "plan": goal, "difference": visits - goal}
        for number, (visits, goal) in enumerate(zip(p["visits"], goals, strict=True), 1)
    ]
    tables.match(case, table, expected)
    tables.expect_form(case, table, "month", r"0[1-6]", "01 to 06")
    worst = min(expected, key=lambda row: row["difference"])["month"]
    words = ["missed", "behind", "below", "worst", "short", "most", "largest"]
    answers.name_given(case, MONTHS[worst - 1], MONTHS, words)
    check_chart(case, p["visits"], goals)


def check_chart(case: Case, visits: list, goals: list) -> None:
    from runner.checks.chart_words import named_marks
    from runner.checks.charts import pixels

    name, p = "comparison.svg", case.parameters
    chart = pixels.read(case, name)
    groups = {"visits": (p["visits_colour"], visits), "plan": (p["plan_colour"], goals)}
    bars = {}
    for title, (colour, values) in groups.items():
        if not pixels.expect_bars(case, chart, colour, values, f"{title}: bar heights"):
            return
        bars[title] = pixels.bars_of(chart, colour)
    middles = [
        (a.left + b.left + b.width) / 2 for a, b in zip(bars["visits"], bars["plan"], strict=True)
    ]
    months = [[month, month[:3], f"{n:02d}", str(n)] for n, month in enumerate(MONTHS[:6], 1)]
    named_marks.expect_columns(case, chart, middles, months)
    keys = {p["visits_colour"]: ["visits", "actual"], p["plan_colour"]: ["plan", "planned"]}
    named_marks.expect_legend(case, chart, keys)
    tallest = {title: max(bar.height for bar in found) for title, found in bars.items()}
    ratio = tallest["visits"] / tallest["plan"]
    case.near("one scale for both series", ratio, max(visits) / max(goals), 0.03, name)
    apart = [abs(a.left - b.left) for a, b in zip(bars["visits"], bars["plan"], strict=True)]
    step = (bars["visits"][-1].left - bars["visits"][0].left) / 5
    side_by_side = all(0 < gap < step * 0.75 for gap in apart)
    case.expect(
        "bars side by side",
        side_by_side,
        "both bars of a month together",
        f"{apart} px apart",
        name,
    )


REFERENCE = {
    "cells": [
        "import json\n"
        "import pandas as pd\n"
        "visits = pd.read_csv('./data/visits.tsv', sep='\\t', dtype=str, keep_default_na=False)\n"
        "plan = json.load(open('./data/plan.json'))\n"
        "print(visits.head(8)); print(visits.remark.value_counts())\n"
        "print(visits.visits[~visits.visits.str.fullmatch(r'[\\d,]+')].value_counts()); print(plan)\n"
        "print(visits.duplicated(['day', 'branch']).sum())",
        "visits = visits[visits.visits != 'n/a'].copy()\n"
        "visits['count'] = visits.visits.str.replace(',', '').astype(int)\n"
        "visits = visits.drop_duplicates(['day', 'branch'], keep='last')\n"
        "months = visits.groupby(visits.day.str[:7])['count'].sum()\n"
        "table = pd.DataFrame({'month': months.index.str[5:], 'visits': months.values, 'plan': [plan['all_branches'][m] for m in months.index]})\n"
        "table['difference'] = table.visits - table.plan\n"
        "table.to_csv('./output/comparison.csv', index=False)\n"
        "print(table)\n"
        "names = ['January', 'February', 'March', 'April', 'May', 'June']\n"
        "print('worst:', names[table.difference.idxmin()])",
        "import matplotlib.pyplot as plt\n"
        "import numpy as np\n"
        "x = np.arange(6)\n"
        "fig, ax = plt.subplots(figsize=(9, 5), facecolor='white')\n"
        "ax.bar(x - 0.2, table.visits, 0.38, color='«visits_colour»', label='visits')\n"
        "ax.bar(x + 0.2, table.plan, 0.38, color='«plan_colour»', label='plan')\n"
        "ax.set_xticks(x, [n[:3] for n in names])\n"
        "ax.set_ylim(0, table[['visits', 'plan']].to_numpy().max() * 1.2)\n"
        "ax.legend(loc='upper right', ncols=2)\n"
        "fig.savefig('./output/comparison.svg')",
    ],
    "answer": "The comparison and the chart are saved. The month that missed its plan by most is «worst».",
}
WRONG = {
    "corrections-added": {
        "why": "adds corrections to the counts that they replace",
        "cells": [
            "import json, pandas as pd, numpy as np, matplotlib.pyplot as plt\n"
            "v = pd.read_csv('./data/visits.tsv', sep='\\t', thousands=',', na_values='n/a')\n"
            "plan = json.load(open('./data/plan.json'))['all_branches']\n"
            "s = v.groupby(v.day.str[:7]).visits.sum().astype(int)\n"
            "t = pd.DataFrame({'month': s.index.str[5:], 'visits': s.values, 'plan': [plan[m] for m in s.index]})\n"
            "t['difference'] = t.visits - t.plan\n"
            "t.to_csv('./output/comparison.csv', index=False)\n"
            "x = np.arange(6)\n"
            "plt.bar(x - .2, t.visits, .38, color='«visits_colour»'); plt.bar(x + .2, t.plan, .38, color='«plan_colour»')\n"
            "plt.savefig('./output/comparison.svg')\n"
            "print('worst:', ['January', 'February', 'March', 'April', 'May', 'June'][t.difference.idxmin()])"
        ],
        "answer": "«worst» missed its plan by most; table and chart are saved.",
    },
    "plan-in-file-order": {
        "why": "takes the plan's numbers in the order of the file, which is not the calendar's",
        "cells": [
            "import json, pandas as pd, numpy as np, matplotlib.pyplot as plt\n"
            "v = pd.read_csv('./data/visits.tsv', sep='\\t', thousands=',', na_values='n/a').dropna(subset='visits')\n"
            "v = v.drop_duplicates(['day', 'branch'], keep='last')\n"
            "plan = json.load(open('./data/plan.json'))['all_branches']\n"
            "s = v.groupby(v.day.str[:7]).visits.sum().astype(int)\n"
            "t = pd.DataFrame({'month': s.index.str[5:], 'visits': s.values, 'plan': list(plan.values())})\n"
            "t['difference'] = t.visits - t.plan\n"
            "t.to_csv('./output/comparison.csv', index=False)\n"
            "x = np.arange(6)\n"
            "plt.bar(x - .2, t.visits, .38, color='«visits_colour»'); plt.bar(x + .2, t.plan, .38, color='«plan_colour»')\n"
            "plt.savefig('./output/comparison.svg')\n"
            "print('worst:', ['January', 'February', 'March', 'April', 'May', 'June'][t.difference.idxmin()])"
        ],
        "answer": "The month furthest below its plan is «worst».",
    },
    "axis-cut": {
        "why": "right numbers, but the axis begins far above zero",
        "cells": [
            "import json, pandas as pd, numpy as np, matplotlib.pyplot as plt\n"
            "v = pd.read_csv('./data/visits.tsv', sep='\\t', thousands=',', na_values='n/a').dropna(subset='visits')\n"
            "v = v.drop_duplicates(['day', 'branch'], keep='last')\n"
            "plan = json.load(open('./data/plan.json'))['all_branches']\n"
            "s = v.groupby(v.day.str[:7]).visits.sum().astype(int)\n"
            "t = pd.DataFrame({'month': s.index.str[5:], 'visits': s.values, 'plan': [plan[m] for m in s.index]})\n"
            "t['difference'] = t.visits - t.plan\n"
            "t.to_csv('./output/comparison.csv', index=False)\n"
            "x = np.arange(6)\n"
            "plt.bar(x - .2, t.visits, .38, color='«visits_colour»'); plt.bar(x + .2, t.plan, .38, color='«plan_colour»')\n"
            "plt.ylim(t[['visits', 'plan']].to_numpy().min() * 0.8, None)\n"
            "plt.savefig('./output/comparison.svg')\n"
            "print('worst:', ['January', 'February', 'March', 'April', 'May', 'June'][t.difference.idxmin()])"
        ],
        "answer": "The month that missed its plan by most is «worst».",
    },
}
