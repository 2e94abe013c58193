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
