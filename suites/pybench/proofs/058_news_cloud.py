# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "without-what-most-texts-have": {
        "why": "keywords by TF-IDF, without the words that most texts have",
        "cells": [
            """
import re, numpy as np, pandas as pd, matplotlib.pyplot as plt
from collections import Counter
from wordcloud import WordCloud, STOPWORDS, ImageColorGenerator
from PIL import Image, ImageDraw
FP='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc'
d=pd.read_csv('./data/entertainment_data.csv')
text=' '.join(d.content.astype(str))
from sklearn.feature_extraction.text import TfidfVectorizer
v=TfidfVectorizer(stop_words='english',token_pattern=r'[A-Za-z]{4,}',max_features=4000,max_df=.6);X=v.fit_transform(d.content.astype(str))
f=dict(zip(v.get_feature_names_out(),np.asarray(X.sum(0)).ravel()))
for s in ('said','also','just','like'): f.pop(s,None)
WordCloud(width=1200,height=800,background_color='white',prefer_horizontal=.7,colormap='Dark2',max_words=120).generate_from_frequencies(f).to_file('./output/58.png')
print(sorted(f,key=f.get,reverse=True)[:20])
"""
        ],
        "answer": "Keywords were extracted with TF-IDF from the `content` column. The cloud is at ./output/58.png.",
    },
    "tfidf": {
        "why": "TF-IDF by scikit-learn on black",
        "cells": [
            """import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from wordcloud import WordCloud
df = pd.read_csv('data/entertainment_data.csv')
vec = TfidfVectorizer(stop_words='english', max_features=2000)
X = vec.fit_transform(df['content'].fillna(''))
weights = np.asarray(X.sum(axis=0)).ravel()
best = weights.argsort()[::-1][:100]
names = vec.get_feature_names_out()
WordCloud(random_state=1, width=1000, height=500).generate_from_frequencies({names[i]: weights[i] for i in best}).to_file('output/58.png')"""
        ],
        "answer": "./output/58.png",
    },
    "own-stop-words": {
        "why": "wordcloud's words without collocations, by matplotlib",
        "cells": [
            """import pandas as pd
import matplotlib.pyplot as plt
from wordcloud import WordCloud, STOPWORDS
df = pd.read_csv('data/entertainment_data.csv')
text = ' '.join(df['content'].dropna().astype(str)).lower()
wc = WordCloud(random_state=1, width=1200, height=700, background_color='white', stopwords=STOPWORDS | {'said', 'also', 'will'}, collocations=False, max_words=150).generate(text)
fig, ax = plt.subplots(figsize=(12, 7))
ax.imshow(wc, interpolation='bilinear')
ax.set_axis_off()
ax.set_title('Keywords of entertainment news')
fig.tight_layout()
fig.savefig('output/58.png')"""
        ],
        "answer": "The main keywords are film, actor and show; see ./output/58.png.",
    },
    "documents": {
        "why": "words by the number of articles that have them, in a circle",
        "cells": [
            """import re
from collections import Counter
import numpy as np
import pandas as pd
from wordcloud import WordCloud, STOPWORDS
stop = STOPWORDS | {'said', 'one', 'will', 'also', 'says', 'two', 'even'}
counts = Counter()
for article in pd.read_csv('data/entertainment_data.csv')['content'].dropna():
    counts.update(w for w in set(re.findall(r'[a-z]{4,}', article.lower())) if w not in stop)
y, x = np.ogrid[:800, :800]
mask = np.where((x - 400) ** 2 + (y - 400) ** 2 < 390 ** 2, 0, 255)
WordCloud(random_state=1, mask=mask, background_color='white', max_words=100, colormap='plasma').generate_from_frequencies(dict(counts.most_common(100))).to_file('output/58.png')"""
        ],
        "answer": "./output/58.png",
    },
}
NEAR_MISSES = {
    "ten-articles": {
        "why": "of ten articles of two thousand",
        "cells": [
            """import pandas as pd
from wordcloud import WordCloud
df = pd.read_csv('data/entertainment_data.csv').iloc[1000:1010]
WordCloud(random_state=1, background_color='white').generate(' '.join(df['content'].astype(str))).to_file('output/58.png')"""
        ],
        "answer": "done",
    },
    "three-articles": {
        "why": "of three articles of two thousand",
        "cells": [
            """import pandas as pd
from wordcloud import WordCloud
df = pd.read_csv('data/entertainment_data.csv').head(3)
WordCloud(random_state=1, background_color='white', width=900, height=600).generate(' '.join(df['content'].astype(str))).to_file('output/58.png')"""
        ],
        "answer": "done",
    },
    "headlines": {
        "why": "the headlines in place of the content",
        "cells": [
            """import pandas as pd
from wordcloud import WordCloud
df = pd.read_csv('data/entertainment_data.csv')
WordCloud(random_state=1, width=1000, height=500).generate(' '.join(df['headlines'].dropna())).to_file('output/58.png')"""
        ],
        "answer": "./output/58.png",
    },
    "stop-words": {
        "why": "no keyword: the commonest words as they are",
        "cells": [
            """from collections import Counter
import pandas as pd
from wordcloud import WordCloud
df = pd.read_csv('data/entertainment_data.csv')
counts = Counter(' '.join(df['content'].dropna()).lower().split())
WordCloud(random_state=1, width=1000, height=500).generate_from_frequencies(dict(counts.most_common(100))).to_file('output/58.png')"""
        ],
        "answer": "./output/58.png",
    },
    "sizes-reversed": {
        "why": "the rarest of two hundred words largest",
        "cells": [
            """import pandas as pd
from wordcloud import WordCloud
df = pd.read_csv('data/entertainment_data.csv')
counts = sorted(WordCloud().process_text(' '.join(df['content'].dropna())).items(), key=lambda i: -i[1])[:200]
turned = {w: c for (w, _), (_, c) in zip(counts, counts[::-1])}
WordCloud(random_state=1, width=1000, height=500).generate_from_frequencies(turned).to_file('output/58.png')"""
        ],
        "answer": "./output/58.png",
    },
    "first-article": {
        "why": "the first article alone",
        "cells": [
            """import pandas as pd
from wordcloud import WordCloud
df = pd.read_csv('data/entertainment_data.csv')
WordCloud(random_state=1, width=1000, height=500).generate(df['content'].iloc[0]).to_file('output/58.png')"""
        ],
        "answer": "./output/58.png",
    },
}
