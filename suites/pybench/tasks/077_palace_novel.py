# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Summary of the first ten thousand characters of a novel."""

from runner.checks import Case
from runner.checks.text import prose

INDEX = "77"
TITLE = "小说开头讲了什么"
CATEGORY = "text"
LANGUAGE = "zh"
OUTPUTS = []
STRENGTH = "partial"
NOTE = "A summary is judged by the points it tells: five of eight that the beginning holds. Names may be given in Chinese or in a romanisation. Each must stand in a clause that does not deny it, figures must be the text's own, and what was done to the heroine may not be told of her rival. How well it reads is not judged, nor whether what it says of a point is otherwise true."
POINTS = {
    "the heroine": ["青樱", "如懿", "qingying", "ruyi"],
    "her rival": ["晞月", "高氏", "xiyue"],
    "the empress to be": ["富察", "皇后", "fucha", "empress"],
    "the new emperor": ["弘历", "皇帝", "皇上", "乾隆", "emperor"],
    "the late emperor's death": [
        "先帝",
        "驾崩",
        "国丧",
        "大丧",
        "丧礼",
        "雍正",
        "灵前",
        "late emperor",
        "funeral",
        "mourning",
    ],
    "her family": ["乌拉那拉", "景仁宫", "姑母", "ulanara", "ula-nara", "aunt"],
    "the women of the palace": ["后宫", "妃嫔", "嫔妃", "福晋", "harem", "concubine", "consort"],
    "their rivalry": [
        "争斗",
        "明争暗斗",
        "争宠",
        "宫斗",
        "权力",
        "权势",
        "算计",
        "勾心斗角",
        "rivalr",
        "power",
        "intrigue",
        "scheme",
        "conflict",
    ],
}
HERS = r"(?:青樱|如懿|qingying|ruyi)"
RIVAL = r"(?:高氏|高?晞月|(?:lady |consort )?(?:gao )?xiyue)"
NEVER_SAID = [  # who wronged whom, and what became of the empress to be and of the aunt
    rf"{HERS}(?:(?!被|遭|受|却|{RIVAL})[^。；;!?.]){{0,30}}抢(?:在|先于|到)了?{RIVAL}",
    rf"{HERS}(?:(?!被|遭|受|{RIVAL})[^。；;!?.]){{0,20}}(?:羞辱|刁难|欺辱|欺负|侮辱|折辱)了?{RIVAL}",
    rf"(?:使|让|令|给){RIVAL}(?:(?!使|让|给|{HERS})[^。；;，,!?.]){{0,6}}(?:受辱|难堪|羞辱|出丑)",
    rf"{HERS}(?:(?!\bby\b|{RIVAL})[^.;]){{0,60}}(?:ahead of|humiliates|insults|embarrasses) {RIVAL}",
    r"富察氏?(?:(?![与和及同]|景仁宫)[^。；;，,!?.]){0,12}(?:被废|被贬|打入冷宫|被幽禁)(?!的)",
    r"(?:姑母|景仁宫)(?:(?!失|不|未|昔|曾|旧|原|前|当年|早年)[^。；;，,!?.]){0,8}(?:得势|掌权|得宠)",
]


def check(case: Case) -> None:
    text = (case.data / "如懿传.txt").read_text("utf-8", "replace")[:10_000]
    prose.expect_summary(case, text, POINTS, 5, shortest=50)
    prose.expect_not_contradicted(case, NEVER_SAID)


REFERENCE = {
    "cells": [
        """
raw = open("data/如懿传.txt", "rb").read()
text = raw.decode("utf-8", "replace")
print(len(text))
print(text[:4000])
""",
        "print(text[4000:10000])",
    ],
    "answer": "小说开头写先帝驾崩、国有大丧，皇四子弘历登基，王府里的妻妾随之入宫。侧福晋青樱（即后来的如懿）出身乌拉那拉氏，姑母是被幽禁的景仁宫娘娘，身份尴尬。灵前守丧时嫡福晋富察氏晕倒，位次在后的高晞月借机抢在青樱前头举哀，当众给她难堪。后宫妃嫔名分未定，明争暗斗已经开始，青樱只能隐忍自保。",
}
WRONG = {
    "title-taken-for-content": {
        "why": "guesses from the title alone",
        "cells": [],
        "answer": "这部小说讲述了如懿传奇的一生，情节曲折，人物鲜明，语言优美，深受读者喜爱，是一部值得阅读的优秀作品，展现了女主人公的成长与坚持。",
    },
    "another-novel": {
        "why": "tells another palace novel by the same author from memory",
        "cells": [],
        "answer": "小说讲述少女甄嬛选秀入宫，与沈眉庄、安陵容结为姐妹，得到皇上宠爱后遭华妃嫉恨，几经沉浮离宫修行，与果郡王相爱，最后回宫复仇成为太后的故事。",
    },
    "opening-pasted": {
        "why": "prints the beginning instead of telling it",
        "cells": [
            "text = ' '.join(open('data/如懿传.txt', encoding='utf-8', errors='replace').read()[:9500].split())\nprint('text:', text)"
        ],
        "answer": "小说前一万字的内容如下：«text»",
    },
}
