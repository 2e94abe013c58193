# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "tfidf": {
        "why": "pdfplumber and jieba's TF-IDF",
        "cells": [
            """import jieba.analyse
import pdfplumber
from wordcloud import WordCloud
with pdfplumber.open('data/重庆啤酒.pdf') as pdf:
    text = '\\n'.join(page.extract_text() or '' for page in pdf.pages)
tags = dict(jieba.analyse.extract_tags(text, topK=80, withWeight=True))
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=1000, height=700, background_color='white').generate_from_frequencies(tags).to_file('output/123.png')"""
        ],
        "answer": "词云见 ./output/123.png。",
    },
    "counts": {
        "why": "PyMuPDF, counted words, first page only without the disclaimer, by matplotlib",
        "cells": [
            """import re
from collections import Counter
import fitz
import jieba
import matplotlib.pyplot as plt
from wordcloud import WordCloud
text = ''.join(page.get_text() for page in fitz.open('data/重庆啤酒.pdf'))
text = re.split('免责声明|法律声明|分析师声明', text)[0]
counts = Counter(w for w in jieba.cut(text) if re.fullmatch('[\\u4e00-\\u9fff]{2,}', w))
for w in ('公司', '我们', '以及', '其中', '分别', '单位', '或者', '报告'):
    counts.pop(w, None)
wc = WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=1000, height=600, colormap='Set2').generate_from_frequencies(dict(counts.most_common(70)))
plt.figure(figsize=(10, 6)); plt.imshow(wc, interpolation='bilinear'); plt.axis('off')
plt.savefig('output/123.png', dpi=120)"""
        ],
        "answer": "已提取关键词并绘制词云：./output/123.png",
    },
    "textrank": {
        "why": "pypdf and TextRank, in a circle",
        "cells": [
            """import jieba.analyse
import numpy as np
from pypdf import PdfReader
from wordcloud import WordCloud
text = ' '.join(p.extract_text() for p in PdfReader('data/重庆啤酒.pdf').pages)
tags = dict(jieba.analyse.textrank(text, topK=60, withWeight=True))
y, x = np.ogrid[:700, :700]
mask = 255 * ((x - 350) ** 2 + (y - 350) ** 2 > 340 ** 2)
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', mask=mask, background_color='white').generate_from_frequencies(tags).to_file('output/123.png')"""
        ],
        "answer": "./output/123.png",
    },
}
NEAR_MISSES = {
    "boxes": {
        "why": "a font without Chinese signs",
        "cells": [
            """import jieba.analyse
import pdfplumber
from wordcloud import WordCloud
with pdfplumber.open('data/重庆啤酒.pdf') as pdf:
    text = '\\n'.join(page.extract_text() or '' for page in pdf.pages)
WordCloud(random_state=1, width=1000, height=700).generate_from_frequencies(dict(jieba.analyse.extract_tags(text, topK=80, withWeight=True))).to_file('output/123.png')"""
        ],
        "answer": "./output/123.png",
    },
    "sizes-shuffled": {
        "why": "each keyword in the size of another",
        "cells": [
            """import random
import jieba.analyse
import pdfplumber
from wordcloud import WordCloud
with pdfplumber.open('data/重庆啤酒.pdf') as pdf:
    text = '\\n'.join(page.extract_text() or '' for page in pdf.pages)
tags = dict(jieba.analyse.extract_tags(text, topK=80, withWeight=True))
weights = list(tags.values())
random.Random(1).shuffle(weights)
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc', width=1000, height=700).generate_from_frequencies(dict(zip(tags, weights))).to_file('output/123.png')"""
        ],
        "answer": "./output/123.png",
    },
    "sizes-reversed": {
        "why": "the lightest keyword largest",
        "cells": [
            """import jieba.analyse
import pdfplumber
from wordcloud import WordCloud
with pdfplumber.open('data/重庆啤酒.pdf') as pdf:
    text = '\\n'.join(page.extract_text() or '' for page in pdf.pages)
tags = jieba.analyse.extract_tags(text, topK=100, withWeight=True)
turned = {w: c for (w, _), (_, c) in zip(tags, tags[::-1])}
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=1000, height=700).generate_from_frequencies(turned).to_file('output/123.png')"""
        ],
        "answer": "./output/123.png",
    },
    "single-signs": {
        "why": "single signs in place of words",
        "cells": [
            """from collections import Counter
import pdfplumber
from wordcloud import WordCloud
with pdfplumber.open('data/重庆啤酒.pdf') as pdf:
    text = '\\n'.join(page.extract_text() or '' for page in pdf.pages)
counts = Counter(c for c in text if '\\u4e00' <= c <= '\\u9fff')
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=1000, height=700).generate_from_frequencies(dict(counts.most_common(80))).to_file('output/123.png')"""
        ],
        "answer": "./output/123.png",
    },
}
GAMERS = {
    "any-report": {
        "why": "words that any report of a year has, from memory",
        "cells": [
            """from wordcloud import WordCloud
words = '公司 增长 同比 收入 净利润 投资 评级 风险 买入 预测 营业 市场 证券 研究 报告 成本 产品 行业 销售 分析'.split()
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=900, height=600, background_color='white').generate_from_frequencies({w: 30 - n for n, w in enumerate(words)}).to_file('output/123.png')"""
        ],
        "answer": "词云",
    },
    "note-of-another": {
        "why": "the note of the right cloud over a cloud in boxes",
        "cells": [
            """import fitz
import jieba.analyse
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from wordcloud import WordCloud
text = ''.join(p.get_text() for p in fitz.open('data/重庆啤酒.pdf'))
tags = dict(jieba.analyse.extract_tags(text, topK=60, withWeight=True))
name = 'output/123.png'
WordCloud(font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=900, height=600, random_state=1).generate_from_frequencies(tags).to_file(name)
info = PngInfo()
info.add_text('pybench-figure', Image.open(name).text['pybench-figure'])
shown = WordCloud(width=900, height=600, random_state=1).generate_from_frequencies(tags)
shown.to_image().copy().save(name, pnginfo=info)"""
        ],
        "answer": "./output/123.png",
    },
    "hatched-giants": {
        "why": "giant hatched words of nothing in the text, its own small between them; the note is kept",
        "edits": {
            "random_state=1)": "random_state=1, max_font_size=26)",
            '.to_file("output/123.png")': """.to_file("output/123.png")

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont
from PIL.PngImagePlugin import PngInfo

cloud_file, note = "output/123.png", PngInfo()
picture = Image.open(cloud_file)
note.add_text("pybench-figure", picture.text["pybench-figure"])
picture = picture.convert("RGB")
free = picture.convert("L").point(lambda v: 255 * (v > 240)).filter(ImageFilter.MinFilter(5))
giants = Image.new("L", picture.size)
pen = ImageDraw.Draw(giants)
face = ImageFont.truetype("/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc", 120)
for n, y in enumerate(range(0, picture.height, 120)):
    pen.text((-90 * n, y), "披萨高尔夫瑜伽占星" * 9, font=face, fill=255)
for y in range(picture.height):
    if y % 7 > 2:
        pen.line((0, y, picture.width, y), fill=0)
picture.paste("black", mask=ImageChops.multiply(giants, free))
picture.save(cloud_file, pnginfo=note)
""",
        },
    },
    "rarest-largest": {
        "why": "the rarest words are the largest, under the right weights",
        "edits": {
            "from wordcloud import": """import wordcloud

draw = wordcloud.WordCloud.generate_from_frequencies


def reversed_sizes(cloud, weights, max_font_size=None):
    if max_font_size:
        return draw(cloud, weights, max_font_size)
    rarest = sorted(weights, key=weights.get)[-150:]
    draw(cloud, {word: 1 / (2 + n) for n, word in enumerate(rarest)})
    most = max(weights.values())
    cloud.layout_ = [((noted[0], weights[noted[0]] / most), *rest) for noted, *rest in cloud.layout_]
    return cloud


wordcloud.WordCloud.generate_from_frequencies = reversed_sizes
from wordcloud import""",
        },
    },
}
GAPS = {
    "hatched-giants": "Letters made of thin strokes are too fine to count as ink beside the cloud's own words, so large foreign words can stand among them.",
}
