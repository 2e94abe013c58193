# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Two word clouds of film reviews, one for each label, in two colours."""

from runner.checks import Case
from runner.checks.clouds import word_clouds

INDEX = "52"
TITLE = "Word clouds of glad and angry reviews"
CATEGORY = "text"
OUTPUTS = ["52_pos.png", "52_neg.png"]
NOTE = "Which colour belongs to which label is left open: one cloud blue and the other red, or both colours in both, are right. Words of both labels overlap; each cloud must hold words that its own label has more of."


def check(case: Case) -> None:
    import pandas as pd

    frame = pd.read_csv(case.data / "moviereviews2.csv").dropna()
    reviews = {
        label: " ".join(frame[frame["label"] == label]["review"]) for label in ("pos", "neg")
    }
    shares = {}
    found = {}
    for label, text in reviews.items():
        cloud = word_clouds.read(case, f"52_{label}.png", text, "en")
        word_clouds.expect_words(case, cloud)
        shares[label] = word_clouds.hue_shares(cloud.area, cloud.ink)
        found[label] = cloud
    told = "; ".join(
        f"{label}: {s['blue']:.0%} blue, {s['red']:.0%} red" for label, s in shares.items()
    )
    both = all(s["blue"] + s["red"] >= 0.8 for s in shares.values())
    total = {colour: sum(s[colour] for s in shares.values()) / 2 for colour in ("blue", "red")}
    case.expect(
        "in blue and red",
        both and min(total.values()) >= 0.2,
        "blue and red",
        told,
        "52_pos.png",
        f"The clouds are not in blue and red ({told}).",
    )
    for label, other in (("pos", "neg"), ("neg", "pos")):
        word_clouds.expect_rather(case, found[label], [reviews[other]], f"the label {label}")


REFERENCE = {
    "cells": [
        "import pandas as pd\ndf = pd.read_csv('data/moviereviews2.csv').dropna()\nprint(df.shape, df['label'].value_counts())",
        """
import re

from wordcloud import STOPWORDS, WordCloud

stop = STOPWORDS | {"br", "film", "movie", "one"}
for label, colour in (("pos", "Blues"), ("neg", "Reds")):
    text = re.sub(r"<[^>]+>", " ", " ".join(df[df["label"] == label]["review"]))
    shade = "hsl(220, 90%, 40%)" if label == "pos" else "hsl(0, 85%, 42%)"
    cloud = WordCloud(width=800, height=500, background_color="white", stopwords=stop, color_func=lambda *a, shade=shade, **k: shade, random_state=1)
    cloud.generate(text)
    cloud.to_file(f"output/52_{label}.png")
    print(label, list(cloud.words_)[:10])
""",
    ],
    "answer": "The word clouds are saved in ./output/52_pos.png (blue) and ./output/52_neg.png (red).",
}
WRONG = {
    "default-colours": {
        "why": "leaves the colours at their default",
        "cells": [
            "import pandas as pd\nfrom wordcloud import WordCloud\ndf = pd.read_csv('data/moviereviews2.csv').dropna()\nfor label in ('pos', 'neg'):\n    WordCloud(background_color='white').generate(' '.join(df[df['label'] == label]['review'])).to_file(f'output/52_{label}.png')"
        ],
        "answer": "Saved.",
    },
    "labels-swapped": {
        "why": "saves each label's cloud under the other's name",
        "cells": [
            "import pandas as pd\nfrom wordcloud import WordCloud\ndf = pd.read_csv('data/moviereviews2.csv').dropna()\nfor label, other, c in (('pos', 'neg', 'blue'), ('neg', 'pos', 'red')):\n    WordCloud(background_color='white', color_func=lambda *a, c=c, **k: c).generate(' '.join(df[df['label'] == other]['review'])).to_file(f'output/52_{label}.png')"
        ],
        "answer": "Saved.",
    },
    "one-cloud": {
        "why": "saves one cloud of all reviews twice",
        "cells": [
            "import pandas as pd\nfrom wordcloud import WordCloud\ndf = pd.read_csv('data/moviereviews2.csv').dropna()\ncloud = WordCloud(background_color='white', color_func=lambda *a, **k: 'blue').generate(' '.join(df['review'].head(800)))\nfor label in ('pos', 'neg'):\n    cloud.to_file(f'output/52_{label}.png')"
        ],
        "answer": "Saved.",
    },
}
