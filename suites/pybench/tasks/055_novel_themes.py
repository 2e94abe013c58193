# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The themes of a novel, as key words in Chinese."""

from runner.checks import Case
from runner.checks.text import prose

INDEX = "55"
TITLE = "小说的主题关键词"
CATEGORY = "text"
LANGUAGE = "zh"
OUTPUTS = []
STRENGTH = "partial"
GUESSABLE = "A few names of genres, guessed, hold the right one; the novel need not be opened."
NOTE = "A theme is a matter of judgement. The genre is taken from how often words of each genre stand in the text; the answer must name a leading one, none of the absent ones, and be a short list in Chinese. Whether the other key words fit the novel is not judged."

# What a genre is called in an answer, and the words by which its text gives it away.
GENRES = {
    "科幻": (
        ["科幻", "科学幻想", "未来", "科技"],
        [
            "飞船",
            "太空",
            "宇宙",
            "外星",
            "星际",
            "机器人",
            "人工智能",
            "基因",
            "实验室",
            "科学家",
            "卫星",
            "程序",
            "计算机",
            "量子",
            "辐射",
            "文明",
        ],
    ),
    "悬疑": (
        ["悬疑", "推理", "侦探", "谜", "惊悚"],
        [
            "凶手",
            "尸体",
            "线索",
            "谜",
            "警察",
            "侦探",
            "嫌疑",
            "真相",
            "案件",
            "失踪",
            "秘密",
            "调查",
            "死者",
        ],
    ),
    "武侠": (["武侠", "江湖"], ["江湖", "剑法", "内力", "武功", "掌门", "少林", "侠"]),
    "宫廷": (["宫廷", "宫斗"], ["皇上", "皇后", "妃", "太监", "奴才", "陛下", "娘娘"]),
    "言情": (["言情", "爱情"], ["吻", "恋爱", "告白", "爱上", "婚礼", "情人"]),
    "战争": (["战争", "军事"], ["将军", "士兵", "战壕", "炮火", "敌军", "阵地"]),
    "仙侠": (["仙侠", "玄幻", "修仙"], ["灵气", "金丹", "修炼", "法宝", "仙人", "妖兽"]),
}


def make_inputs(seed, data) -> dict:
    """A made-up tale of a space station and a vanished engineer."""
    import random

    rng = random.Random(seed)
    lines = [
        "飞船靠上空间站的时候，舱灯闪了三下。",
        "科学家们说，宇宙的边缘传来一段规律的信号，像外星文明的问候。",
        "机器人七号报告：工程师失踪，最后的线索停在实验室门口。",
        "她打开计算机，程序里藏着一个秘密，没有人愿意谈起真相。",
        "卫星转过行星的阴影，量子通信断了十一分钟。",
        "调查持续到深夜，人工智能的记录缺了一页。",
        "辐射仪跳动着，太空像一口没有回声的井。",
    ]
    text = "\n".join("　　" + rng.choice(lines) for _ in range(300))
    (data / "guangmingbilei.txt").write_text("第一章 信号\n" + text + "\n", "utf-8")
    return {}


def read(path) -> str:
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("gb18030", "replace")


def check(case: Case) -> None:
    text = read(case.data / "guangmingbilei.txt")
    weight = {
        genre: sum(text.count(word) for word in words) for genre, (_, words) in GENRES.items()
    }
    leading = sorted(weight, key=weight.get, reverse=True)[:2]
    absent = [genre for genre, count in weight.items() if count * 20 < max(weight.values())]
    items = [i for i in prose.items_of(case.answer) if any("\u4e00" <= c <= "\u9fff" for c in i)]
    joined = "".join(items)
    case.expect(
        "answer: a short list",
        1 <= len(items) <= 20,
        "1 to 20 key words",
        len(items),
        message=f"The answer lists {len(items)} key words.",
    )
    case.expect(
        "answer: in Chinese",
        sum("\u4e00" <= c <= "\u9fff" for c in joined) * 2 > len(joined),
        "mostly Chinese",
        joined[:80] or "no answer",
    )
    named = [genre for genre in leading if any(word in case.answer for word in GENRES[genre][0])]
    case.expect(
        "answer: its genre",
        named,
        " or ".join(leading),
        joined[:120] or "no answer",
        message=f"The answer names neither {' nor '.join(leading)}, which the text's words speak for.",
    )
    foreign = [genre for genre in absent if any(word in case.answer for word in GENRES[genre][0])]
    case.expect(
        "answer: no other genre",
        not foreign,
        "none",
        ", ".join(foreign) or "none",
        message=f"The answer names {', '.join(foreign)}, of which the text holds next to nothing.",
    )


REFERENCE = {
    "cells": [
        """
raw = open("data/guangmingbilei.txt", "rb").read()
try:
    text = raw.decode("utf-8")
except UnicodeDecodeError:
    text = raw.decode("gb18030", "replace")
print(len(text), text[:1500])
""",
        "import jieba.analyse\nprint(jieba.analyse.extract_tags(text[:200000], topK=30))",
    ],
    "answer": "科幻、悬疑、太空探索、失踪之谜、真相",
}
WRONG = {
    "another-genre": {
        "why": "takes it for a love story, from the title alone",
        "cells": [],
        "answer": "爱情、成长、青春、梦想",
    },
    "virtues": {
        "why": "lists virtues that fit any novel",
        "cells": [],
        "answer": "勇气、希望、友情、光明、坚持",
    },
    "in-english": {
        "why": "answers in English though Chinese is asked for",
        "cells": [],
        "answer": "science fiction, suspense, space, mystery",
    },
}
