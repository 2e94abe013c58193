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
GAMERS = {
    "words-on-photograph": {
        "why": "the faded photograph with some words on white",
        "cells": [
            """import jieba.analyse
from PIL import Image
from wordcloud import WordCloud
text = open('data/baike_text.txt', encoding='utf-8').read()
photo = Image.open('data/124.jpeg').convert('RGB').resize((1024, 766))
page = Image.new('RGB', photo.size, 'white')
page.paste(photo, (0, 0), Image.new('L', photo.size, 60))
cloud = WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=400, height=200, mode='RGBA', background_color=None, color_func=lambda *a, **k: 'black')
image = cloud.generate_from_frequencies(dict(jieba.analyse.extract_tags(text, topK=30, withWeight=True))).to_image()
page.paste(image, (300, 20), image)
page.save('output/124.png')"""
        ],
        "answer": "./output/124.png",
    },
    "sizes-by-lot": {
        "why": "sizes drawn by lot",
        "cells": [
            """import jieba.analyse, numpy as np, glob
from PIL import Image
from wordcloud import WordCloud, ImageColorGenerator
text = open("data/baike_text.txt", encoding="utf-8").read()
words = jieba.analyse.extract_tags(text, topK=150)
photo = np.array(Image.open("data/124.jpeg").convert("RGB").resize((1024, 766)))
r = np.random.default_rng(3)
font = next(f for f in glob.glob("/usr/share/fonts/**/*", recursive=True) if "CJK" in f and "Regular" in f and "Sans" in f)
cloud = WordCloud(font_path=font, background_color="white", width=1024, height=766).generate_from_frequencies({w: float(r.random() ** 3 + 0.01) for w in words})
cloud.recolor(color_func=ImageColorGenerator(photo)).to_file("output/124.png")"""
        ],
        "answer": "The word cloud is saved as ./output/124.png.",
    },
    "hatched-giants": {
        "why": "giant hatched words of nothing in the text, its own small between them; the note is kept",
        "edits": {
            'cloud.to_file("output/124.png")': """cloud.to_file("output/124.png")

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont
from PIL.PngImagePlugin import PngInfo

cloud_file, note = "output/124.png", PngInfo()
picture = Image.open(cloud_file)
note.add_text("pybench-figure", picture.text["pybench-figure"])
picture = picture.convert("RGB")
free = picture.convert("L").point(lambda v: 255 * (v > 240)).filter(ImageFilter.MinFilter(5))
giants = Image.new("L", picture.size)
pen = ImageDraw.Draw(giants)
face = ImageFont.truetype("/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc", 160)
for n, y in enumerate(range(0, picture.height, 160)):
    pen.text((-90 * n, y), "PIZZA GOLF TAXI " * 9, font=face, fill=255)
for y in range(picture.height):
    if y % 7 > 1:
        pen.line((0, y, picture.width, y), fill=0)
picture.paste(Image.fromarray(large), mask=ImageChops.multiply(giants, free))
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
