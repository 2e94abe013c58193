# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Assign workers to jobs in the least total time; the table mixes units and has gaps."""

import itertools
import random
import re
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables
from runner.checks.inputs import build
from runner.checks.text import answers, units

TITLE = "人员与任务的最优分配"
CATEGORY = "maths"
LANGUAGE = "zh"
QUERY = """
./data/times.csv 记录了每个人完成每项任务所需的时间：第一列“人员”，其余各列是任务名。
时间的写法不统一：有的只写数字（单位是分钟，可能是全角数字），有的写成“1小时20分”“2小时”“45分钟”等；写着“-”的表示此人不能做这项任务。
请给每个人恰好分配一项任务、每项任务恰好分配给一个人，使总用时最少。
把分配方案保存为 ./output/plan.json：一个 JSON 对象，键是人名，值是任务名。
并告诉我最少的总用时是多少分钟。
"""
INPUTS = ["times.csv"]
OUTPUTS = ["plan.json"]
NOTE = "If several plans take the same least time, any of them passes."

PEOPLE = ["林晓", "周远", "陈默", "何静", "赵岩", "孙悦", "吴桐"]
JOBS = ["布线", "质检", "装箱", "校对", "喷涂", "巡检", "培训"]
SIZE = len(PEOPLE)
FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")


def make_inputs(seed: int, data: Path) -> dict:
    rng = random.Random(seed)
    while True:
        minutes = [[draw_minutes(rng) for _ in JOBS] for _ in PEOPLE]
        written = [[in_words(rng, m) for m in row] for row in minutes]
        if is_telling(minutes, written):
            break
    rows = [[person, *row] for person, row in zip(PEOPLE, written, strict=True)]
    build.write_csv(data / "times.csv", [["人员", *JOBS], *rows], encoding="utf-8-sig")
    return {"minutes": minutes}


def draw_minutes(rng: random.Random) -> int | None:
    return None if rng.random() < 0.16 else rng.randint(25, 190)


def in_words(rng: random.Random, minutes: int | None) -> str:
    if minutes is None:
        return "-"
    hours, rest = divmod(minutes, 60)
    forms = [str(minutes), str(minutes).translate(FULL_WIDTH), f"{minutes}分钟"]
    if hours:
        forms += [f"{hours}小时{rest}分" if rest else f"{hours}小时"] * 2
    return rng.choice(forms)


def is_telling(minutes: list, written: list) -> bool:
    """True if one plan is the best, and the usual mistakes lead to another total."""
    totals = sorted(t for plan in every_plan() if (t := total(minutes, plan)) is not None)
    if len(totals) < 2 or totals[0] == totals[1]:
        return False
    best = totals[0]
    zeros = [[m or 0 for m in row] for row in minutes]
    careless = [[first_number(text) for text in row] for row in written]
    plans = [greedy_plan(minutes), best_plan(zeros), best_plan(careless)]
    return all(plan is None or total(minutes, plan) != best for plan in plans)


def first_number(text: str) -> int | None:
    match = re.search(r"\d+", text)
    return int(match[0]) if match else None


def total(minutes: list, plan) -> int | None:
    """Minutes of a plan (job's place by person's place), None when somebody cannot do his job."""
    taken = [minutes[person][job] for person, job in enumerate(plan)]
    return None if None in taken else sum(taken)


def every_plan():
    return itertools.permutations(range(SIZE))


def best_plan(minutes: list):
    possible = (plan for plan in every_plan() if total(minutes, plan) is not None)
    return min(possible, key=lambda plan: total(minutes, plan), default=None)


def least_total(minutes: list) -> int | None:
    plan = best_plan(minutes)
    return None if plan is None else total(minutes, plan)


def greedy_plan(minutes: list):
    """Everybody in turn takes his quickest job that is left; None when somebody has none."""
    plan: list[int] = []
    for row in minutes:
        left = [job for job in range(SIZE) if job not in plan and row[job] is not None]
        if not left:
            return None
        plan.append(min(left, key=lambda job: row[job]))
    return plan


def check(case: Case) -> None:
    minutes = case.parameters["minutes"]
    best = least_total(minutes)
    check_plan(case, minutes, best)
    answers.number_near(case, ["总用时", "最少", "最小", "总", "合计", "一共"], best, 0)
    units.expect_unit(case, "min", best, 0, "answer: total time")


def check_plan(case: Case, minutes: list, best: int) -> None:
    name = "plan.json"
    with case.reading(name, "JSON") as path:
        plan = tables.parsed(path.read_text("utf-8-sig"))
        given = {str(person).strip(): str(job).strip() for person, job in plan.items()}
    case.demand("people", set(given) == set(PEOPLE), "、".join(PEOPLE), "、".join(given), name)
    jobs = sorted(given.values())
    case.demand(
        "each job once", jobs == sorted(JOBS), "、".join(sorted(JOBS)), "、".join(jobs), name
    )
    taken = total(minutes, [JOBS.index(given[person]) for person in PEOPLE])
    case.expect(
        "nobody has a job he cannot do",
        taken is not None,
        "no “-”",
        "a “-”" if taken is None else "none",
        name,
    )
    case.equal("total minutes of the plan", taken, best, name)


REFERENCE = {
    "cells": [
        "import pandas as pd\n"
        "table = pd.read_csv('./data/times.csv', dtype=str, encoding='utf-8-sig').set_index('人员')\n"
        "print(table.to_string())",
        "import re, unicodedata\n"
        "import numpy as np\n"
        "def minutes(text):\n"
        "    text = unicodedata.normalize('NFKC', str(text)).strip()\n"
        "    if text == '-':\n"
        "        return np.inf\n"
        "    if text.isdigit():\n"
        "        return int(text)\n"
        "    hours = re.search(r'(\\d+)小时', text)\n"
        "    rest = re.search(r'(\\d+)分', text)\n"
        "    return (int(hours[1]) * 60 if hours else 0) + (int(rest[1]) if rest else 0)\n"
        "cost = table.map(minutes)\n"
        "print(cost.to_string())",
        "import json\n"
        "from scipy.optimize import linear_sum_assignment\n"
        "matrix = cost.to_numpy(float)\n"
        "rows, columns = linear_sum_assignment(np.where(np.isinf(matrix), 1e6, matrix))\n"
        "plan = {cost.index[r]: cost.columns[c] for r, c in zip(rows, columns)}\n"
        "print(plan)\n"
        "print('total:', int(matrix[rows, columns].sum()))\n"
        "with open('./output/plan.json', 'w', encoding='utf-8') as f:\n"
        "    json.dump(plan, f, ensure_ascii=False, indent=2)",
    ],
    "answer": "最优分配方案已保存到 ./output/plan.json，最少的总用时是 «total» 分钟。",
}
WRONG = {
    "one-by-one": {
        "why": "lets everybody in turn take the quickest job that is left",
        "cells": [
            "import pandas as pd, re, unicodedata, json\n"
            "table = pd.read_csv('./data/times.csv', dtype=str, encoding='utf-8-sig').set_index('人员')\n"
            "def minutes(text):\n"
            "    text = unicodedata.normalize('NFKC', str(text))\n"
            "    if text == '-': return 10 ** 6\n"
            "    if text.isdigit(): return int(text)\n"
            "    h, m = re.search(r'(\\d+)小时', text), re.search(r'(\\d+)分', text)\n"
            "    return (int(h[1]) * 60 if h else 0) + (int(m[1]) if m else 0)\n"
            "cost = table.map(minutes)\n"
            "plan, total = {}, 0\n"
            "for person in cost.index:\n"
            "    left = cost.loc[person].drop(list(plan.values()))\n"
            "    plan[person] = left.idxmin()\n"
            "    total += int(left.min())\n"
            "json.dump(plan, open('./output/plan.json', 'w', encoding='utf-8'), ensure_ascii=False)\n"
            "print('total:', total)"
        ],
        "answer": "分配完成，最少总用时为 «total» 分钟。",
    },
    "cannot-means-zero": {
        "why": "reads “-” as no time at all",
        "cells": [
            "import pandas as pd, re, unicodedata, json\n"
            "from scipy.optimize import linear_sum_assignment\n"
            "table = pd.read_csv('./data/times.csv', dtype=str, encoding='utf-8-sig').set_index('人员')\n"
            "def minutes(text):\n"
            "    text = unicodedata.normalize('NFKC', str(text))\n"
            "    if text.isdigit(): return int(text)\n"
            "    h, m = re.search(r'(\\d+)小时', text), re.search(r'(\\d+)分', text)\n"
            "    return (int(h[1]) * 60 if h else 0) + (int(m[1]) if m else 0)\n"
            "cost = table.map(minutes)\n"
            "r, c = linear_sum_assignment(cost.to_numpy())\n"
            "plan = {cost.index[i]: cost.columns[j] for i, j in zip(r, c)}\n"
            "json.dump(plan, open('./output/plan.json', 'w', encoding='utf-8'), ensure_ascii=False)\n"
            "print('total:', int(cost.to_numpy()[r, c].sum()))"
        ],
        "answer": "最少的总用时是 «total» 分钟，方案见 ./output/plan.json。",
    },
    "first-number-only": {
        "why": "takes the first number of each cell, so “1小时20分” becomes 1",
        "cells": [
            "import pandas as pd, json\n"
            "import numpy as np\n"
            "from scipy.optimize import linear_sum_assignment\n"
            "table = pd.read_csv('./data/times.csv', dtype=str, encoding='utf-8-sig').set_index('人员')\n"
            "cost = table.apply(lambda column: column.str.extract(r'(\\d+)')[0].astype(float)).fillna(1e6)\n"
            "r, c = linear_sum_assignment(cost.to_numpy())\n"
            "plan = {cost.index[i]: cost.columns[j] for i, j in zip(r, c)}\n"
            "json.dump(plan, open('./output/plan.json', 'w', encoding='utf-8'), ensure_ascii=False)\n"
            "print('total:', int(cost.to_numpy()[r, c].sum()))"
        ],
        "answer": "已求得最优方案，总用时最少为 «total» 分钟。",
    },
}
