# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Count how often each character of a Chinese story is mentioned, aliases included."""

import json
import random
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

TITLE = "小说人物出场统计"
CATEGORY = "text"
LANGUAGE = "zh"
QUERY = """
./data/故事.txt 是一篇小说，./data/人物.json 列出了每个人物的姓名和别名。请统计每个人物在每一章中被提到的次数，姓名和别名都算。

请注意：一处文字只算一次，且以最长的称呼为准（例如“林小满”是一次，不要再把其中的“小满”另算一次；别人的称呼中包含的字也不算）。章节标题（“第一章 ……”）和作者的注（以“【注】”开头的行）不计入统计。

结果存为 ./output/人物.csv（UTF-8），列为 姓名、第一章、第二章、第三章、合计，按合计从多到少排列，合计相同的按 人物.json 中的顺序。

最后请回答：合计最多的是谁？
"""
INPUTS = ["故事.txt", "人物.json"]
OUTPUTS = ["人物.csv"]

CAST = [
    ("林小满", ["小满", "满姐"]),
    ("林大川", ["大川", "川叔"]),
    ("周小满", ["周家丫头"]),
    ("沈若溪", ["若溪", "沈老师"]),
    ("沈老", ["老沈"]),
    ("顾城南", ["城南", "顾三"]),
    ("阿福", ["福伯"]),
]
VERBS = [
    "推开了门",
    "笑着摇了摇头",
    "往江边走去",
    "没有说话",
    "把灯点上了",
    "想起了去年的雪",
    "放下了茶碗",
]
PAIRS = [
    "{a}看了{b}一眼，{v}。",
    "“{a}！”{b}喊了一声，{v}。",
    "{a}和{b}都没作声。",
    "听说{a}昨天找过{b}。",
]
SINGLES = ["{a}{v}。", "那天晚上，{a}{v}。", "没有人知道{a}为什么{v}。", "{a}，你怎么{v}？"]
CHAPTERS = ["第一章", "第二章", "第三章"]
TITLES = ["{a}回乡", "{a}的信", "{a}与渡船"]


def make_inputs(seed: int, data: Path) -> dict:
    from runner.checks.inputs import build

    rng = random.Random(seed)
    cast = rng.sample(CAST, len(CAST))
    weights = rng.sample([2, 3, 4, 5, 6, 7, 9], len(cast))
    people = [{"姓名": name, "别名": aliases} for name, aliases in cast]
    build.write_json(data / "人物.json", people)
    while True:
        text = "\r\n".join(write_story(rng, cast, weights)) + "\r\n"
        totals = [sum(n) for n in counted(text, people).values()]
        if totals.count(max(totals)) == 1 and totals != sorted(totals, reverse=True):
            break  # one is named most, and the order is not that of the list
    (data / "故事.txt").write_text(text, "utf-8", newline="")
    return {}


def write_story(rng: random.Random, cast: list, weights: list) -> list[str]:
    lines = []
    for chapter, title in zip(CHAPTERS, rng.sample(TITLES, 3), strict=True):
        lines += [f"{chapter} {title.format(a=rng.choice(cast)[0])}", ""]
        for _ in range(rng.randint(9, 12)):
            lines += [
                "　　" + "".join(sentence(rng, cast, weights) for _ in range(rng.randint(2, 5)))
            ]
        lines += [f"【注】{rng.choice(cast)[0]}的原型是{rng.choice(cast)[1][0]}，见前言。", ""]
    return lines


def sentence(rng: random.Random, cast: list, weights: list) -> str:
    def called() -> str:
        name, aliases = rng.choices(cast, weights)[0]
        return rng.choice([name, name, *aliases])

    form = rng.choice(PAIRS + SINGLES)
    return form.format(a=called(), b=called(), v=rng.choice(VERBS))


def counted(text: str, cast: list[dict]) -> dict[str, list[int]]:
    """Mentions by name and chapter: at each place the longest name, from left to right."""
    owner = {call: person["姓名"] for person in cast for call in (person["姓名"], *person["别名"])}
    calls = sorted(owner, key=len, reverse=True)
    counts = {person["姓名"]: [0, 0, 0] for person in cast}
    chapter = -1
    for line in text.splitlines():
        if line[:3] in CHAPTERS:
            chapter = CHAPTERS.index(line[:3])
            continue
        place = 0
        while not line.startswith("【注】") and place < len(line):
            call = next((c for c in calls if line.startswith(c, place)), None)
            if call:
                counts[owner[call]][chapter] += 1
            place += len(call) if call else 1
    return counts


def check(case: Case) -> None:
    from runner.checks.text import answers

    cast = json.loads((case.data / "人物.json").read_text("utf-8"))
    counts = counted((case.data / "故事.txt").read_text("utf-8"), cast)
    ranked = sorted(counts, key=lambda name: -sum(counts[name]))
    expected = [
        {"姓名": name, **dict(zip(CHAPTERS, counts[name], strict=True)), "合计": sum(counts[name])}
        for name in ranked
    ]
    tables.match(case, tables.read(case, "人物.csv"), expected)
    answers.name_given(case, ranked[0], ranked[1:], ["最多"], "回答：合计最多的人")


REFERENCE = {
    "cells": [
        r"""
import json

people = json.load(open("data/人物.json", encoding="utf-8"))
text = open("data/故事.txt", encoding="utf-8").read()
print(people)
print(text[:700])
""",
        r"""
import re

import pandas as pd

owner = {call: p["姓名"] for p in people for call in [p["姓名"], *p["别名"]]}
pattern = re.compile("|".join(sorted(map(re.escape, owner), key=len, reverse=True)))
chapters = ["第一章", "第二章", "第三章"]
counts = pd.DataFrame(0, index=[p["姓名"] for p in people], columns=chapters)
chapter = None
for line in text.splitlines():
    if line[:3] in chapters:
        chapter = line[:3]
    elif not line.startswith("【注】"):
        for call in pattern.findall(line):
            counts.loc[owner[call], chapter] += 1
counts["合计"] = counts.sum(axis=1)
counts = counts.sort_values("合计", ascending=False, kind="stable").rename_axis("姓名").reset_index()
counts.to_csv("output/人物.csv", index=False)
print(counts)
print("most:", counts.loc[0, "姓名"])
""",
    ],
    "answer": "合计最多的是«most»，统计表已存为 ./output/人物.csv。",
}
WRONG = {
    "overlaps-counted-twice": {
        "why": "counts every name by itself, so that a long name counts for the short one as well",
        "cells": [
            r"""
import json
import pandas as pd

people = json.load(open("data/人物.json", encoding="utf-8"))
chapters = ["第一章", "第二章", "第三章"]
parts = dict.fromkeys(chapters, "")
for line in open("data/故事.txt", encoding="utf-8"):
    if line[:3] in chapters:
        chapter = line[:3]
    elif not line.startswith("【注】"):
        parts[chapter] += line
rows = []
for p in people:
    row = {"姓名": p["姓名"]}
    for c in chapters:
        row[c] = sum(parts[c].count(call) for call in [p["姓名"], *p["别名"]])
    rows.append(row)
df = pd.DataFrame(rows)
df["合计"] = df[chapters].sum(axis=1)
df = df.sort_values("合计", ascending=False, kind="stable")
df.to_csv("output/人物.csv", index=False)
print("most:", df.iloc[0]["姓名"])
"""
        ],
        "answer": "合计最多的是«most»。",
    },
    "notes-and-titles-counted": {
        "why": "counts chapter titles and the author's notes as well",
        "cells": [
            r"""
import json, re
import pandas as pd

people = json.load(open("data/人物.json", encoding="utf-8"))
owner = {call: p["姓名"] for p in people for call in [p["姓名"], *p["别名"]]}
pattern = re.compile("|".join(sorted(map(re.escape, owner), key=len, reverse=True)))
chapters = ["第一章", "第二章", "第三章"]
counts = pd.DataFrame(0, index=[p["姓名"] for p in people], columns=chapters)
for line in open("data/故事.txt", encoding="utf-8"):
    if line[:3] in chapters:
        chapter = line[:3]
    for call in pattern.findall(line):
        counts.loc[owner[call], chapter] += 1
counts["合计"] = counts.sum(axis=1)
counts = counts.sort_values("合计", ascending=False, kind="stable").rename_axis("姓名").reset_index()
counts.to_csv("output/人物.csv", index=False)
print("most:", counts.loc[0, "姓名"])
"""
        ],
        "answer": "合计最多的是«most»。",
    },
    "aliases-forgotten": {
        "why": "counts the full names only",
        "cells": [
            r"""
import json
import pandas as pd

people = json.load(open("data/人物.json", encoding="utf-8"))
chapters = ["第一章", "第二章", "第三章"]
parts = dict.fromkeys(chapters, "")
for line in open("data/故事.txt", encoding="utf-8"):
    if line[:3] in chapters:
        chapter = line[:3]
    elif not line.startswith("【注】"):
        parts[chapter] += line
df = pd.DataFrame([{"姓名": p["姓名"], **{c: parts[c].count(p["姓名"]) for c in chapters}} for p in people])
df["合计"] = df[chapters].sum(axis=1)
df = df.sort_values("合计", ascending=False, kind="stable")
df.to_csv("output/人物.csv", index=False)
print("most:", df.iloc[0]["姓名"])
"""
        ],
        "answer": "合计最多的是«most»。",
    },
}
