# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A word cloud of a long Chinese novel, asked for under a name that is no picture's."""

from runner.checks import Case
from runner.checks.clouds import word_clouds

INDEX = "59"
TITLE = "小说关键词词云"
CATEGORY = "text"
LANGUAGE = "zh"
OUTPUTS = ["59.txt"]
NOTE = "The query asks for a picture named 59.txt. A picture under that name, or as 59.png with or without a text file beside it, is right."


def check(case: Case) -> None:
    text = (case.data / "如懿传.txt").read_text("utf-8", "replace")
    name = next(
        (n for n in ("59.png", "59.jpg", "59.jpeg", "59.txt.png") if (case.output / n).is_file()),
        "59.txt",
    )
    cloud = word_clouds.read(case, name, text, "zh")
    word_clouds.expect_words(case, cloud)
    word_clouds.expect_sizes(case, cloud, 0.2)


REFERENCE = {
    "cells": [
        "text = open('data/如懿传.txt', encoding='utf-8').read()\nprint(len(text), text[:200])",
        """
import jieba.analyse

weights = dict(jieba.analyse.extract_tags(text[:600000], topK=120, withWeight=True))
print(list(weights)[:30])
""",
        """
import shutil

from wordcloud import WordCloud

font = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
WordCloud(font_path=font, width=900, height=600, background_color="white", random_state=1).generate_from_frequencies(weights).to_file("output/59.png")
shutil.copy("output/59.png", "output/59.txt")  # the name asked for; it is a picture
""",
    ],
    "answer": "词云图片已按要求存为 ./output/59.txt（内容是 PNG 图片），另存了一份 ./output/59.png。",
}
WRONG = {
    "words-as-text": {
        "why": "writes the key words as text, as the name suggests, and draws no cloud",
        "cells": [
            "import jieba.analyse\ntext = open('data/如懿传.txt', encoding='utf-8').read()\nopen('output/59.txt', 'w').write('\\n'.join(jieba.analyse.extract_tags(text[:100000], topK=50)))"
        ],
        "answer": "关键词已存到 ./output/59.txt。",
    },
    "boxes-for-characters": {
        "why": "lets the cloud cut the text at blanks, so that whole sentences stand in it",
        "cells": [
            "from wordcloud import WordCloud\ntext = open('data/如懿传.txt', encoding='utf-8').read()\nWordCloud(background_color='white').generate(text[:200000]).to_file('output/59.png')"
        ],
        "answer": "词云已存到 ./output/59.png。",
    },
    "another-text": {
        "why": "draws words of its own instead of the novel's",
        "cells": [
            "from wordcloud import WordCloud\nwords = {w: 30 - i for i, w in enumerate('数据 分析 模型 算法 网络 学习 训练 参数 样本 特征 标签 函数 优化 损失 精度 召回 图像 语音 文本 向量'.split())}\nWordCloud(font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc').generate_from_frequencies(words).to_file('output/59.png')"
        ],
        "answer": "词云已存到 ./output/59.png。",
    },
}
