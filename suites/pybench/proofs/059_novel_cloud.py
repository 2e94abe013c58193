# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "tfidf": {
        "why": "jieba's TF-IDF weights, saved by Pillow",
        "cells": [
            """import jieba.analyse
from wordcloud import WordCloud
raw = open('data/如懿传.txt', 'rb').read()
for code in ('utf-8', 'gb18030', 'utf-16'):
    try:
        text = raw.decode(code)
        break
    except UnicodeDecodeError:
        pass
tags = dict(jieba.analyse.extract_tags(text, topK=120, withWeight=True))
wc = WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=1000, height=600, background_color='white')
wc.generate_from_frequencies(tags).to_image().save('output/59.txt', format='PNG')"""
        ],
        "answer": "词云已保存到 ./output/59.txt（PNG 格式）。",
    },
    "counts": {
        "why": "counts of words of two signs and more on black, by matplotlib, also saved as .png",
        "cells": [
            """import shutil
from collections import Counter
import jieba
import matplotlib.pyplot as plt
from wordcloud import WordCloud
text = open('data/如懿传.txt', encoding='utf-8', errors='ignore').read()
stop = set('什么 如何 自己 这样 一个 没有 不是 知道 起来 不过 只是 如今 便是 可是 怎么 还是 就是 这个 那么 但是 一声 他们 我们 你们'.split())
counts = Counter(w for w in jieba.cut(text) if len(w) > 1 and w not in stop and '\\u4e00' <= w[0] <= '\\u9fff')
wc = WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc', width=1200, height=800).generate_from_frequencies(dict(counts.most_common(100)))
plt.figure(figsize=(12, 8))
plt.imshow(wc)
plt.axis('off')
plt.savefig('output/59.png')
shutil.copy('output/59.png', 'output/59.txt')"""
        ],
        "answer": "小说中出现最多的是皇上、皇后、如懿等，词云已保存。",
    },
}
NEAR_MISSES = {
    "boxes": {
        "why": "a font without Chinese signs",
        "cells": [
            """import jieba.analyse
from wordcloud import WordCloud
text = open('data/如懿传.txt', encoding='utf-8', errors='ignore').read()
tags = dict(jieba.analyse.extract_tags(text[:600000], topK=120, withWeight=True))
WordCloud(random_state=1, width=1000, height=600).generate_from_frequencies(tags).to_image().save('output/59.txt', format='PNG')"""
        ],
        "answer": "./output/59.txt",
    },
    "single-signs": {
        "why": "single signs in place of words",
        "cells": [
            """from collections import Counter
from wordcloud import WordCloud
text = open('data/如懿传.txt', encoding='utf-8', errors='ignore').read()
counts = Counter(c for c in text if '\\u4e00' <= c <= '\\u9fff')
wc = WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=1000, height=600)
wc.generate_from_frequencies(dict(counts.most_common(100))).to_image().save('output/59.txt', format='PNG')"""
        ],
        "answer": "./output/59.txt",
    },
    "sizes-reversed": {
        "why": "the lightest keyword largest",
        "cells": [
            """import jieba.analyse
from wordcloud import WordCloud
text = open('data/如懿传.txt', encoding='utf-8', errors='ignore').read()
tags = jieba.analyse.extract_tags(text[:900000], topK=120, withWeight=True)
turned = {w: c for (w, _), (_, c) in zip(tags, tags[::-1])}
wc = WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=1000, height=600)
wc.generate_from_frequencies(turned).to_image().save('output/59.txt', format='PNG')"""
        ],
        "answer": "./output/59.txt",
    },
    "keywords-as-text": {
        "why": "keywords and weights written as text",
        "cells": [
            """import jieba.analyse
text = open('data/如懿传.txt', encoding='utf-8', errors='ignore').read()
with open('output/59.txt', 'w') as f:
    for w, c in jieba.analyse.extract_tags(text[:900000], topK=120, withWeight=True):
        print(w, c, file=f)"""
        ],
        "answer": "./output/59.txt",
    },
}
