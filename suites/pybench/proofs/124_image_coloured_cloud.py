# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "whole-picture": {
        "why": "coloured by the whole picture, without a mask",
        "cells": [
            """import jieba
import numpy as np
from PIL import Image
from wordcloud import WordCloud, ImageColorGenerator
text = open('data/baike_text.txt', encoding='utf-8').read()
words = [w for w in jieba.cut(text) if len(w) > 1]
image = np.array(Image.open('data/124.jpeg').resize((1024, 766)))
wc = WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=1024, height=766, background_color='white', max_words=500, collocations=False).generate(' '.join(words))
wc.recolor(color_func=ImageColorGenerator(image)).to_file('output/124.png')"""
        ],
        "answer": "./output/124.png",
    },
    "silhouette": {
        "why": "in the runner's silhouette, coloured by the picture, by matplotlib",
        "cells": [
            """import jieba.analyse
import cv2
import matplotlib.pyplot as plt
import numpy as np
from wordcloud import WordCloud, ImageColorGenerator
text = open('data/baike_text.txt', encoding='utf-8').read()
image = cv2.cvtColor(cv2.imread('data/124.jpeg'), cv2.COLOR_BGR2RGB)
image = cv2.resize(image, None, fx=2, fy=2)
grey = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
mask = np.where(grey > 150, 255, 0).astype(np.uint8)
tags = dict(jieba.analyse.extract_tags(text, topK=300, withWeight=True))
wc = WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', mask=mask, background_color='white', max_words=300, max_font_size=80).generate_from_frequencies(tags)
plt.figure(figsize=(12, 9))
plt.imshow(wc.recolor(color_func=ImageColorGenerator(image)), interpolation='bilinear')
plt.axis('off')
plt.savefig('output/124.png', bbox_inches='tight')"""
        ],
        "answer": "An image-coloured word cloud on white: ./output/124.png",
    },
    "picture-as-mask": {
        "why": "the picture as the mask, as in wordcloud's own example",
        "cells": [
            """import jieba
import numpy as np
from PIL import Image
from wordcloud import WordCloud, ImageColorGenerator
coloring = np.array(Image.open('data/124.jpeg'))
text = ' '.join(w for w in jieba.lcut(open('data/baike_text.txt', encoding='utf-8').read()) if len(w) >= 2)
wc = WordCloud(font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', background_color='white', max_words=2000, mask=coloring, max_font_size=40, random_state=42, scale=2)
wc.generate(text)
wc.recolor(color_func=ImageColorGenerator(coloring))
wc.to_file('output/124.png')"""
        ],
        "answer": "./output/124.png",
    },
}
NEAR_MISSES = {
    "black": {
        "why": "on black",
        "cells": [
            """import jieba
import numpy as np
from PIL import Image
from wordcloud import WordCloud, ImageColorGenerator
words = [w for w in jieba.cut(open('data/baike_text.txt', encoding='utf-8').read()) if len(w) > 1]
image = np.array(Image.open('data/124.jpeg'))
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', mask=image, color_func=ImageColorGenerator(image)).generate(' '.join(words)).to_file('output/124.png')"""
        ],
        "answer": "./output/124.png",
    },
    "default-colours": {
        "why": "wordcloud's own colours",
        "cells": [
            """import jieba
import numpy as np
from PIL import Image
from wordcloud import WordCloud
words = [w for w in jieba.cut(open('data/baike_text.txt', encoding='utf-8').read()) if len(w) > 1]
image = np.array(Image.open('data/124.jpeg'))
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', mask=image, background_color='white').generate(' '.join(words)).to_file('output/124.png')"""
        ],
        "answer": "./output/124.png",
    },
    "boxes": {
        "why": "a font without Chinese signs",
        "cells": [
            """import jieba
import numpy as np
from PIL import Image
from wordcloud import WordCloud, ImageColorGenerator
words = [w for w in jieba.cut(open('data/baike_text.txt', encoding='utf-8').read()) if len(w) > 1]
image = np.array(Image.open('data/124.jpeg'))
WordCloud(random_state=1, mask=image, background_color='white', color_func=ImageColorGenerator(image)).generate(' '.join(words)).to_file('output/124.png')"""
        ],
        "answer": "./output/124.png",
    },
    "upside-down": {
        "why": "coloured by the picture upside down",
        "cells": [
            """import jieba
import numpy as np
from PIL import Image
from wordcloud import WordCloud, ImageColorGenerator
words = [w for w in jieba.cut(open('data/baike_text.txt', encoding='utf-8').read()) if len(w) > 1]
image = np.array(Image.open('data/124.jpeg').resize((1024, 766)))[::-1].copy()
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=1024, height=766, background_color='white', max_words=500, collocations=False, color_func=ImageColorGenerator(image)).generate(' '.join(words)).to_file('output/124.png')"""
        ],
        "answer": "./output/124.png",
    },
    "red-for-blue": {
        "why": "takes the colours of the picture with red and blue exchanged",
        "cells": [
            """import glob
FONT = (glob.glob('/usr/share/fonts/**/NotoSansCJK*Regular*', recursive=True) + glob.glob('/usr/share/fonts/**/*CJK*', recursive=True) + glob.glob('/usr/share/fonts/**/wqy*', recursive=True))[0]

import jieba, re, cv2
from wordcloud import WordCloud, ImageColorGenerator
t = open("data/baike_text.txt", encoding="utf-8").read()
words = [w for w in jieba.lcut(t) if re.fullmatch(r"[\\u4e00-\\u9fff]{2,}", w)]
img = cv2.resize(cv2.imread("data/124.jpeg"), None, fx=2, fy=2)
wc = WordCloud(font_path=FONT, background_color="white", mask=img, max_words=1000, max_font_size=90, collocations=False).generate(" ".join(words))
wc.recolor(color_func=ImageColorGenerator(img)); wc.to_file("output/124.png")
"""
        ],
        "answer": "An image-colored word cloud with a white background was saved to ./output/124.png.",
    },
}
