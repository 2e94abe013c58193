# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Align an English and a Chinese manual by section number into a two-column Word table."""

import random
from pathlib import Path

from runner.checks import Case
from runner.checks.text import documents

TITLE = "中英对照说明书"
CATEGORY = "text"
LANGUAGE = "zh"
QUERY = """
./data/manual_en.txt 和 ./data/manual_zh.txt 是同一份说明书的英文版和中文版。每一节以编号开头（如 2.3），但两个文件的顺序被打乱了，编号的写法也不统一（“2.3”“2.3.”“§2.3”“第2.3节”、全角数字都有），一节的内容可能分成几行；个别小节只有一种语言。页眉（以 === 开头的行）和空行不是内容。

请生成 ./output/对照.docx：
1. 第一段为一级标题（Heading 1 样式）：«title»
2. 之后是一个三列的表格，首行为 编号、English、中文，其后每节一行，按编号从小到大排列（2.10 排在 2.9 之后）。编号统一写成 2.3 的形式；同一节的几行内容，英文用一个空格连接，中文直接连接。
3. 缺少译文的格子写“（缺）”。

最后请在回答中说明：英文版缺几节，中文版缺几节。
"""
INPUTS = ["manual_en.txt", "manual_zh.txt"]
OUTPUTS = ["对照.docx"]

SECTIONS = [
    ("Place the machine on a firm and level surface.", "请将机器放置在坚固平整的台面上。"),
    ("Keep the air openings on the back free.", "请保持背面通风口畅通。"),
    ("Never open the housing while the plug is in the socket.", "插头未拔出时切勿打开外壳。"),
    ("Fill the tank with cold water up to the mark.", "向水箱内加冷水至刻度线。"),
    ("Press the round button for three seconds.", "长按圆形按钮三秒。"),
    ("The lamp blinks green while the water is heated.", "加热时指示灯闪烁绿光。"),
    ("If the lamp turns red, switch the machine off.", "如果指示灯变红，请关闭机器。"),
    ("Empty the drip tray every day.", "每天清空接水盘。"),
    ("Rinse the sieve under running water.", "用流水冲洗滤网。"),
    ("Use only a soft, damp cloth for cleaning.", "清洁时只能使用柔软的湿布。"),
    ("Descale the machine once a month.", "每月除垢一次。"),
    ("Do not use vinegar for descaling.", "除垢时请勿使用醋。"),
    ("Unplug the machine before long journeys.", "长时间外出前请拔下电源插头。"),
    ("Store it in a dry and frost-free room.", "请存放在干燥且不结冰的房间内。"),
    ("Spare parts can be ordered from the dealer.", "备件可向经销商订购。"),
    ("The guarantee ends two years after purchase.", "保修期为购买之日起两年。"),
]
FULL_WIDTH = str.maketrans("0123456789.", "０１２３４５６７８９．")


def written_number(rng: random.Random, number: str, is_chinese: bool) -> str:
    forms = [number, number + ".", "§" + number, number.translate(FULL_WIDTH)]
    return rng.choice([*forms, f"第{number}节"] if is_chinese else forms)


def broken(rng: random.Random, text: str, is_chinese: bool) -> str:
    """The text on one line or on two."""
    if rng.random() < 0.6:
        return text
    if is_chinese:
        place = rng.randint(3, len(text) - 3)
        return text[:place] + "\n" + text[place:]
    words = text.split()
    place = rng.randint(2, len(words) - 2)
    return " ".join(words[:place]) + "\n" + " ".join(words[place:])


def written_lines(rng: random.Random, sections: dict[str, str], is_chinese: bool) -> list[str]:
    numbers = list(sections)
    rng.shuffle(numbers)
    lines = []
    for place, number in enumerate(numbers):
        if place % 5 == 0:
            lines += [
                "",
                f"=== {'使用说明书' if is_chinese else 'User manual'}  {place // 5 + 1} ===",
            ]
        mark = written_number(rng, number, is_chinese)
        lines.append(f"{mark}{rng.choice([' ', '  '])}{broken(rng, sections[number], is_chinese)}")
    return lines


def make_inputs(seed: int, data: Path) -> dict:
    rng = random.Random(seed)
    numbers = (
        [f"1.{n}" for n in (1, 2, 3)] + [f"2.{n}" for n in range(1, 11)] + ["3.1", "3.2", "10.1"]
    )
    english, chinese = {}, {}
    order = rng.sample(range(len(SECTIONS)), len(SECTIONS))
    for number, place in zip(numbers, order, strict=True):
        english[number], chinese[number] = SECTIONS[place]
    lost = rng.sample(numbers, rng.choice([4, 5]))
    for number in lost[:1]:
        del english[number]
    for number in lost[1:]:
        del chinese[number]
    for name, sections in (("en", english), ("zh", chinese)):
        broken_lines = 0
        while broken_lines < 2:  # sections that go on in a second line
            lines = written_lines(rng, sections, is_chinese=name == "zh")
            broken_lines = sum("\n" in line for line in lines)
        (data / f"manual_{name}.txt").write_text("\ufeff" + "\n".join(lines) + "\n", "utf-8")
    rows = [[n, english.get(n, "（缺）"), chinese.get(n, "（缺）")] for n in numbers]
    title = rng.choice(
        ["咖啡机说明书（中英对照）", "蒸汽机使用说明 中英文对照", "饮水机说明书对照表"]
    )
    return {"title": title, "rows": rows}


def check(case: Case) -> None:
    from runner.checks.text import answers

    file = "对照.docx"
    document = documents.word(case, file)
    titles = [documents.flat(text) for text in document.headings(1)]
    case.equal("一级标题", titles, [documents.flat(case.parameters["title"])], file)
    case.demand("表格", len(document.tables) == 1, 1, len(document.tables), file)
    table = [[documents.flat(cell) for cell in row] for row in document.tables[0]]
    rows = [[documents.flat(cell) for cell in row] for row in case.parameters["rows"]]
    case.equal("表头", table[0], ["编号", "English", "中文"], file)
    case.equal("编号及其顺序", [row[0] for row in table[1:]], [row[0] for row in rows], file)
    case.equal("英文", [row[1] for row in table[1:]], [row[1] for row in rows], file)
    case.equal("中文", [row[2] for row in table[1:]], [row[2] for row in rows], file)
    missing = documents.flat("（缺）")
    for place, words in ((1, ["英文", "english"]), (2, ["中文", "chinese"])):
        lost = sum(row[place] == missing for row in rows)
        answers.number_near(case, words, lost, 0, f"回答：{words[0]}版缺几节")


REFERENCE = {
    "cells": [
        r"""
for name in ("en", "zh"):
    print(open(f"data/manual_{name}.txt", encoding="utf-8-sig").read(), "\n#####")
""",
        r"""
import re
import unicodedata


def read(name, joint):
    sections, current = {}, None
    for line in open(f"data/manual_{name}.txt", encoding="utf-8-sig"):
        line = line.strip()
        if not line or line.startswith("==="):
            continue
        head, _, rest = line.partition(" ")
        number = re.fullmatch(r"[§第]?(\d+\.\d+)[.节]?", unicodedata.normalize("NFKC", head))
        if number:
            current = number[1]
            sections[current] = [rest.strip()]
        else:
            sections[current].append(line)
    return {key: joint.join(parts) for key, parts in sections.items()}


en, zh = read("en", " "), read("zh", "")
numbers = sorted(en.keys() | zh.keys(), key=lambda n: tuple(map(int, n.split("."))))
print(numbers)
print(f"no_en: {sum(n not in en for n in numbers)}")
print(f"no_zh: {sum(n not in zh for n in numbers)}")
""",
        r"""
import docx

document = docx.Document()
document.add_heading("«title»", 1)
table = document.add_table(rows=1, cols=3)
for cell, text in zip(table.rows[0].cells, ["编号", "English", "中文"]):
    cell.text = text
for number in numbers:
    for cell, text in zip(table.add_row().cells, [number, en.get(number, "（缺）"), zh.get(number, "（缺）")]):
        cell.text = text
document.save("output/对照.docx")
""",
    ],
    "answer": "对照表已存为 ./output/对照.docx。英文版缺 «no_en» 节，中文版缺 «no_zh» 节。",
}
WRONG = {
    "sorted-as-text": {
        "why": "sorts the numbers as text, so that 2.10 and 10.1 stand in the wrong place",
        "cells": [
            r"""
import re, unicodedata
import docx

def read(name, joint):
    sections = {}
    for line in open(f"data/manual_{name}.txt", encoding="utf-8-sig"):
        line = line.strip()
        if not line or line.startswith("==="):
            continue
        head, _, rest = line.partition(" ")
        number = re.fullmatch(r"[§第]?(\d+\.\d+)[.节]?", unicodedata.normalize("NFKC", head))
        if number:
            current = number[1]
            sections[current] = [rest.strip()]
        else:
            sections[current].append(line)
    return {k: joint.join(v) for k, v in sections.items()}

en, zh = read("en", " "), read("zh", "")
numbers = sorted(en.keys() | zh.keys())
document = docx.Document()
document.add_heading("«title»", 1)
table = document.add_table(rows=1, cols=3)
for cell, text in zip(table.rows[0].cells, ["编号", "English", "中文"]):
    cell.text = text
for n in numbers:
    for cell, text in zip(table.add_row().cells, [n, en.get(n, "（缺）"), zh.get(n, "（缺）")]):
        cell.text = text
document.save("output/对照.docx")
print(f"no_en: {sum(n not in en for n in numbers)}")
print(f"no_zh: {sum(n not in zh for n in numbers)}")
"""
        ],
        "answer": "英文版缺 «no_en» 节，中文版缺 «no_zh» 节。",
    },
    "missing-sections-dropped": {
        "why": "keeps only the sections that both files have",
        "cells": [
            r"""
import re, unicodedata
import docx

def read(name, joint):
    sections = {}
    for line in open(f"data/manual_{name}.txt", encoding="utf-8-sig"):
        line = line.strip()
        if not line or line.startswith("==="):
            continue
        head, _, rest = line.partition(" ")
        number = re.fullmatch(r"[§第]?(\d+\.\d+)[.节]?", unicodedata.normalize("NFKC", head))
        if number:
            current = number[1]
            sections[current] = [rest.strip()]
        else:
            sections[current].append(line)
    return {k: joint.join(v) for k, v in sections.items()}

en, zh = read("en", " "), read("zh", "")
numbers = sorted(en.keys() & zh.keys(), key=lambda n: tuple(map(int, n.split("."))))
document = docx.Document()
document.add_heading("«title»", 1)
table = document.add_table(rows=1, cols=3)
for cell, text in zip(table.rows[0].cells, ["编号", "English", "中文"]):
    cell.text = text
for n in numbers:
    for cell, text in zip(table.add_row().cells, [n, en[n], zh[n]]):
        cell.text = text
document.save("output/对照.docx")
print(f"no_en: {len(zh.keys() - en.keys())}")
print(f"no_zh: {len(en.keys() - zh.keys())}")
"""
        ],
        "answer": "英文版缺 «no_en» 节，中文版缺 «no_zh» 节。",
    },
    "second-lines-lost": {
        "why": "takes only the line with the number of each section",
        "cells": [
            r"""
import re, unicodedata
import docx

def read(name):
    sections = {}
    for line in open(f"data/manual_{name}.txt", encoding="utf-8-sig"):
        head, _, rest = line.strip().partition(" ")
        number = re.fullmatch(r"[§第]?(\d+\.\d+)[.节]?", unicodedata.normalize("NFKC", head))
        if number:
            sections[number[1]] = rest.strip()
    return sections

en, zh = read("en"), read("zh")
numbers = sorted(en.keys() | zh.keys(), key=lambda n: tuple(map(int, n.split("."))))
document = docx.Document()
document.add_heading("«title»", 1)
table = document.add_table(rows=1, cols=3)
for cell, text in zip(table.rows[0].cells, ["编号", "English", "中文"]):
    cell.text = text
for n in numbers:
    for cell, text in zip(table.add_row().cells, [n, en.get(n, "（缺）"), zh.get(n, "（缺）")]):
        cell.text = text
document.save("output/对照.docx")
print(f"no_en: {sum(n not in en for n in numbers)}")
print(f"no_zh: {sum(n not in zh for n in numbers)}")
"""
        ],
        "answer": "英文版缺 «no_en» 节，中文版缺 «no_zh» 节。",
    },
}
