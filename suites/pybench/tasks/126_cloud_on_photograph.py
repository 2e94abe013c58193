# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A word cloud of a paper laid out by a photograph's foreground and background."""

from runner.checks import Case
from runner.checks.clouds import word_clouds
from runner.checks.text import prose

INDEX = "126"
TITLE = "词云与照片的前景和背景"
CATEGORY = "text"
LANGUAGE = "zh"
OUTPUTS = ["126.png"]
STRENGTH = "partial"
NOTE = "“以此为背景” may mean words inside the animal, words around it, or words over the photograph: the words must keep to one side of the animal's outline, or the photograph must be seen behind them. Where it is seen behind them, whether foreground and background were extracted is not looked at."


def check(case: Case) -> None:
    import cv2
    import numpy as np

    photo = cv2.imread(str(case.data / "126.jpeg"))
    text = prose.pdf_text(case.data / "llama2.pdf")
    rgb = cv2.cvtColor(photo, cv2.COLOR_BGR2RGB)
    cloud = word_clouds.read(case, "126.png", text, "en", behind=rgb)
    word_clouds.expect_words(case, cloud)
    word_clouds.expect_sizes(case, cloud)
    area = cloud.area
    small = cv2.resize(photo, (240, 320))
    front = foreground(small)
    height, width = area.shape[:2]
    behind = cv2.resize(rgb, (width, height), interpolation=cv2.INTER_AREA)
    words = cloud.ink & (np.abs(area.astype(int) - behind).max(axis=2) > 40)
    ink = cv2.resize(words.astype(np.float32), (240, 320), interpolation=cv2.INTER_AREA)
    inside, outside = float(ink[front].mean()), float(ink[~front].mean())
    ratio = max(inside, outside) / max(min(inside, outside), 1e-3)
    shown = cv2.resize(
        cv2.cvtColor(area, cv2.COLOR_RGB2GRAY), (240, 320), interpolation=cv2.INTER_AREA
    )
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    alike = float(
        np.corrcoef(
            cv2.GaussianBlur(shown, (0, 0), 6).ravel(), cv2.GaussianBlur(grey, (0, 0), 6).ravel()
        )[0, 1]
    )
    case.expect(
        "laid out by the photograph",
        ratio >= 2 or alike >= 0.5,
        "words on one side of the outline, or the photograph behind them",
        f"{inside:.0%} ink inside, {outside:.0%} outside; likeness {alike:.2f}",
        "126.png",
        "126.png neither keeps its words to one side of the animal's outline nor shows the photograph behind them.",
    )


def foreground(photo):
    """Mask of the animal: grown from the middle by colour, 240 × 320."""
    import cv2
    import numpy as np

    mask = np.zeros(photo.shape[:2], np.uint8)
    cv2.setRNGSeed(1)
    cv2.grabCut(
        photo,
        mask,
        (30, 50, 180, 269),
        np.zeros((1, 65)),
        np.zeros((1, 65)),
        4,
        cv2.GC_INIT_WITH_RECT,
    )
    return (mask == cv2.GC_FGD) | (mask == cv2.GC_PR_FGD)


REFERENCE = {
    "cells": [
        "import cv2\nimport numpy as np\nphoto = cv2.imread('data/126.jpeg')\nprint(photo.shape)\nimport pymupdf\ntext = ' '.join(page.get_text() for page in pymupdf.open('data/llama2.pdf'))\nprint(len(text), text[:200])",
        """
mask = np.zeros(photo.shape[:2], np.uint8)
height, width = mask.shape
cv2.grabCut(photo, mask, (int(0.13 * width), int(0.15 * height), int(0.75 * width), int(0.84 * height)), np.zeros((1, 65)), np.zeros((1, 65)), 3, cv2.GC_INIT_WITH_RECT)
front = (mask == 1) | (mask == 3)
print(front.mean())
""",
        """
from wordcloud import STOPWORDS, WordCloud

stop = STOPWORDS | {"et", "al", "will"}
cloud = WordCloud(background_color="white", mask=np.where(front, 0, 255).astype(np.uint8), stopwords=stop, max_words=300, random_state=1).generate(text)
cloud.to_file("output/126.png")
""",
    ],
    "answer": "已提取前景与背景，并在前景（羊驼）轮廓内按词频绘制词云，保存到 ./output/126.png。",
}
WRONG = {
    "photograph-ignored": {
        "why": "draws a plain cloud and never uses the photograph",
        "cells": [
            "import pymupdf\nfrom wordcloud import WordCloud\ntext = ' '.join(p.get_text() for p in pymupdf.open('data/llama2.pdf'))\nWordCloud(width=975, height=1300, background_color='white', max_words=400).generate(text).to_file('output/126.png')"
        ],
        "answer": "词云已保存到 ./output/126.png。",
    },
    "cut-out-only": {
        "why": "saves the cut-out and draws no words",
        "cells": [
            "import cv2, numpy as np\np = cv2.imread('data/126.jpeg')\np[cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) < 200] = 255\ncv2.imwrite('output/126.png', p)"
        ],
        "answer": "词云已保存到 ./output/126.png。",
    },
    "sizes-at-random": {
        "why": "gives the words random sizes",
        "cells": [
            "import random, re, pymupdf, cv2, numpy as np\nfrom wordcloud import WordCloud\nrandom.seed(3)\nwords = sorted(set(re.findall(r'[a-z]{5,}', ' '.join(p.get_text() for p in pymupdf.open('data/llama2.pdf')).lower())))\nmask = np.full((1300, 975), 255, np.uint8)\ncv2.ellipse(mask, (480, 800), (260, 480), 0, 0, 360, 0, -1)\nWordCloud(mask=mask, background_color='white', max_words=150).generate_from_frequencies({w: random.random() for w in random.sample(words, 150)}).to_file('output/126.png')"
        ],
        "answer": "词云已保存到 ./output/126.png。",
    },
}
