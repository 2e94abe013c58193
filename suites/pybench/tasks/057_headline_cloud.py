# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A word cloud of headlines in a shape of its own."""

from runner.checks import Case
from runner.checks.clouds import word_clouds

INDEX = "57"
TITLE = "A shaped word cloud of headlines"
CATEGORY = "text"
OUTPUTS = ["57.png"]
NOTE = (
    "Any shape but the filled rectangle that comes by itself; the title is the column of headlines."
)


def check(case: Case) -> None:
    import pandas as pd

    frame = pd.read_csv(case.data / "business_data.csv")
    text, *others = (
        " ".join(frame[name].dropna().astype(str))
        for name in ("headlines", "description", "content")
        if name in frame
    )
    cloud = word_clouds.read(case, "57.png", text, "en")
    word_clouds.expect_words(case, cloud)
    word_clouds.expect_sizes(case, cloud)
    word_clouds.expect_rather(case, cloud, others, "the headlines")
    word_clouds.expect_shape(case, cloud)


REFERENCE = {
    "cells": [
        "import pandas as pd\ndf = pd.read_csv('data/business_data.csv')\nprint(df.shape, df.columns.tolist(), df['headlines'].isna().sum())",
        """
import numpy as np
from wordcloud import WordCloud

rows, columns = np.ogrid[:700, :700]
mask = np.where((rows - 350) ** 2 + (columns - 350) ** 2 > 330**2, 255, 0).astype(np.uint8)
cloud = WordCloud(background_color="white", mask=mask, random_state=1).generate(" ".join(df["headlines"].dropna().astype(str)))
cloud.to_file("output/57.png")
""",
    ],
    "answer": "The word cloud, in the shape of a disc, is saved in ./output/57.png.",
}
WRONG = {
    "no-shape": {
        "why": "leaves the cloud a rectangle",
        "cells": [
            "import pandas as pd\nfrom wordcloud import WordCloud\ndf = pd.read_csv('data/business_data.csv')\nWordCloud(background_color='white', width=800, height=500).generate(' '.join(df['headlines'].dropna().astype(str))).to_file('output/57.png')"
        ],
        "answer": "Saved in ./output/57.png.",
    },
    "from-the-addresses": {
        "why": "takes the column of addresses",
        "cells": [
            "import numpy as np, pandas as pd\nfrom wordcloud import WordCloud\ndf = pd.read_csv('data/business_data.csv')\nr, c = np.ogrid[:500, :500]\nmask = np.where((r - 250) ** 2 + (c - 250) ** 2 > 240 ** 2, 255, 0).astype(np.uint8)\nWordCloud(mask=mask, background_color='white', regexp=r'https?://\\S+').generate(' '.join(df['url'].dropna().astype(str).head(300))).to_file('output/57.png')"
        ],
        "answer": "Saved in ./output/57.png.",
    },
    "one-headline": {
        "why": "draws only the first headline",
        "cells": [
            "import numpy as np, pandas as pd\nfrom wordcloud import WordCloud\ndf = pd.read_csv('data/business_data.csv')\nr, c = np.ogrid[:500, :500]\nmask = np.where((r - 250) ** 2 + (c - 250) ** 2 > 240 ** 2, 255, 0).astype(np.uint8)\nWordCloud(mask=mask, background_color='white').generate(df['headlines'][0]).to_file('output/57.png')"
        ],
        "answer": "Saved in ./output/57.png.",
    },
}
