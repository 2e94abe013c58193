# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A company's home page made from four printed pages about it."""

from runner.checks import Case
from runner.checks.programs import web_pages

INDEX = "143"
TITLE = "公司网站主页"
CATEGORY = "software"
LANGUAGE = "zh"
OUTPUTS = ["143"]
STRENGTH = "partial"
BROWSER = True
NOTE = "The site must open without an error, be titled and look otherwise than without a style, have parts and headings, and show at least eight of the names, addresses and headlines that the document holds; its pages count together. Its looks are not judged."


def facts_of(path) -> list:
    """Headlines, product names and addresses of the document, in its order."""
    import re

    import pymupdf

    with pymupdf.open(path) as document:
        lines = [
            " ".join(line.split()) for page in document for line in page.get_text().splitlines()
        ]
    facts = []
    for line in lines:
        if re.search(r"https?://|^\d+/\d+$|备|©|\d{4}/\d", line):
            continue
        address = re.search(r"[\w.]+@[\w.]+", line)
        fact = address[0] if address else line.rstrip(":：")
        if 4 <= len(fact) <= 24 and fact not in ("面壁智能", "了解更多"):
            facts.append(fact)
    return list(dict.fromkeys(facts))


def check(case: Case) -> None:
    files = web_pages.html_files(case, "143")
    facts = facts_of(case.data / "面壁智能.pdf")
    web_pages.expect_site(case, files, ["面壁智能", "ModelBest"], facts, 8)


REFERENCE = {
    "cells": [
        """
import pymupdf

with pymupdf.open("data/面壁智能.pdf") as document:
    text = "\\n".join(page.get_text() for page in document)
print(text)
""",
        '''
import re
from html import escape
from pathlib import Path

mails = re.findall(r"[\\w.]+@[\\w.]+", text)
folder = Path("output/143")
folder.mkdir(parents=True, exist_ok=True)
labels = ["商务合作", "简历投递", "媒体合作", "投融资"]
contact = "".join(f'<li>{a}：<a href="mailto:{escape(m)}">{escape(m)}</a></li>' for a, m in zip(labels, mails))
(folder / "style.css").write_text("""
body { margin: 0; font-family: "Noto Sans CJK SC", sans-serif; color: #1d2733; line-height: 1.6; }
header { background: #10243e; color: #fff; padding: 1rem 2rem; }
nav a { color: #cfe0ff; margin-right: 1.5rem; text-decoration: none; }
.hero { background: #1c4b8f; color: #fff; padding: 5rem 2rem; }
section { max-width: 60rem; margin: 0 auto; padding: 2rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1rem; }
.card { border: 1px solid #d5dde8; border-radius: .5rem; padding: 1rem; }
footer { background: #10243e; color: #cfe0ff; padding: 2rem; }
footer a { color: inherit; }
""", "utf-8")
(folder / "index.html").write_text(f"""<!doctype html>
<html lang="zh">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>面壁智能</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<header><h1>面壁智能</h1>
<nav><a href="#products">核心产品</a><a href="#news">最新动态</a><a href="#about">关于我们</a><a href="#contact">加入我们</a></nav></header>
<div class="hero"><h2>创新技术驱动 追求卓越 成就客户</h2><p>各行各业企业与机构的选择</p></div>
<main>
<section id="products"><h2>面壁能力全景图</h2><div class="cards">
<article class="card"><h3>ModelForce 产品能力</h3><p>全流程大模型高效加速平台：训练、微调、压缩、推理。</p></article>
<article class="card"><h3>CPM 大模型企业版</h3><p>面向企业的大模型。</p></article></div></section>
<section id="news"><h2>最新动态</h2><p>新闻中心</p></section>
<section id="about"><h2>关于我们</h2><p>公司发展 · 面壁团队 · 顶级会议论文 · 高质量数据 · 模型参数量</p></section>
<section id="contact"><h2>联系我们</h2><ul>{contact}</ul></section>
</main>
<footer>面壁智能期待与您合作</footer>
</body>
</html>
""", "utf-8")
print(sorted(p.name for p in folder.iterdir()))
''',
    ],
    "answer": "主页已保存到 ./output/143/index.html，样式在 style.css，内容取自所给的 PDF。",
}
WRONG = {
    "bare-welcome": {
        "why": "greets by the company's name and tells nothing of the document",
        "cells": [
            '''
import os
os.makedirs("output/143", exist_ok=True)
open("output/143/index.html", "w").write("""<!DOCTYPE html><html><head><meta charset="utf-8"><title>面壁智能 - Home</title></head>
<body><h1>Welcome to 面壁智能</h1><p>Your innovative solution provider.</p></body></html>""")
''',
        ],
        "answer": "主页已保存到 ./output/143/index.html。",
    },
    "template-text": {
        "why": "a styled template filled with lorem ipsum",
        "cells": [
            """
import os
os.makedirs("output/143", exist_ok=True)
parts = "".join(f"<section id='s{i}'><h2>Section {i}</h2><p>Lorem ipsum dolor sit amet.</p></section>" for i in range(5))
style = "".join(f"#s{i}{{padding:{i}px}}" for i in range(9))
open("output/143/index.html", "w").write(f"<!doctype html><html><head><meta charset='utf-8'><title>面壁智能</title><style>{style}</style></head><body><h1>面壁智能</h1>{parts}</body></html>")
""",
        ],
        "answer": "主页已保存到 ./output/143/index.html。",
    },
    "style-not-saved": {
        "why": "links a style sheet and a logo that were never written",
        "cells": [
            """
import os, pymupdf
os.makedirs("output/143", exist_ok=True)
text = "".join(f"<p>{line}</p>" for page in pymupdf.open("data/面壁智能.pdf") for line in page.get_text().splitlines())
open("output/143/index.html", "w").write(f"<!doctype html><html><head><meta charset='utf-8'><title>面壁智能</title><link rel='stylesheet' href='css/style.css'></head><body><img src='logo.png'><h1>面壁智能</h1><h2>产品</h2><h2>新闻</h2><h2>联系</h2><main>{text}</main></body></html>")
""",
        ],
        "answer": "主页已保存到 ./output/143/index.html。",
    },
}
