# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A word cloud of the key words of a short Chinese news text."""

from runner.checks import Case
from runner.checks.clouds import word_clouds

INDEX = "122"
TITLE = "A word cloud of a news item"
CATEGORY = "text"
OUTPUTS = ["122.png"]
NOTE = "The text is short, so five of its carrying words will do."


def check(case: Case) -> None:
    text = (case.data / "news.txt").read_text("utf-8", "replace")
    cloud = word_clouds.read(case, "122.png", text, "zh")
    word_clouds.expect_words(case, cloud, 6)
    word_clouds.expect_sizes(case, cloud)


REFERENCE = {
    "cells": [
        "text = open('data/news.txt', encoding='utf-8').read()\nprint(len(text), text[:300])",
        """
import jieba.analyse
from wordcloud import WordCloud

weights = dict(jieba.analyse.extract_tags(text, topK=40, withWeight=True))
print(weights)
font = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
WordCloud(font_path=font, width=800, height=500, background_color="white", random_state=1).generate_from_frequencies(weights).to_file("output/122.png")
""",
    ],
    "answer": "The word cloud is saved in ./output/122.png.",
}
WRONG = {
    "latin-words-only": {
        "why": "keeps only the few Latin words that its font can draw",
        "cells": [
            "import re\nfrom wordcloud import WordCloud\nwords = re.findall(r'[A-Z][a-z]{3,}', open('data/news.txt', encoding='utf-8').read())\nWordCloud(max_words=4).generate(' '.join(words)).to_file('output/122.png')"
        ],
        "answer": "Saved in ./output/122.png.",
    },
    "single-characters": {
        "why": "counts single characters instead of words",
        "cells": [
            "from collections import Counter\nfrom wordcloud import WordCloud\nc = Counter(ch for ch in open('data/news.txt', encoding='utf-8').read() if '一' <= ch <= '龥')\nWordCloud(font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc').generate_from_frequencies(c).to_file('output/122.png')"
        ],
        "answer": "Saved in ./output/122.png.",
    },
    "query-words": {
        "why": "draws the words of the request",
        "cells": [
            "from wordcloud import WordCloud\nWordCloud().generate('extract keywords content news draw wordcloud save image output').to_file('output/122.png')"
        ],
        "answer": "Saved in ./output/122.png.",
    },
}
