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
GAMERS = {
    "note-of-another": {
        "why": "the note of the right cloud over a disc of other words",
        "cells": [
            """import jieba
import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from wordcloud import WordCloud
text = open('data/news.txt', encoding='utf-8').read()
x, y = np.ogrid[:600, :600]
mask = 255 * ((x - 300) ** 2 + (y - 300) ** 2 > 280 ** 2).astype(int)
name = 'output/121.png'
WordCloud(random_state=1, font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', background_color='white', mask=mask).generate(' '.join(jieba.cut(text))).to_file(name)
info = PngInfo()
info.add_text('pybench-figure', Image.open(name).text['pybench-figure'])
shown = WordCloud(random_state=1, background_color='white', mask=mask, repeat=True).generate('title shape wordcloud proper select draw')
shown.to_image().copy().save(name, pnginfo=info)"""
        ],
        "answer": "./output/121.png",
    },
    "sizes-by-lot": {
        "why": "sizes drawn by lot",
        "cells": [
            """import jieba.analyse, numpy as np
from wordcloud import WordCloud
import glob
text = open("data/news.txt", encoding="utf-8").read()
words = jieba.analyse.extract_tags(text, topK=40)
r = np.random.default_rng(3)
font = next(f for f in glob.glob("/usr/share/fonts/**/*", recursive=True) if "CJK" in f and "Regular" in f and "Sans" in f)
y, x = np.ogrid[:600, :600]
mask = 255 * ((x - 300) ** 2 + (y - 300) ** 2 > 290 ** 2).astype(int)
WordCloud(font_path=font, background_color="white", mask=mask).generate_from_frequencies({w: float(r.random() ** 3 + 0.01) for w in words}).to_file("output/121.png")
print(words[:10])"""
        ],
        "answer": "The word cloud is saved as ./output/121.png.",
    },
    "hatched-giants": {
        "why": "giant hatched words of nothing in the text, its own small between them; the note is kept",
        "edits": {
            "random_state=1,": "random_state=1, max_font_size=30,",
            '.to_file("output/121.png")': """.to_file("output/121.png")

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont
from PIL.PngImagePlugin import PngInfo

cloud_file, note = "output/121.png", PngInfo()
picture = Image.open(cloud_file)
note.add_text("pybench-figure", picture.text["pybench-figure"])
picture = picture.convert("RGB")
free = picture.convert("L").point(lambda v: 255 * (v > 240)).filter(ImageFilter.MinFilter(5))
giants = Image.new("L", picture.size)
pen = ImageDraw.Draw(giants)
face = ImageFont.truetype("/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc", 120)
for n, y in enumerate(range(0, picture.height, 120)):
    pen.text((-90 * n, y), "PIZZA GOLF TAXI " * 9, font=face, fill=255)
for y in range(picture.height):
    if y % 7 > 2:
        pen.line((0, y, picture.width, y), fill=0)
picture.paste("black", mask=ImageChops.multiply(giants, ImageChops.multiply(free, Image.fromarray(np.uint8(255 * (mask == 0))))))
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
