# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Bin exam scores after resits replaced first tries; a GB 18030 file with untidy scores."""

import csv
import random
import statistics
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

TITLE = "考试成绩分布"
CATEGORY = "chart"
LANGUAGE = "zh"
QUERY = """
./data/成绩.csv 是一次考试的成绩登记表（从旧系统导出，不是 UTF-8 编码），列为学号、姓名、场次、成绩。

请按以下规则统计：参加补考的学生以补考成绩为准（即使补考更低），补考缺考的仍按第一次成绩；只有“缺考”、没有任何有效成绩的学生不计入。成绩的写法不统一（可能带“分”字或是全角数字），请先看清楚。

1. 把各分数段的人数存为 ./output/分布.csv（UTF-8），列为 分数段、人数，分数段依次为 0-59、60-69、70-79、80-89、90-100。
2. 画一张人数的竖直柱状图存为 ./output/分布.png，至少 800×500 像素，白色背景，柱子按上述顺序从左到右、彼此之间留空隙，纵轴从 0 开始，所有柱子都用颜色 «colour»。
3. 在最后的回答中给出全体有效成绩的平均分，保留两位小数。
"""
INPUTS = ["成绩.csv"]
OUTPUTS = ["分布.csv", "分布.png"]
STRENGTH = "partial"
NOTE = "Whether the background is white is not looked at."

SURNAMES = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨"
GIVEN = ["子涵", "雨桐", "浩然", "思远", "欣怡", "志强", "丽娟", "文博", "晓东", "静"]
BANDS = ["0-59", "60-69", "70-79", "80-89", "90-100"]
FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")


def written(rng: random.Random, score: int) -> str:
    text = str(score)
    form = rng.choices(["plain", "unit", "full", "space"], [6, 2, 2, 1])[0]
    return {
        "plain": text,
        "unit": text + "分",
        "full": text.translate(FULL_WIDTH),
        "space": f" {text} ",
    }[form]


def draw_score(rng: random.Random) -> int:
    low, high = rng.choices([(31, 59), (60, 69), (70, 79), (80, 89), (90, 100)], [3, 4, 7, 6, 4])[0]
    return rng.randint(low, high)


def make_inputs(seed: int, data: Path) -> dict:
    from runner.checks.inputs import build

    rng = random.Random(seed)
    while True:
        rows = draw_rows(rng)
        if is_telling(rows):
            break
    build.write_csv(data / "成绩.csv", rows, encoding="gb18030", newline="\r\n")
    return {"colour": rng.choice(["#c0392b", "#2471a3", "#1e8449", "#af601a"])}


def draw_rows(rng: random.Random) -> list[list[str]]:
    first, second = [], []
    for number in range(140):
        student = [f"2025{number + 1:04d}", rng.choice(SURNAMES) + rng.choice(GIVEN)]
        score = draw_score(rng)
        is_absent = rng.random() < 0.08
        first.append([*student, "首考", "缺考" if is_absent else written(rng, score)])
        if is_absent or score < 60 or rng.random() < 0.05:
            again = draw_score(rng)
            is_absent_again = rng.random() < 0.25
            second.append([*student, "补考", "缺考" if is_absent_again else written(rng, again)])
    name = [f"2025{141:04d}", "王静"]  # whose resit, in another band, is lower than the first try
    first.append([*name, "首考", "85"])
    second.append([*name, "补考", "58分"])
    rng.shuffle(second)
    rows = [["学号", "姓名", "场次", "成绩"], *first]
    for row in second:
        rows.insert(rng.randint(40, len(rows)), row)
    return rows


def is_telling(rows: list[list[str]]) -> bool:
    """True if no two bands hold equally many, and other figures are not the mean."""
    entries = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    scores, counts = final_scores(entries), counts_of(final_scores(entries))
    tries = [int(text) for row in entries if (text := score_of(row)) != "缺考"]
    middles = [
        middle for middle, n in zip((30, 65, 75, 85, 95), counts, strict=True) for _ in range(n)
    ]
    others = [statistics.median(scores), statistics.mean(tries), statistics.mean(middles)]
    mean = statistics.mean(scores)
    return (
        len(set(counts)) == len(BANDS)
        and min(counts) > 5
        and all(abs(other - mean) > 0.05 for other in others)
    )


def score_of(row: dict[str, str]) -> str:
    return row["成绩"].strip().removesuffix("分")


def final_scores(rows: list[dict[str, str]]) -> list[int]:
    scores: dict[str, int] = {}
    for session in ("首考", "补考"):
        for row in rows:
            if row["场次"] == session and (text := score_of(row)) != "缺考":
                scores[row["学号"]] = int(text)
    return list(scores.values())


def counts_of(scores: list[int]) -> list[int]:
    limits = [tuple(map(int, band.split("-"))) for band in BANDS]
    return [sum(low <= score <= high for score in scores) for low, high in limits]


def check(case: Case) -> None:
    from runner.checks.chart_words import named_marks
    from runner.checks.charts import pixels
    from runner.checks.text import answers

    with (case.data / "成绩.csv").open(encoding="gb18030", newline="") as stream:
        scores = final_scores(list(csv.DictReader(stream)))
    counts = counts_of(scores)
    expected = [{"分数段": band, "人数": count} for band, count in zip(BANDS, counts, strict=True)]
    tables.match(case, tables.read(case, "分布.csv"), expected)
    chart = pixels.read(case, "分布.png")
    pixels.expect_least_size(case, chart, 800, 500)
    pixels.expect_bars(case, chart, case.parameters["colour"], counts)
    named_marks.expect_bars(case, "分布.png", [[band] for band in BANDS], counts)
    mean = float((Decimal(sum(scores)) / len(scores)).quantize(Decimal("0.01"), ROUND_HALF_UP))
    answers.number_near(case, ["平均"], mean, 0.0101, "回答：平均分")


REFERENCE = {
    "cells": [
        r"""
raw = open("data/成绩.csv", "rb").read()
print(raw[:80])
print(raw.decode("gb18030")[:600])
""",
        r"""
import unicodedata

import pandas as pd

df = pd.read_csv("data/成绩.csv", encoding="gb18030", dtype=str)
print(df["场次"].value_counts(), df["成绩"].unique()[:40])
df["分"] = pd.to_numeric(
    df["成绩"].map(lambda s: unicodedata.normalize("NFKC", s).strip().removesuffix("分")), errors="coerce"
)
print(df[df["分"].isna()]["成绩"].value_counts())
""",
        r"""
valid = df.dropna(subset="分").copy()
valid["次序"] = (valid["场次"] == "补考").astype(int)
final = valid.sort_values("次序").groupby("学号").last()
bands = ["0-59", "60-69", "70-79", "80-89", "90-100"]
counts = pd.cut(final["分"], [-1, 59, 69, 79, 89, 100], labels=bands).value_counts().reindex(bands)
counts.rename_axis("分数段").rename("人数").reset_index().to_csv("output/分布.csv", index=False)
print(counts)
print(f"mean: {final['分'].mean():.2f}")
""",
        r"""
import matplotlib.pyplot as plt

plt.rcParams["font.sans-serif"] = ["Noto Sans CJK SC", "Noto Sans CJK JP"]
fig, ax = plt.subplots(figsize=(9, 6))
ax.bar(counts.index, counts.values, color="«colour»", width=0.7)
ax.set_xlabel("分数段")
ax.set_ylabel("人数")
fig.savefig("output/分布.png")
plt.close(fig)
""",
    ],
    "answer": "全体有效成绩的平均分为 «mean» 分，分布表和柱状图已保存。",
}
WRONG = {
    "best-of-two": {
        "why": "takes the better of the two tries instead of the resit",
        "cells": [
            r"""
import unicodedata
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/成绩.csv", encoding="gb18030", dtype=str)
df["分"] = pd.to_numeric(df["成绩"].map(lambda s: unicodedata.normalize("NFKC", s).strip().removesuffix("分")), errors="coerce")
final = df.dropna(subset="分").groupby("学号")["分"].max()
bands = ["0-59", "60-69", "70-79", "80-89", "90-100"]
counts = pd.cut(final, [-1, 59, 69, 79, 89, 100], labels=bands).value_counts().reindex(bands)
counts.rename_axis("分数段").rename("人数").reset_index().to_csv("output/分布.csv", index=False)
print(f"mean: {final.mean():.2f}")
fig, ax = plt.subplots(figsize=(9, 6))
ax.bar(counts.index, counts.values, color="«colour»")
fig.savefig("output/分布.png")
"""
        ],
        "answer": "平均分为 «mean» 分。",
    },
    "untidy-scores-dropped": {
        "why": "scores with a unit fail to parse and are lost",
        "cells": [
            r"""
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/成绩.csv", encoding="gb18030", dtype=str)
df["分"] = pd.to_numeric(df["成绩"].str.strip(), errors="coerce")
df["次序"] = (df["场次"] == "补考").astype(int)
final = df.dropna(subset="分").sort_values("次序").groupby("学号")["分"].last()
bands = ["0-59", "60-69", "70-79", "80-89", "90-100"]
counts = pd.cut(final, [-1, 59, 69, 79, 89, 100], labels=bands).value_counts().reindex(bands)
counts.rename_axis("分数段").rename("人数").reset_index().to_csv("output/分布.csv", index=False)
print(f"mean: {final.mean():.2f}")
fig, ax = plt.subplots(figsize=(9, 6))
ax.bar(counts.index, counts.values, color="«colour»")
fig.savefig("output/分布.png")
"""
        ],
        "answer": "平均分为 «mean» 分。",
    },
    "bands-off-by-one": {
        "why": "counts 60 to the band below, 70 to the band below and so on",
        "cells": [
            r"""
import unicodedata
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv("data/成绩.csv", encoding="gb18030", dtype=str)
df["分"] = pd.to_numeric(df["成绩"].map(lambda s: unicodedata.normalize("NFKC", s).strip().removesuffix("分")), errors="coerce")
df["次序"] = (df["场次"] == "补考").astype(int)
final = df.dropna(subset="分").sort_values("次序").groupby("学号")["分"].last()
bands = ["0-59", "60-69", "70-79", "80-89", "90-100"]
counts = pd.cut(final, [0, 60, 70, 80, 90, 100], labels=bands).value_counts().reindex(bands)
counts.rename_axis("分数段").rename("人数").reset_index().to_csv("output/分布.csv", index=False)
print(f"mean: {final.mean():.2f}")
fig, ax = plt.subplots(figsize=(9, 6))
ax.bar(counts.index, counts.values, color="«colour»")
fig.savefig("output/分布.png")
"""
        ],
        "answer": "平均分为 «mean» 分。",
    },
}
