# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A word cloud on white in the colours of a photograph."""

from runner.checks import Case
from runner.checks.clouds import word_clouds

INDEX = "124"
TITLE = "A word cloud in a photograph's colours"
CATEGORY = "text"
OUTPUTS = ["124.png"]
NOTE = "Each word must have about the photograph's colour at its place, on white; whether the cloud also takes a shape from it is left open."


def check(case: Case) -> None:
    import cv2
    import numpy as np

    from runner.checks.pictures import images

    text = (case.data / "baike_text.txt").read_text("utf-8", "replace")
    cloud = word_clouds.read(case, "124.png", text, "zh")
    word_clouds.expect_words(case, cloud)
    word_clouds.expect_sizes(case, cloud)
    area, ink = cloud.area, cloud.ink
    ground = images.commonest(area)
    case.expect(
        "on white",
        ground.min() >= 245,
        "a white ground",
        ", ".join(f"{v:.0f}" for v in ground),
        "124.png",
    )
    photo = cv2.cvtColor(cv2.imread(str(case.data / "124.jpeg")), cv2.COLOR_BGR2RGB)
    photo = cv2.GaussianBlur(
        cv2.resize(photo, (area.shape[1], area.shape[0])), (0, 0), area.shape[1] / 60
    ).astype(int)
    inner = cv2.erode(ink.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
    inner = inner if inner.sum() > 200 else ink
    here = float(np.abs(area.astype(int) - photo)[inner].mean())
    alike, *turned = (
        float(np.corrcoef(area[inner].ravel(), other[inner].ravel())[0, 1])
        for other in (photo, photo[:, ::-1], photo[::-1], photo[..., ::-1])
    )
    case.expect(
        "the photograph's colours",
        here <= 50 and alike >= 0.45 and alike > max(turned),
        "the colour at its place, ± 50 levels, like it rather than turned over, or with red for blue",
        f"{here:.0f} levels off; likeness {alike:.2f} ({turned[0]:.2f} mirrored, {turned[1]:.2f} "
        f"upside down, {turned[2]:.2f} with red for blue)",
        "124.png",
        f"The words in 124.png are {here:.0f} levels off the photograph's colours at their places "
        f"(likeness {alike:.2f}).",
    )


REFERENCE = {
    "cells": [
        "from PIL import Image\nimage = Image.open('data/124.jpeg').convert('RGB')\nprint(image.size)\ntext = open('data/baike_text.txt', encoding='utf-8').read()\nprint(len(text), text[:200])",
        """
import jieba
import numpy as np
from wordcloud import ImageColorGenerator, WordCloud

large = np.array(image.resize((image.width * 2, image.height * 2)))
words = " ".join(w for w in jieba.cut(text) if len(w.strip()) > 1)
font = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
cloud = WordCloud(font_path=font, background_color="white", width=large.shape[1], height=large.shape[0], max_words=400, max_font_size=70, min_font_size=6, random_state=1, collocations=False).generate(words)
cloud.recolor(color_func=ImageColorGenerator(large))
cloud.to_file("output/124.png")
""",
    ],
    "answer": "The word cloud on white in the photograph's colours is saved in ./output/124.png.",
}
WRONG = {
    "default-colours": {
        "why": "uses the photograph as a mask and keeps the default colours",
        "cells": [
            "import jieba, numpy as np\nfrom PIL import Image\nfrom wordcloud import WordCloud\nwords = ' '.join(w for w in jieba.cut(open('data/baike_text.txt', encoding='utf-8').read()) if len(w) > 1)\nWordCloud(font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', background_color='white', mask=np.array(Image.open('data/124.jpeg'))).generate(words).to_file('output/124.png')"
        ],
        "answer": "Saved in ./output/124.png.",
    },
    "black-ground": {
        "why": "leaves the ground black",
        "cells": [
            "import jieba, numpy as np\nfrom PIL import Image\nfrom wordcloud import ImageColorGenerator, WordCloud\nim = np.array(Image.open('data/124.jpeg').convert('RGB'))\nwords = ' '.join(w for w in jieba.cut(open('data/baike_text.txt', encoding='utf-8').read()) if len(w) > 1)\nc = WordCloud(font_path='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', width=im.shape[1], height=im.shape[0]).generate(words)\nc.recolor(color_func=ImageColorGenerator(im)).to_file('output/124.png')"
        ],
        "answer": "Saved in ./output/124.png.",
    },
    "photograph-behind": {
        "why": "lays the words over the photograph",
        "cells": [
            "from PIL import Image, ImageDraw, ImageFont\nim = Image.open('data/124.jpeg').convert('RGB')\nf = ImageFont.truetype('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', 40)\nd = ImageDraw.Draw(im)\nd.text((60, 60), '跑步', fill='white', font=f)\nim.save('output/124.png')"
        ],
        "answer": "Saved in ./output/124.png.",
    },
}
