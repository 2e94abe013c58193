# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "few-rules": {
        "why": "a style sheet of two rules",
        "cells": [
            "import pymupdf\nfrom html import escape\nfrom pathlib import Path\nPath('output/143').mkdir(parents=True, exist_ok=True)\nlines = [l.strip() for p in pymupdf.open('data/面壁智能.pdf') for l in p.get_text().splitlines() if l.strip()]\nthird = len(lines) // 3 + 1\nparts = ''.join(f'<section><h2>Part {k + 1}</h2>' + ''.join(f'<p>{escape(l)}</p>' for l in lines[k * third : (k + 1) * third]) + '</section>' for k in range(3))\ncss = 'body { font-family: sans-serif; max-width: 50em; margin: 0 auto } h2 { color: #335 }'\nPath('output/143/style.css').write_text(css)\nPath('output/143/index.html').write_text(f'''<!doctype html><html><head><meta charset=\"utf-8\"><title>面壁智能</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><header><h1>面壁智能</h1></header>{parts}<footer><h3>Contact and sources</h3></footer></body></html>''')"
        ],
        "answer": "The site is ./output/143/index.html.",
    },
    "two-pages": {
        "why": "most of the text on a second page",
        "cells": [
            "import pymupdf\nfrom html import escape\nfrom pathlib import Path\nPath('output/143').mkdir(parents=True, exist_ok=True)\nlines = [l.strip() for p in pymupdf.open('data/面壁智能.pdf') for l in p.get_text().splitlines() if l.strip()]\nthird = len(lines) // 3 + 1\nfirst, *rest = [f'<section><h2>Part {k + 1}</h2>' + ''.join(f'<p>{escape(l)}</p>' for l in lines[k * third : (k + 1) * third]) + '</section>' for k in range(3)]\nparts = first + '<a href=\"more.html\">More</a>'\ncss = 'body { font-family: sans-serif; margin: 0 } header { padding: 2rem } h1 { margin: 0 } h2 { margin: 1rem } section { padding: 1rem } p { margin: .2rem } footer { padding: 1rem } h3 { margin: 0 } body { background: #10141c; color: #e8ecf3 }'\nPath('output/143/style.css').write_text(css)\nPath('output/143/index.html').write_text(f'''<!doctype html><html><head><meta charset=\"utf-8\"><title>面壁智能</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><header><h1>面壁智能</h1></header>{parts}<footer><h3>Contact and sources</h3></footer></body></html>''')\nPath('output/143/more.html').write_text('<!doctype html><html><head><meta charset=\"utf-8\"><title>More</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><main>' + ''.join(rest) + '</main></body></html>')"
        ],
        "answer": "The site is ./output/143/index.html.",
    },
    "dark-sheet": {
        "why": "a dark page with a style sheet of its own",
        "cells": [
            "import pymupdf\nfrom html import escape\nfrom pathlib import Path\nPath('output/143').mkdir(parents=True, exist_ok=True)\nlines = [l.strip() for p in pymupdf.open('data/面壁智能.pdf') for l in p.get_text().splitlines() if l.strip()]\nthird = len(lines) // 3 + 1\nparts = ''.join(f'<section><h2>Part {k + 1}</h2>' + ''.join(f'<p>{escape(l)}</p>' for l in lines[k * third : (k + 1) * third]) + '</section>' for k in range(3))\ncss = 'body { font-family: sans-serif; margin: 0 } header { padding: 2rem } h1 { margin: 0 } h2 { margin: 1rem } section { padding: 1rem } p { margin: .2rem } footer { padding: 1rem } h3 { margin: 0 } body { background: #10141c; color: #e8ecf3 }'\nPath('output/143/style.css').write_text(css)\nPath('output/143/index.html').write_text(f'''<!doctype html><html><head><meta charset=\"utf-8\"><title>面壁智能</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><header><h1>面壁智能</h1></header>{parts}<footer><h3>Contact and sources</h3></footer></body></html>''')",
        ],
        "answer": "The site is ./output/143/index.html.",
    },
    "white-on-gradient": {
        "why": "white headings on a gradient, text in cards",
        "cells": [
            "import pymupdf\nfrom html import escape\nfrom pathlib import Path\nPath('output/143').mkdir(parents=True, exist_ok=True)\nlines = [l.strip() for p in pymupdf.open('data/面壁智能.pdf') for l in p.get_text().splitlines() if l.strip()]\nthird = len(lines) // 3 + 1\nparts = ''.join(f'<section><h2>Part {k + 1}</h2>' + ''.join(f'<p>{escape(l)}</p>' for l in lines[k * third : (k + 1) * third]) + '</section>' for k in range(3))\ncss = 'body { font-family: sans-serif; margin: 0 } header { padding: 2rem } h1 { margin: 0 } h2 { margin: 1rem } section { padding: 1rem } p { margin: .2rem } footer { padding: 1rem } h3 { margin: 0 } header { background: linear-gradient(90deg, #234, #68a); color: #fff } section { background: #f4f6fa; border-radius: 8px }'\nPath('output/143/style.css').write_text(css)\nPath('output/143/index.html').write_text(f'''<!doctype html><html><head><meta charset=\"utf-8\"><title>面壁智能</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><header><h1>面壁智能</h1></header>{parts}<footer><h3>Contact and sources</h3></footer></body></html>''')",
        ],
        "answer": "The site is ./output/143/index.html.",
    },
}
NEAR_MISSES = {
    "invented-address": {
        "why": "addresses at modelbest.com instead of .cn",
        "cells": [
            r"""
import os
os.makedirs('output/143', exist_ok=True)
for name, text in {'index.html': '<!DOCTYPE html><html lang="zh-CN"><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>面壁智能 ModelBest</title>\n<style>body{margin:0;font-family:"PingFang SC","Microsoft YaHei",sans-serif;color:#223}nav{position:sticky;top:0;display:flex;gap:2em;padding:1em 6vw;background:#fff;box-shadow:0 1px 6px #0002}\nnav b{margin-right:auto}nav a{color:#345;text-decoration:none}.hero{padding:7em 6vw;color:#fff;background:linear-gradient(120deg,#0a2a6b,#5a2fd0)}section{padding:4em 6vw}\n.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(240px,1fr));gap:1.5em}.box{border:1px solid #e2e6f0;border-radius:12px;padding:1.5em}footer{background:#10182c;color:#9ab;padding:2em 6vw}</style></head>\n<body><nav><b>面壁智能</b><a href="#home">首页</a><a href="#products">核心产品</a><a href="#about">关于我们</a><a href="#join">加入我们</a></nav>\n<div class="hero" id="home"><h1>面壁智能</h1><p>创新技术驱动\u3000追求卓越\u3000成就客户</p></div>\n<section id="products"><h2>核心产品</h2><div class="grid"><div class="box"><h3>ModelForce</h3><p>全流程大模型高效加速平台，内置大模型训练、微调、压缩、推理全流程高效计算工具体系；标准化微调方式 + 零代码微调客户端，大幅降低数据标注成本、算力成本、人力成本。</p></div>\n<div class="box"><h3>CPM 大模型企业版</h3><p>面壁 CPM 大模型，面向企业场景。</p></div></div></section>\n<section id="about"><h2>关于我们</h2><p>公司发展 · 新闻中心 · 面壁团队。各行各业企业与机构的选择。</p></section>\n<section id="join"><h2>联系我们 / 加入我们</h2><ul><li><b>商务合作</b> <a href=\'mailto:business@modelbest.com\'>business@modelbest.com</a></li><li><b>简历投递</b> <a href=\'mailto:career@modelbest.com\'>career@modelbest.com</a></li><li><b>媒体合作</b> <a href=\'mailto:pr@modelbest.com\'>pr@modelbest.com</a></li><li><b>投融资</b> <a href=\'mailto:ir@modelbest.com\'>ir@modelbest.com</a></li></ul></section>\n<footer>© 2023 面壁智能 版权所有\u3000京ICP备2023004350号-1\u3000京公网安备 11010802040079</footer></body></html>'}.items():
    open('output/143/' + name, 'w', encoding='utf-8').write(text)
"""
        ],
        "answer": "主页已生成。",
    },
    "another-name": {
        "why": "titled and headed by another name",
        "cells": [
            "import pymupdf\nfrom html import escape\nfrom pathlib import Path\nPath('output/143').mkdir(parents=True, exist_ok=True)\nlines = [l.strip() for p in pymupdf.open('data/面壁智能.pdf') for l in p.get_text().splitlines() if l.strip()]\nthird = len(lines) // 3 + 1\nparts = ''.join(f'<section><h2>Part {k + 1}</h2>' + ''.join(f'<p>{escape(l)}</p>' for l in [] * k or lines[:0][k * third : (k + 1) * third]) + '</section>' for k in range(3))\ncss = 'body { font-family: sans-serif; margin: 0 } header { padding: 2rem } h1 { margin: 0 } h2 { margin: 1rem } section { padding: 1rem } p { margin: .2rem } footer { padding: 1rem } h3 { margin: 0 } '\nPath('output/143/style.css').write_text(css)\nPath('output/143/index.html').write_text(f'''<!doctype html><html><head><meta charset=\"utf-8\"><title>Ada Lovelace</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><header><h1>Ada Lovelace</h1></header>{parts}<footer><h3>Contact and sources</h3></footer></body></html>''')",
        ],
        "answer": "The site is ./output/143/index.html.",
    },
    "first-lines-only": {
        "why": "the first lines alone",
        "cells": [
            "import pymupdf\nfrom html import escape\nfrom pathlib import Path\nPath('output/143').mkdir(parents=True, exist_ok=True)\nlines = [l.strip() for p in pymupdf.open('data/面壁智能.pdf') for l in p.get_text().splitlines() if l.strip()]\nlines = lines[:2]\nthird = 1\nparts = ''.join(f'<section><h2>Part {k + 1}</h2>' + ''.join(f'<p>{escape(l)}</p>' for l in lines[k * third : (k + 1) * third]) + '</section>' for k in range(3))\ncss = 'body { font-family: sans-serif; margin: 0 } header { padding: 2rem } h1 { margin: 0 } h2 { margin: 1rem } section { padding: 1rem } p { margin: .2rem } footer { padding: 1rem } h3 { margin: 0 } '\nPath('output/143/style.css').write_text(css)\nPath('output/143/index.html').write_text(f'''<!doctype html><html><head><meta charset=\"utf-8\"><title>面壁智能</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><header><h1>面壁智能</h1></header>{parts}<footer><h3>Contact and sources</h3></footer></body></html>''')",
        ],
        "answer": "The site is ./output/143/index.html.",
    },
}
