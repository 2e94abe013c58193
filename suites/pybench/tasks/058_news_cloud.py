# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A word cloud of the key words of news texts."""

from runner.checks import Case
from runner.checks.clouds import word_clouds

INDEX = "58"
TITLE = "A word cloud of news texts"
CATEGORY = "text"
OUTPUTS = ["58.png"]
NOTE = "The content is the column of that name. What most of its texts have in common, such as the invitation to register, may be left out."


def check(case: Case) -> None:
    import pandas as pd

    frame = pd.read_csv(case.data / "entertainment_data.csv")
    texts, *others = (
        list(frame[name].dropna().astype(str)) for name in ("content", "headlines", "description")
    )
    cloud = word_clouds.read(case, "58.png", " ".join(texts), "en", texts=texts)
    word_clouds.expect_words(case, cloud)
    word_clouds.expect_sizes(case, cloud)
    word_clouds.expect_rather(case, cloud, [*map(" ".join, others)], "the content")


REFERENCE = {
    "cells": [
        "import pandas as pd\ndf = pd.read_csv('data/entertainment_data.csv')\nprint(df.shape, df.columns.tolist(), df['content'].str.len().describe())",
        """
import re
from collections import Counter

from wordcloud import STOPWORDS, WordCloud

stop = STOPWORDS | {"said", "one", "will", "also", "s"}
words = Counter(w for w in re.findall(r"[a-z]{3,}", " ".join(df["content"].dropna()).lower()) if w not in stop)
print(words.most_common(20))
WordCloud(width=900, height=600, background_color="white", random_state=1).generate_from_frequencies(dict(words.most_common(150))).to_file("output/58.png")
""",
    ],
    "answer": "The word cloud is saved in ./output/58.png.",
}
WRONG = {
    "stop-words-left-in": {
        "why": "keeps the words that every text has, and nothing else stands out",
        "cells": [
            "import pandas as pd\nfrom collections import Counter\nfrom wordcloud import WordCloud\ndf = pd.read_csv('data/entertainment_data.csv')\nc = Counter(' '.join(df['content'].dropna()).lower().split()).most_common(12)\nWordCloud(stopwords=set()).generate_from_frequencies(dict(c)).to_file('output/58.png')"
        ],
        "answer": "Saved in ./output/58.png.",
    },
    "category-column": {
        "why": "draws the column of categories",
        "cells": [
            "import pandas as pd\nfrom wordcloud import WordCloud\ndf = pd.read_csv('data/entertainment_data.csv')\nWordCloud(collocations=False).generate(' '.join(df['category'].astype(str))).to_file('output/58.png')"
        ],
        "answer": "Saved in ./output/58.png.",
    },
    "bars-instead": {
        "why": "draws bars of the counts",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\nfrom collections import Counter\ndf = pd.read_csv('data/entertainment_data.csv')\nc = dict(Counter(' '.join(df['headlines'].dropna()).split()).most_common(3))\nplt.bar(['a', 'b', 'c'], c.values())\nplt.savefig('output/58.png')"
        ],
        "answer": "Saved in ./output/58.png.",
    },
}
