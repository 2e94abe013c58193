# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "plain-colormaps": {
        "why": "the commonest way: generate() of each label's text with the colormaps Blues and Reds",
        "cells": [
            """
import pandas as pd, numpy as np
from wordcloud import WordCloud, STOPWORDS
d = pd.read_csv("data/moviereviews2.csv").dropna(); stop = STOPWORDS | {"movie", "film", "br", "one", "movies", "films"}

for lab, cm in (("pos", "Blues"), ("neg", "Reds")):
    WordCloud(width=900, height=600, background_color="white", colormap=cm, stopwords=stop, random_state=1).generate(" ".join(d[d.label == lab].review)).to_file(f"output/52_{lab}.png")
"""
        ],
        "answer": "The word clouds for the positive (blue) and negative (red) reviews are saved as ./output/52_pos.png and ./output/52_neg.png.",
    },
    "tfidf": {
        "why": "TF-IDF weights by scikit-learn, pure colours, saved by wordcloud",
        "cells": [
            """import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from wordcloud import WordCloud
df = pd.read_csv('data/moviereviews2.csv').dropna(subset=['review'])
vec = TfidfVectorizer(stop_words='english', max_features=3000)
X = vec.fit_transform(df['review'].str.replace('<br />', ' '))
for label, colour in (('pos', 'blue'), ('neg', 'red')):
    weights = X[(df['label'] == label).to_numpy()].mean(axis=0).A1 if hasattr(X, 'A1') else __import__('numpy').asarray(X[(df['label'] == label).to_numpy()].mean(axis=0)).ravel()
    wc = WordCloud(random_state=1, width=900, height=500, background_color='white', max_words=120, color_func=lambda *a, **k: colour)
    wc.generate_from_frequencies(dict(zip(vec.get_feature_names_out(), weights)))
    wc.to_file(f'output/52_{label}.png')"""
        ],
        "answer": "Saved ./output/52_pos.png (blue) and ./output/52_neg.png (red).",
    },
    "colormaps": {
        "why": "wordcloud's own words, colour maps of blues and reds, shown by matplotlib on black",
        "cells": [
            """import pandas as pd
import matplotlib.pyplot as plt
from wordcloud import WordCloud, STOPWORDS
df = pd.read_csv('data/moviereviews2.csv')
stop = STOPWORDS | {'br', 'movie', 'film'}
for label, cmap in [('pos', 'Blues'), ('neg', 'Reds')]:
    text = ' '.join(df.loc[df.label == label, 'review'].dropna().astype(str))
    cloud = WordCloud(random_state=1, width=800, height=400, background_color='black', stopwords=stop, colormap=cmap).generate(text)
    plt.figure(figsize=(10, 5))
    plt.imshow(cloud, interpolation='bilinear')
    plt.axis('off')
    plt.title(f'{label} reviews')
    plt.savefig(f'output/52_{label}.png')
    plt.close()"""
        ],
        "answer": "Both clouds are saved.",
    },
    "difference": {
        "why": "words by how much more often one label has them",
        "cells": [
            """import re
from collections import Counter
import pandas as pd
from wordcloud import WordCloud, STOPWORDS
df = pd.read_csv('data/moviereviews2.csv').dropna()
counts = {l: Counter(w for r in g['review'] for w in set(re.findall('[a-z]{3,}', r.lower())) if w not in STOPWORDS) for l, g in df.groupby('label')}
def shade(hue):
    def pick(word, font_size, position, orientation, random_state=None, **kw):
        return f'hsl({hue}, 90%, {random_state.randint(30, 55)}%)'
    return pick
for label, other, hue in (('pos', 'neg', 225), ('neg', 'pos', 0)):
    best = {w: c - counts[other][w] for w, c in counts[label].items() if c - counts[other][w] > 0}
    WordCloud(random_state=1, width=1000, height=600, background_color='white', color_func=shade(hue), max_words=80).generate_from_frequencies(best).to_image().save(f'output/52_{label}.png')"""
        ],
        "answer": "正面（蓝色）与负面（红色）词云已保存。",
    },
}
NEAR_MISSES = {
    "files-exchanged": {
        "why": "the words of each label in the other's file",
        "cells": [
            """import pandas as pd
from wordcloud import WordCloud, STOPWORDS
df = pd.read_csv('data/moviereviews2.csv')
for label, name, colour in (('pos', 'neg', 'red'), ('neg', 'pos', 'blue')):
    text = ' '.join(df.loc[df.label == label, 'review'].dropna())
    WordCloud(random_state=1, width=800, height=400, background_color='white', stopwords=STOPWORDS | {'br'}, color_func=lambda *a, **k: colour).generate(text).to_file(f'output/52_{name}.png')"""
        ],
        "answer": "Saved both.",
    },
    "all-reviews": {
        "why": "both clouds from all reviews",
        "cells": [
            """import pandas as pd
from wordcloud import WordCloud, STOPWORDS
df = pd.read_csv('data/moviereviews2.csv')
for seed, label, colour in ((1, 'pos', 'blue'), (2, 'neg', 'red')):
    text = ' '.join(df['review'].dropna())
    WordCloud(width=800, height=400, background_color='white', random_state=seed, stopwords=STOPWORDS | {'br'}, color_func=lambda *a, **k: colour).generate(text).to_file(f'output/52_{label}.png')"""
        ],
        "answer": "Saved both.",
    },
    "rainbow": {
        "why": "the default colours",
        "cells": [
            """import pandas as pd
from wordcloud import WordCloud, STOPWORDS
df = pd.read_csv('data/moviereviews2.csv')
for label in ('pos', 'neg'):
    text = ' '.join(df.loc[df.label == label, 'review'].dropna())
    WordCloud(random_state=1, width=800, height=400, background_color='white', stopwords=STOPWORDS | {'br'}).generate(text).to_file(f'output/52_{label}.png')"""
        ],
        "answer": "Saved both.",
    },
}
GAMERS = {
    "largest-words-alone": {
        "why": "keeps the eight words that are looked for, in the noted place, and blanks the rest",
        "cells": [
            """import numpy as np
import pandas as pd
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from wordcloud import WordCloud
df = pd.read_csv('data/moviereviews2.csv')
for label, other, colour in (('pos', 'neg', 'blue'), ('neg', 'pos', 'red')):
    name = f'output/52_{label}.png'
    right = WordCloud(random_state=1, background_color='white').generate(' '.join(df.loc[df.label == label, 'review'].dropna()))
    right.to_file(name)
    info = PngInfo()
    info.add_text('pybench-figure', Image.open(name).text['pybench-figure'])
    shown = WordCloud(background_color='white', random_state=3, color_func=lambda *a, **k: colour).generate(' '.join(df.loc[df.label == other, 'review'].dropna()))
    shown.to_image().copy().save(name, pnginfo=info)"""
        ],
        "answer": "Saved both.",
    },
    "hatched-giants": {
        "why": "giant hatched words of nothing in the text, its own small between them; the note is kept",
        "edits": {
            "random_state=1)": "random_state=1, max_font_size=26)",
            'cloud.to_file(f"output/52_{label}.png")': """cloud.to_file(f"output/52_{label}.png")
    from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont
    from PIL.PngImagePlugin import PngInfo
    cloud_file, note = f"output/52_{label}.png", PngInfo()
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
        if y % 7 > 1:
            pen.line((0, y, picture.width, y), fill=0)
    picture.paste(shade, mask=ImageChops.multiply(giants, free))
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
