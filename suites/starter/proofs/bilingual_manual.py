# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "coloured-head": {
        "why": "a table with a coloured head, its words in white, grey signs for what is missing",
        "edits": {
            'document.save("output/对照.docx")': """from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import RGBColor
for place, cell in enumerate(table._cells):
    run = cell.paragraphs[0].runs[0]
    if place < 3:
        run.font.color.rgb = RGBColor(255, 255, 255)
        shade = OxmlElement("w:shd")
        shade.set(qn("w:val"), "clear")
        shade.set(qn("w:fill"), "2F5496")
        cell._tc.get_or_add_tcPr().append(shade)
    elif run.text == "（缺）":
        run.font.color.rgb = RGBColor(0x99, 0x99, 0x99)
document.styles["Normal"].font.name = "Times New Roman"
document.styles["Normal"].element.rPr.rFonts.set(qn("w:eastAsia"), "宋体")
document.save("output/对照.docx")""",
        },
    },
    "table-of-a-style": {
        "why": "a table style with a blue head, whose words are set white",
        "edits": {
            'document.save("output/对照.docx")': """from docx.shared import RGBColor
table.style = "Light List Accent 1"
for cell in table.rows[0].cells:
    cell.paragraphs[0].runs[0].font.color.rgb = RGBColor(255, 255, 255)
document.save("output/对照.docx")""",
        },
    },
    "grid-and-bold": {
        "why": "a table with borders and a bold first row, filled cell by cell",
        "edits": {
            "table = document.add_table(rows=1, cols=3)": """table = document.add_table(rows=1, cols=3)
table.style = "Table Grid\"""",
            """    cell.text = text
for number""": """    cell.paragraphs[0].add_run(text).bold = True
for number""",
        },
    },
    "numerals": {
        "why": "counts in Chinese numerals",
        "edits": {
            'print(f"no_en: {sum(n not in en for n in numbers)}")': 'print("no_en:", "零一两三四五六七八九"[sum(n not in en for n in numbers)])',
            'print(f"no_zh: {sum(n not in zh for n in numbers)}")': 'print("no_zh:", "零一两三四五六七八九"[sum(n not in zh for n in numbers)])',
        },
        "answer": "对照表已生成。其中英文版缺少«no_en»节，中文版缺少«no_zh»节。",
    },
    "in-english": {
        "why": "answers in English, as a list",
        "answer": "Saved ./output/对照.docx.\n\n- Missing from the English version: **«no_en»** sections\n- Missing from the Chinese version: **«no_zh»** sections",
    },
    "with-numbers": {
        "why": "names the sections that are missing",
        "edits": {
            'print(f"no_en: {sum(n not in en for n in numbers)}")': 'print(f"no_en: {sum(n not in en for n in numbers)}")\nprint("list_en:", "、".join(n for n in numbers if n not in en))\nprint("list_zh:", "、".join(n for n in numbers if n not in zh))',
        },
        "answer": "英文版缺 «no_en» 节（«list_en»），中文版缺 «no_zh» 节（«list_zh»）。",
    },
    "blank-line-below": {
        "why": "an empty paragraph between heading and table, columns of set widths",
        "edits": {
            "table = document.add_table(rows=1, cols=3)": "document.add_paragraph()\ntable = document.add_table(rows=1, cols=3)\ntable.autofit = False"
        },
        "answer": "已完成。\n英文版缺失：«no_en» 节\n中文版缺失：«no_zh» 节",
    },
    "short": {"why": "in one short line", "answer": "缺英文：«no_en» 节；缺中文：«no_zh» 节。"},
    "zero-safe": {
        "why": "with the number of all sections",
        "edits": {'print(f"no_en:': 'print(f"n: {len(numbers)}")\nprint(f"no_en:'},
        "answer": "共 «n» 节，其中英文版缺 «no_en» 节、中文版缺 «no_zh» 节。",
    },
    "joined-runs": {
        "why": "cells of several runs, answer with brackets",
        "edits": {
            "        cell.text = text\ndocument.save": "        for part in (text[:3], text[3:]):\n            cell.paragraphs[0].add_run(part)\ndocument.save"
        },
        "answer": "已生成 ./output/对照.docx。缺失统计：英文版（English）缺【«no_en»】节；中文版缺【«no_zh»】节。",
    },
}
NEAR_MISSES = {
    "columns-exchanged": {
        "why": "English text under 中文 and the other way round",
        "edits": {
            '[number, en.get(number, "（缺）"), zh.get(number, "（缺）")]': '[number, zh.get(number, "（缺）"), en.get(number, "（缺）")]'
        },
    },
    "counts-exchanged": {
        "why": "says of each version what the other lacks",
        "answer": "英文版缺 «no_zh» 节，中文版缺 «no_en» 节。",
    },
    "empty-cells": {
        "why": "leaves the cells of missing sections empty",
        "edits": {"（缺）": ""},
    },
    "lines-run-together": {
        "why": "joins English lines without a space",
        "edits": {'read("en", " ")': 'read("en", "")'},
    },
    "second-level": {
        "why": "a heading of the second level",
        "edits": {'add_heading("«title»", 1)': 'add_heading("«title»", 2)'},
    },
    "missing-last": {
        "why": "sections that one file lacks at the end",
        "edits": {
            'key=lambda n: tuple(map(int, n.split("."))))': 'key=lambda n: (n not in en or n not in zh, tuple(map(int, n.split(".")))))'
        },
    },
    "other-heads": {
        "why": "other column heads",
        "edits": {'["编号", "English", "中文"]': '["No.", "EN", "ZH"]'},
    },
    "numbers-with-a-sign": {
        "why": "numbers with a section sign",
        "edits": {"[number, en.get": '["§" + number, en.get'},
    },
    "sum-for-each": {
        "why": "the sum of both for each",
        "edits": {
            "{sum(n not in en for n in numbers)}": "{sum(n not in en or n not in zh for n in numbers)}",
            "{sum(n not in zh for n in numbers)}": "{sum(n not in en or n not in zh for n in numbers)}",
        },
    },
    "chinese-with-spaces": {
        "why": "joins Chinese lines with a space",
        "edits": {'read("zh", "")': 'read("zh", " ")'},
    },
    "title-style": {
        "why": "the title in the style Title",
        "edits": {'add_heading("«title»", 1)': 'add_heading("«title»", 0)'},
    },
    "second-table": {
        "why": "a second table",
        "edits": {
            'document.save("output/对照.docx")': 'document.add_table(rows=1, cols=3)\ndocument.save("output/对照.docx")'
        },
    },
}
