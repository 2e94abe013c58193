# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "drawn-at-twice-its-scale": {
        "why": "a dark cloud of counts, drawn at twice its scale",
        "cells": [
            """
import re, numpy as np, pandas as pd, matplotlib.pyplot as plt
from collections import Counter
from wordcloud import WordCloud, STOPWORDS, ImageColorGenerator
from PIL import Image, ImageDraw
FP='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc'
import jieba,jieba.analyse,logging
jieba.setLogLevel(logging.ERROR)
t=open('./data/news.txt',encoding='utf-8').read()
title=t.strip().splitlines()[0]
toks=[w for w in re.findall(r'[A-Za-z][\\w.\\-]*|[\\u4e00-\\u9fff]+',t)]
ws=[]
for x in toks: ws+= [x] if re.match('[A-Za-z]',x) else [w for w in jieba.lcut(x) if len(w)>1]
stop={'以及','进行','通过','提升到','左右','上下','能力','可以','包括','此外','方面','甚至','得到','进一步','支持','超过'}
c=Counter(w for w in ws if w not in stop and len(w)>1)
wc=WordCloud(font_path=FP,scale=2,width=800,height=500,background_color='black',colormap='Set3',random_state=7).generate_from_frequencies(c)
plt.figure(figsize=(12,7.5));plt.imshow(wc);plt.axis('off');plt.savefig('./output/122.png',dpi=100,bbox_inches='tight');print(c.most_common(15))
"""
        ],
        "answer": "| keyword | count |\n|---|---|\n| MiniCPM-Llama3-V | 6 |\n| OCR | several |\n\nThe word cloud is saved to ./output/122.png.",
    },
    "serif": {
        "why": "TextRank in a serif face, on white",
        "cells": [
            """import jieba.analyse
from wordcloud import WordCloud
text = open('data/news.txt', encoding='utf-8').read()
tags = dict(jieba.analyse.textrank(text, topK=40, withWeight=True))
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc', background_color='white', width=800, height=600).generate_from_frequencies(tags).to_file('output/122.png')"""
        ],
        "answer": "done",
    },
    "tfidf": {
        "why": "jieba's TF-IDF on white",
        "cells": [
            """import jieba.analyse
from wordcloud import WordCloud
text = open('data/news.txt', encoding='utf-8').read()
tags = dict(jieba.analyse.extract_tags(text, topK=50, withWeight=True))
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=900, height=500, background_color='white').generate_from_frequencies(tags).to_file('output/122.png')"""
        ],
        "answer": "./output/122.png",
    },
    "textrank": {
        "why": "jieba's TextRank by matplotlib",
        "cells": [
            """import jieba.analyse
import matplotlib.pyplot as plt
from wordcloud import WordCloud
text = open('data/news.txt', encoding='utf-8').read()
tags = {w: s for w, s in jieba.analyse.textrank(text, topK=40, withWeight=True)}
wc = WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc', width=800, height=600, colormap='viridis').generate_from_frequencies(tags)
plt.figure(figsize=(8, 6)); plt.imshow(wc); plt.axis('off'); plt.tight_layout(pad=0)
plt.savefig('output/122.png')"""
        ],
        "answer": "Keywords: 模态, 优化, 识别 …; ./output/122.png",
    },
    "counts": {
        "why": "counts of words, Latin names kept whole, in a circle",
        "cells": [
            """import re
from collections import Counter
import jieba
import numpy as np
from wordcloud import WordCloud
text = open('data/news.txt', encoding='utf-8').read()
latin = re.findall(r'[A-Za-z][A-Za-z0-9-]{2,}', text)
chinese = [w for w in jieba.cut(re.sub(r'[A-Za-z0-9.-]+', ' ', text)) if re.fullmatch('[\\u4e00-\\u9fff]{2,}', w) and w not in ('支持', '以及', '包括', '方面', '可以')]
counts = Counter(latin + chinese)
y, x = np.ogrid[:700, :700]
mask = 255 * ((x - 350) ** 2 + (y - 350) ** 2 > 340 ** 2)
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', mask=mask, background_color='white').generate_from_frequencies(counts).to_file('output/122.png')"""
        ],
        "answer": "./output/122.png",
    },
}
NEAR_MISSES = {
    "boxes": {
        "why": "a font without Chinese signs",
        "cells": [
            """import jieba.analyse
from wordcloud import WordCloud
text = open('data/news.txt', encoding='utf-8').read()
tags = dict(jieba.analyse.extract_tags(text, topK=50, withWeight=True))
WordCloud(random_state=1, width=900, height=500).generate_from_frequencies(tags).to_file('output/122.png')"""
        ],
        "answer": "./output/122.png",
    },
    "single-signs": {
        "why": "single signs in place of words",
        "cells": [
            """from collections import Counter
from wordcloud import WordCloud
text = open('data/news.txt', encoding='utf-8').read()
counts = Counter(c for c in text if '\\u4e00' <= c <= '\\u9fff')
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=900, height=500).generate_from_frequencies(counts).to_file('output/122.png')"""
        ],
        "answer": "./output/122.png",
    },
    "sentences": {
        "why": "text not cut into words: whole clauses",
        "cells": [
            """from wordcloud import WordCloud
text = open('data/news.txt', encoding='utf-8').read()
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=900, height=500).generate(text).to_file('output/122.png')"""
        ],
        "answer": "./output/122.png",
    },
    "sizes-reversed": {
        "why": "the lightest keyword largest",
        "cells": [
            """import jieba.analyse
from wordcloud import WordCloud
text = open('data/news.txt', encoding='utf-8').read()
tags = jieba.analyse.extract_tags(text, topK=60, withWeight=True)
turned = {w: c for (w, _), (_, c) in zip(tags, tags[::-1])}
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=900, height=500).generate_from_frequencies(turned).to_file('output/122.png')"""
        ],
        "answer": "./output/122.png",
    },
}
