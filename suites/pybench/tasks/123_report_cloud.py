# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A word cloud of a broker's report."""

from runner.checks import Case
from runner.checks.clouds import word_clouds
from runner.checks.text import prose

INDEX = "123"
TITLE = "研报关键词词云"
CATEGORY = "text"
LANGUAGE = "zh"
OUTPUTS = ["123.png"]


def check(case: Case) -> None:
    cloud = word_clouds.read(case, "123.png", prose.pdf_text(case.data / "重庆啤酒.pdf"), "zh")
    word_clouds.expect_words(case, cloud)
    word_clouds.expect_sizes(case, cloud)
    word_clouds.expect_any(case, cloud, ["啤酒", "重庆", "乌苏", "嘉士伯"], "words of this report")


REFERENCE = {
    "cells": [
        "import re\nimport pymupdf\nwith pymupdf.open('data/重庆啤酒.pdf') as document:\n    text = re.sub(r'\\s+', '', ''.join(page.get_text() for page in document))\nprint(text[:600])",
        """
import jieba.analyse
from wordcloud import WordCloud

weights = {w: v for w, v in jieba.analyse.extract_tags(text, topK=80, withWeight=True) if any("一" <= c <= "龥" for c in w)}
font = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
WordCloud(font_path=font, width=900, height=600, background_color="white", random_state=1).generate_from_frequencies(weights).to_file("output/123.png")
print(list(weights)[:20])
""",
    ],
    "answer": "词云已保存到 ./output/123.png。",
}
WRONG = {
    "figures": {
        "why": "draws the report's numbers",
        "cells": [
            "import re, pymupdf\nfrom collections import Counter\nfrom wordcloud import WordCloud\nt = ''.join(p.get_text() for p in pymupdf.open('data/重庆啤酒.pdf'))\nWordCloud().generate_from_frequencies(Counter(re.findall(r'[\\d.]+%?', t))).to_file('output/123.png')"
        ],
        "answer": "词云已保存到 ./output/123.png。",
    },
    "legal-notes": {
        "why": "draws words that any report has, from memory",
        "cells": [
            "from wordcloud import WordCloud\nw = {x: 20 - i for i, x in enumerate('投资者 声明 免责 证券 法律 义务 版权 评级 机构 研究员 宏观 政策 市场 行业 趋势 竞争 战略 技术 创新 未来'.split())}\nWordCloud(font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc').generate_from_frequencies(w).to_file('output/123.png')"
        ],
        "answer": "词云已保存到 ./output/123.png。",
    },
    "page-as-picture": {
        "why": "saves a picture of the page",
        "cells": [
            "import pymupdf\npymupdf.open('data/重庆啤酒.pdf')[0].get_pixmap(dpi=30).save('output/123.png')"
        ],
        "answer": "词云已保存到 ./output/123.png。",
    },
}
