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
