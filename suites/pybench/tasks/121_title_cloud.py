# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A shaped word cloud of a short Chinese news text."""

from runner.checks import Case
from runner.checks.clouds import word_clouds

INDEX = "121"
TITLE = "A shaped word cloud of a news item"
CATEGORY = "text"
OUTPUTS = ["121.png"]
NOTE = "The file has no title line of its own, so words of its beginning or of the whole text are right; any shape but the filled rectangle."


def check(case: Case) -> None:
    text = (case.data / "news.txt").read_text("utf-8", "replace")
    cloud = word_clouds.read(case, "121.png", text, "zh")
    word_clouds.expect_words(case, cloud, 5)
    word_clouds.expect_sizes(case, cloud)
    word_clouds.expect_shape(case, cloud)


REFERENCE = {
    "cells": [
        "text = open('data/news.txt', encoding='utf-8').read()\nprint(text[:400])",
        """
import jieba
import numpy as np
from wordcloud import WordCloud

words = " ".join(w for w in jieba.cut(text) if len(w.strip()) > 1)
rows, columns = np.ogrid[:700, :700]
mask = np.where((rows - 350) ** 2 + (columns - 350) ** 2 > 330**2, 255, 0).astype(np.uint8)
font = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
WordCloud(font_path=font, background_color="white", mask=mask, random_state=1, collocations=False, repeat=True).generate(words).to_file("output/121.png")
""",
    ],
    "answer": "The word cloud, in the shape of a disc, is saved in ./output/121.png.",
}
WRONG = {
    "no-shape": {
        "why": "leaves the cloud a rectangle",
        "cells": [
            "import jieba\nfrom wordcloud import WordCloud\ntext = ' '.join(jieba.cut(open('data/news.txt', encoding='utf-8').read()))\nWordCloud(font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', background_color='white', width=800, height=400, repeat=True, max_words=400).generate(text).to_file('output/121.png')"
        ],
        "answer": "Saved in ./output/121.png.",
    },
    "sentences-for-words": {
        "why": "does not cut Chinese into words and uses a font without its characters",
        "cells": [
            "import matplotlib.pyplot as plt\nfrom wordcloud import WordCloud\ntext = 'news title cloud shape picture image word select proper draw'\nWordCloud(background_color='white').generate(text).to_file('output/121.png')"
        ],
        "answer": "Saved in ./output/121.png.",
    },
    "shape-only": {
        "why": "draws the shape and no words",
        "cells": [
            "from PIL import Image, ImageDraw\ni = Image.new('RGB', (600, 600), 'white')\nImageDraw.Draw(i).ellipse((50, 50, 550, 550), fill='navy')\ni.save('output/121.png')"
        ],
        "answer": "Saved in ./output/121.png.",
    },
}
