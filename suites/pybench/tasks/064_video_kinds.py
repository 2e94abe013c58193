# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Chart of the kinds of video channels by how well they are liked."""

from runner.checks import Case
from runner.checks.charts import figures, series, unnoted

INDEX = "64"
TITLE = "哪些类型的视频更受欢迎"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["64.png"]
NOTE = "Being liked may be read as views, subscribers or the number of channels, in total, on average or by the median, by category or by type of channel: any of these is right, for five kinds or more, the leading ones among them."
CHINESE = {  # by the first word of a kind, what a reader of the query's language may call it
    "autos": "汽车",
    "comedy": "喜剧 搞笑",
    "education": "教育",
    "entertainment": "娱乐",
    "film": "电影与动画 影视 动画 电影和动画 电影",
    "gaming": "游戏",
    "games": "游戏",
    "howto": "教程 生活 时尚 美妆 操作",
    "movies": "电影",
    "music": "音乐",
    "news": "新闻",
    "nonprofits": "公益 非营利",
    "nonprofit": "公益 非营利",
    "people": "人物 博客 个人 人们",
    "pets": "宠物 动物",
    "animals": "动物",
    "science": "科学 科技",
    "tech": "科技 技术",
    "shows": "节目 综艺",
    "sports": "体育 运动",
    "trailers": "预告",
    "travel": "旅游 旅行",
}
MEASURES = [
    "video views",
    "subscribers",
    "video_views_for_the_last_30_days",
    "subscribers_for_last_30_days",
    "uploads",
]


def expected(path) -> dict:
    """{reading: {kind: value}} of every sensible one."""
    import pandas as pd

    frame = pd.read_csv(path, encoding="latin-1")
    found = {}
    for kind in ("category", "channel_type"):
        for measure in MEASURES[:4]:
            groups = frame.groupby(kind)[measure]
            for how in ("sum", "mean", "median"):
                found[f"{how} of {measure} by {kind}"] = groups.agg(how).to_dict()
        found[f"channels by {kind}"] = frame[kind].value_counts().to_dict()
    return found


def check(case: Case) -> None:
    wanted = expected(case.data / "Global YouTube Statistics.csv")
    figure = figures.read(case, "64.png")
    if figure.note is None:
        unnoted.expect_marks(case, figure, 3, "a measure of the kinds")
        return
    shown = [found for axes in figure.panels for found in series.bars_by_label(axes).values()]
    shown += [found for axes in figure.panels for found in series.lines_by_label(axes).values()]
    shown += [series.shown_wedges(figure, axes) for axes in figure.panels if axes.wedges]
    best = next(
        (
            name
            for name, values in wanted.items()
            if any(agrees(one, values, figure.text) for one in shown)
        ),
        "",
    )
    sizes = ", ".join(str(len(one)) for one in shown[:4]) or "none"
    case.expect(
        "it shows a measure of each kind",
        best,
        "views, subscribers or channels by kind",
        best or f"series of {sizes} values that are none of these",
        "64.png",
        "64.png shows no measure of the kinds of videos that the table gives.",
    )
    case.expect(
        "a long enough list",
        any(len(one) >= 5 for one in shown),
        "5 kinds or more",
        sizes,
        "64.png",
    )


def agrees(found: dict, values: dict, text: str) -> bool:
    """True if every bar is its kind's value, up to one common factor, and the leader is shown."""
    folded = {figures.fold(name): float(value) for name, value in values.items()}
    found = {in_english(name, list(folded)): value for name, value in found.items()}
    pairs = [
        (shown, folded[match])
        for name, shown in found.items()
        for match in folded
        if series.same_name(name, match)
    ]
    if len(pairs) < 5 or len(pairs) < len(found):
        return False
    leader = max(folded, key=folded.get)
    if not any(series.same_name(name, leader) for name in found):
        return False
    factor = sum(a for a, _ in pairs) / (sum(b for _, b in pairs) or 1)
    total = sum(b for _, b in pairs)
    return series.is_factor(factor, total, text) and all(
        abs(a / factor - b) <= 0.01 * b + 0.0005 * max(v for _, v in pairs) for a, b in pairs
    )


def in_english(name: str, kinds: list) -> str:
    """The kind that a Chinese name means, the longest of its words deciding; else the name."""
    if name in kinds:
        return name
    meant = [
        (len(word), kind)
        for kind in kinds
        for word in CHINESE.get(kind.split()[0], "").split()
        if word in name
    ]
    return max(meant)[1] if meant else name


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Global YouTube Statistics.csv", encoding="latin-1")
print(df.shape, df.columns.tolist()[:8])
views = df.groupby("category")["video views"].sum().sort_values(ascending=False)
print(views)
""",
        """
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(10, 6))
ax.barh(views.index[::-1], views.values[::-1])
ax.set_title("各类型视频的总播放量")
ax.set_xlabel("播放量")
fig.tight_layout()
fig.savefig("output/64.png")
print("best:", views.index[0])
""",
    ],
    "answer": "总播放量最高的类型是 «best»，图表已保存到 ./output/64.png。",
}
WRONG = {
    "channels-not-kinds": {
        "why": "draws the ten biggest channels instead of the kinds",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/Global YouTube Statistics.csv', encoding='latin-1').head(10)\nplt.barh(df['Youtuber'], df['subscribers'])\nplt.savefig('output/64.png')"
        ],
        "answer": "图表已保存到 ./output/64.png。",
    },
    "by-country": {
        "why": "groups by country",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/Global YouTube Statistics.csv', encoding='latin-1')\ndf.groupby('Country')['video views'].sum().nlargest(10).plot.bar()\nplt.savefig('output/64.png')"
        ],
        "answer": "图表已保存到 ./output/64.png。",
    },
    "rank-summed": {
        "why": "adds up the ranks of the channels of each kind",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/Global YouTube Statistics.csv', encoding='latin-1')\ndf.groupby('category')['rank'].sum().plot.bar()\nplt.savefig('output/64.png')"
        ],
        "answer": "图表已保存到 ./output/64.png。",
    },
}
