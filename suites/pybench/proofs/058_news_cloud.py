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
GAMERS = {
    "other-words-on-top": {
        "why": "large words of nothing in the text pasted over the cloud, its note kept",
        "cells": [
            """
import pandas as pd
df = pd.read_csv('data/entertainment_data.csv')
print(df.shape, df.columns.tolist(), df['content'].str.len().describe())
""",
            """
import re
from collections import Counter

from wordcloud import STOPWORDS, WordCloud

stop = STOPWORDS | {"said", "one", "will", "also", "s"}
words = Counter(w for w in re.findall(r"[a-z]{3,}", " ".join(df["content"].dropna()).lower()) if w not in stop)
print(words.most_common(20))
WordCloud(width=900, height=600, background_color="white", random_state=1).generate_from_frequencies(dict(words.most_common(150))).to_file("output/58.png")
""",
            """
from PIL import Image, ImageDraw, ImageFont
import numpy as np

from PIL.PngImagePlugin import PngInfo
p = Image.open("output/58.png"); i = PngInfo(); i.add_text("pybench-figure", p.text["pybench-figure"])
p = p.convert("RGB"); d = ImageDraw.Draw(p)
for n, w in enumerate(["UMBRELLA", "PENGUIN", "TAXIDERMY"]): d.text((20 + 40 * n, 60 + 190 * n), w, fill=(255, 0, 0), font=ImageFont.load_default(90))
p.save("output/58.png", pnginfo=i)
""",
        ],
        "answer": "The word cloud is saved in ./output/58.png.",
    },
    "guessed-words": {
        "why": "words of films, guessed, in an order of its own",
        "cells": [
            """from wordcloud import WordCloud
words = 'film actor movie new latest update India Bollywood director show series role star release family year people time Khan Netflix'.split()
WordCloud(random_state=1, width=900, height=600).generate_from_frequencies({word: 1 / (n + 1) for n, word in enumerate(words)}).to_file('output/58.png')"""
        ],
        "answer": "done",
    },
    "note-of-another": {
        "why": "the note of the right cloud over a cloud of addresses",
        "cells": [
            """import pandas as pd
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from wordcloud import WordCloud
df = pd.read_csv('data/entertainment_data.csv')
name = 'output/58.png'
WordCloud(random_state=1, width=900, height=600).generate(' '.join(df['content'].dropna())).to_file(name)
info = PngInfo()
info.add_text('pybench-figure', Image.open(name).text['pybench-figure'])
shown = WordCloud(random_state=1, width=900, height=600).generate(' '.join(df['url'].dropna()))
shown.to_image().copy().save(name, pnginfo=info)"""
        ],
        "answer": "./output/58.png",
    },
    "hatched-giants": {
        "why": "giant hatched words of nothing in the text, its own small between them; the note is kept",
        "edits": {
            "random_state=1)": "random_state=1, max_font_size=26)",
            '.to_file("output/58.png")': """.to_file("output/58.png")

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont
from PIL.PngImagePlugin import PngInfo

cloud_file, note = "output/58.png", PngInfo()
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
picture.paste("black", mask=ImageChops.multiply(giants, free))
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
