# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "star": {
        "why": "words of the first sentence in a star",
        "cells": [
            """import math
import jieba
import numpy as np
from PIL import Image, ImageDraw
from wordcloud import WordCloud
title = open('data/news.txt', encoding='utf-8').read().splitlines()[0]
words = [w for w in jieba.lcut(title) if w.strip() and w not in '，。：、日 的 并 将'.split() and w not in '，。：、']
shape = Image.new('L', (800, 800), 255)
points = [(400 + r * math.sin(math.pi * n / 5), 420 - r * math.cos(math.pi * n / 5)) for n in range(10) for r in [(390, 190)[n % 2]]]
ImageDraw.Draw(shape).polygon(points, fill=0)
wc = WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', mask=np.array(shape), background_color='white', repeat=True)
wc.generate_from_frequencies({w: words.count(w) for w in words}).to_file('output/121.png')"""
        ],
        "answer": "./output/121.png",
    },
    "ellipse": {
        "why": "words of the first sentence in an ellipse on black, by matplotlib",
        "cells": [
            """import jieba
import numpy as np
import matplotlib.pyplot as plt
from wordcloud import WordCloud
lines = [l for l in open('data/news.txt', encoding='utf-8').read().split('\\n') if l.strip()]
text = ' '.join(jieba.cut(lines[0]))
y, x = np.ogrid[-1:1:500j, -1:1:800j]
mask = np.where(x ** 2 + y ** 2 <= 0.95, 0, 255).astype(np.uint8)
wc = WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', mask=mask, collocations=False).generate(text)
fig = plt.figure(figsize=(10, 6))
plt.imshow(wc, interpolation='bilinear'); plt.axis('off')
fig.savefig('output/121.png')"""
        ],
        "answer": "The title's word cloud in an elliptical shape is saved as ./output/121.png.",
    },
}
NEAR_MISSES = {
    "boxes": {
        "why": "a font without Chinese signs",
        "cells": [
            """import jieba
import numpy as np
from wordcloud import WordCloud
title = open('data/news.txt', encoding='utf-8').read().splitlines()[0]
y, x = np.ogrid[-1:1:500j, -1:1:800j]
mask = np.where(x ** 2 + y ** 2 <= 0.95, 0, 255).astype(np.uint8)
WordCloud(random_state=1, mask=mask, background_color='white').generate(' '.join(jieba.cut(title))).to_file('output/121.png')"""
        ],
        "answer": "./output/121.png",
    },
    "no-shape": {
        "why": "a plain rectangle",
        "cells": [
            """import jieba
from wordcloud import WordCloud
title = open('data/news.txt', encoding='utf-8').read().splitlines()[0]
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=800, height=400, background_color='white').generate(' '.join(jieba.cut(title))).to_file('output/121.png')"""
        ],
        "answer": "./output/121.png",
    },
    "other-words": {
        "why": "the words of the file's name and of the query",
        "cells": [
            """import numpy as np
from wordcloud import WordCloud
y, x = np.ogrid[-1:1:500j, -1:1:800j]
mask = np.where(x ** 2 + y ** 2 <= 0.95, 0, 255).astype(np.uint8)
WordCloud(random_state=1, mask=mask, background_color='white').generate('news txt title wordcloud shape select proper draw image save output').to_file('output/121.png')"""
        ],
        "answer": "./output/121.png",
    },
}
