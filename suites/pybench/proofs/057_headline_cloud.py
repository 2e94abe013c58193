# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "circle": {
        "why": "a circle by numpy, shown by matplotlib",
        "cells": [
            """import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from wordcloud import WordCloud
df = pd.read_csv('data/business_data.csv')
x, y = np.ogrid[:600, :600]
mask = 255 * ((x - 300) ** 2 + (y - 300) ** 2 > 280 ** 2).astype(int)
wc = WordCloud(random_state=1, background_color='white', mask=mask, max_words=200).generate(' '.join(df['headlines'].dropna()))
plt.figure(figsize=(8, 8))
plt.imshow(wc)
plt.axis('off')
plt.savefig('output/57.png', dpi=150, bbox_inches='tight')"""
        ],
        "answer": "./output/57.png",
    },
    "rupee-coin-diamond": {
        "why": "a diamond on black, counted by hand",
        "cells": [
            """import re
from collections import Counter
import numpy as np
import pandas as pd
from PIL import Image, ImageDraw
from wordcloud import WordCloud, STOPWORDS
titles = pd.read_csv('data/business_data.csv')['headlines'].dropna().str.lower()
words = Counter(w for t in titles for w in re.findall(r"[a-z]{3,}", t) if w not in STOPWORDS)
shape = Image.new('L', (800, 800), 255)
ImageDraw.Draw(shape).polygon([(400, 10), (790, 400), (400, 790), (10, 400)], fill=0)
WordCloud(random_state=1, mask=np.array(shape), colormap='autumn', background_color='black').generate_from_frequencies(words).to_file('output/57.png')"""
        ],
        "answer": "A diamond-shaped word cloud of the headlines is saved.",
    },
    "bag-with-outline": {
        "why": "a briefcase with an outline around it",
        "cells": [
            """import numpy as np
import pandas as pd
from PIL import Image, ImageDraw
from wordcloud import WordCloud
text = pd.read_csv('data/business_data.csv')['headlines'].str.cat(sep=' ')
shape = Image.new('L', (900, 750), 255)
pen = ImageDraw.Draw(shape)
pen.rounded_rectangle((40, 220, 860, 720), 60, fill=0)
pen.rectangle((300, 80, 600, 220), fill=0)
pen.rectangle((360, 140, 540, 220), fill=255)
wc = WordCloud(random_state=1, mask=np.array(shape), background_color='white', contour_width=3, contour_color='steelblue', max_words=150)
wc.generate(text)
wc.to_file('output/57.png')"""
        ],
        "answer": "I chose a briefcase, as these are business headlines.",
    },
    "rising-bars": {
        "why": "in the shape of three rising bars",
        "cells": [
            """import csv, re, collections, numpy as np, matplotlib.pyplot as plt
from PIL import Image, ImageDraw
from wordcloud import WordCloud, STOPWORDS
csv.field_size_limit(10**8)
words = collections.Counter()
with open("data/business_data.csv", encoding="utf-8", newline="") as f:
    for r in csv.DictReader(f):
        for w in re.findall(r"[A-Za-z][A-Za-z&']{2,}", r["headlines"]):
            w = w.lower()
            if w not in STOPWORDS: words[w] += 1
im = Image.new("L", (1000, 1000), 255); d = ImageDraw.Draw(im)
for k, h in enumerate((420, 620, 900)): d.rectangle([60+k*310, 980-h, 60+k*310+270, 980], fill=0)
d.polygon([(680, 190), (815, 10), (950, 190)], fill=0)
wc = WordCloud(mask=np.array(im), background_color="#101820", colormap="YlOrRd", max_words=300).generate_from_frequencies(words)
plt.figure(figsize=(10, 10)); plt.imshow(wc, interpolation="bilinear"); plt.axis("off"); plt.savefig("output/57.png", dpi=100); print(words.most_common(10))
"""
        ],
        "answer": "As the data is business news I chose a growing bar chart with an arrow as the shape. The words come from the titles (`headlines`); picture: ./output/57.png.",
    },
}
NEAR_MISSES = {
    "descriptions": {
        "why": "the descriptions in place of the titles",
        "cells": [
            """import numpy as np
import pandas as pd
from wordcloud import WordCloud
df = pd.read_csv('data/business_data.csv')
x, y = np.ogrid[:600, :600]
mask = 255 * ((x - 300) ** 2 + (y - 300) ** 2 > 280 ** 2).astype(int)
WordCloud(random_state=1, background_color='white', mask=mask).generate(' '.join(df['description'].dropna())).to_file('output/57.png')"""
        ],
        "answer": "./output/57.png",
    },
    "content": {
        "why": "the articles in place of the titles",
        "cells": [
            """import numpy as np
import pandas as pd
from wordcloud import WordCloud
df = pd.read_csv('data/business_data.csv')
x, y = np.ogrid[:600, :600]
mask = 255 * ((x - 300) ** 2 + (y - 300) ** 2 > 280 ** 2).astype(int)
WordCloud(random_state=1, background_color='white', mask=mask).generate(' '.join(df['content'].dropna())).to_file('output/57.png')"""
        ],
        "answer": "./output/57.png",
    },
    "no-shape": {
        "why": "a plain rectangle",
        "cells": [
            """import pandas as pd
from wordcloud import WordCloud
df = pd.read_csv('data/business_data.csv')
WordCloud(random_state=1, width=800, height=400, background_color='white').generate(' '.join(df['headlines'].dropna())).to_file('output/57.png')"""
        ],
        "answer": "./output/57.png",
    },
    "sizes-reversed": {
        "why": "the rarest of two hundred words largest",
        "cells": [
            """import numpy as np
import pandas as pd
from wordcloud import WordCloud
df = pd.read_csv('data/business_data.csv')
x, y = np.ogrid[:600, :600]
mask = 255 * ((x - 300) ** 2 + (y - 300) ** 2 > 280 ** 2).astype(int)
counts = sorted(WordCloud().process_text(' '.join(df['headlines'].dropna())).items(), key=lambda i: -i[1])[:200]
turned = {w: c for (w, _), (_, c) in zip(counts, counts[::-1])}
WordCloud(random_state=1, background_color='white', mask=mask).generate_from_frequencies(turned).to_file('output/57.png')"""
        ],
        "answer": "./output/57.png",
    },
}
