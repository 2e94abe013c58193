# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Five topics of a collection of short texts."""

from runner.checks import Case
from runner.checks.text import prose

INDEX = "54"
TITLE = "Five topics of a collection"
CATEGORY = "text"
OUTPUTS = []
NOTE = "Topics depend on seed and cleaning. A model is fitted by the check; the answer passes when it gives five different themes in the form asked for, four of which share words with different topics of that model, or name a subject of the made-up notes in everyday words (“Astronomy”)."

SUBJECTS = {
    "garden": "tomato seedlings compost watering greenhouse soil pruning roses mulch harvest",
    "cycling": "bicycle wheels pedals saddle helmet gears climbing race tyres chain",
    "baking": "bread flour yeast oven dough butter sourdough crust kneading loaf",
    "astronomy": "telescope planet orbit galaxy comet eclipse stars lens observatory moon",
    "railway": "train station platform ticket locomotive timetable signal tracks carriage conductor",
}
NAMES = {  # by which people call a subject, beyond its own words
    "garden": "garden gardens gardening gardener horticulture horticultural vegetable vegetables "
    "plant plants planting growing cultivation allotment flowers botany greenhouses",
    "cycling": "cycling cyclist cyclists bike bikes biking bicycles bicycling biker velo",
    "baking": "baking bakery bakeries baker bakers bake loaves breads breadmaking pastry cooking",
    "astronomy": "astronomy astronomical astronomer astrophysics space stargazing star sky skies "
    "cosmos cosmology universe celestial planets galaxies telescopes solar",
    "railway": "railway railways rail rails railroad railroads trains transit transport "
    "transportation commuting locomotives",
}
HEAD = 8  # words of a topic, most of which are a subject's where it is that subject


def make_inputs(seed, data) -> dict:
    """Two hundred made-up notes on five subjects."""
    import csv
    import random

    rng = random.Random(seed)
    with (data / "LDA.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "text"])
        for number in range(200):
            words = list(SUBJECTS.values())[number % 5].split()
            writer.writerow([number, "Note on " + " ".join(rng.choices(words, k=14)) + "."])
    return {}


def longest_texts(path) -> list:
    """The column of the table with the longest texts, as a list."""
    import pandas as pd

    frame = pd.read_csv(path, encoding="utf-8", encoding_errors="replace")
    columns = [c for c in frame.columns if frame[c].map(lambda v: isinstance(v, str)).mean() > 0.5]
    column = max(columns, key=lambda c: frame[c].astype(str).str.len().mean())
    return frame[column].dropna().astype(str).tolist()[:20_000]


def topics_of(documents: list) -> list:
    """The forty heaviest words of each of five topics, by a model with a fixed seed, in order.

    Each with the share of its weight that this topic has.
    """
    from sklearn.decomposition import LatentDirichletAllocation
    from sklearn.feature_extraction.text import CountVectorizer

    counter = CountVectorizer(
        stop_words="english", max_df=0.9, min_df=2, max_features=3000, token_pattern=r"[A-Za-z]{3,}"
    )
    counts = counter.fit_transform(documents)
    model = LatentDirichletAllocation(5, random_state=0, max_iter=10).fit(counts)
    names = counter.get_feature_names_out()
    shares = model.components_ / model.components_.sum(axis=0)
    return [
        {names[i]: float(shares[n, i]) for i in weights.argsort()[::-1][:40]}
        for n, weights in enumerate(model.components_)
    ]


def stems_of(topic: dict) -> dict:
    """The beginnings of a topic's words, and of the everyday names of its subject, with shares."""
    first = set(list(topic)[:HEAD])
    own = [name for name, words in SUBJECTS.items() if len(first & set(words.split())) > HEAD / 2]
    stems = {word[:5]: share for word, share in reversed(topic.items())}
    return stems | {word[:5]: 1.0 for name in own for word in NAMES[name].split()}


def check(case: Case) -> None:
    import re

    themes = dict(
        re.findall(
            r"topic\s*#?(\d+)\s*[:：.\-]\s*(.+)", case.answer.replace("*", ""), re.IGNORECASE
        )
    )
    case.demand(
        "answer: five topics",
        sorted(map(int, themes)) in ([1, 2, 3, 4, 5], [0, 1, 2, 3, 4]),
        "Topic 1: … to Topic 5: …",
        f"{len(themes)} lines",
        message=f"The answer gives {len(themes)} topics in the form asked for.",
    )
    case.expect(
        "answer: different themes",
        len({prose.flat(t) for t in themes.values()}) == 5,
        "5 different",
        len({prose.flat(t) for t in themes.values()}),
    )
    long = max(len(t.split()) for t in themes.values())
    case.expect(
        "answer: themes, no lists",
        long <= 30,
        "30 words or fewer each",
        long,
        message="A theme of the answer is a list of words.",
    )
    topics = topics_of(longest_texts(case.data / "LDA.csv"))
    stems = [stems_of(topic) for topic in topics]
    hits: set = set()
    for theme in themes.values():
        mine = {w.lower()[:5] for w in re.findall(r"[A-Za-z]{3,}", theme)}
        shares = [sum(topic.get(stem, 0.0) for stem in mine) for topic in stems]
        best = max(range(5), key=lambda n: shares[n])
        if shares[best] > 0:
            hits.add(best)
    case.expect(
        "answer: themes of this collection",
        len(hits) >= 4,
        "4 of 5 topics met",
        f"{len(hits)} of 5",
        message=f"The themes share words with {len(hits)} of the collection's five topics.",
    )


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/LDA.csv")
print(df.shape, df.columns.tolist())
print(df.head())
""",
        """
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.feature_extraction.text import CountVectorizer

column = df.select_dtypes(exclude="number").apply(lambda s: s.astype(str).str.len().mean()).idxmax()
texts = df[column].dropna().astype(str)
counter = CountVectorizer(stop_words="english", max_df=0.9, min_df=2)
model = LatentDirichletAllocation(5, random_state=1).fit(counter.fit_transform(texts))
names = counter.get_feature_names_out()
for number, weights in enumerate(model.components_, 1):
    print(f"topic{number}:", ", ".join(names[i] for i in weights.argsort()[-6:][::-1]))
""",
    ],
    "answer": "Topic 1: «topic1»\nTopic 2: «topic2»\nTopic 3: «topic3»\nTopic 4: «topic4»\nTopic 5: «topic5»",
}
WRONG = {
    "generic-themes": {
        "why": "names themes that any collection might have",
        "cells": [],
        "answer": "Topic 1: Politics\nTopic 2: Technology\nTopic 3: Business\nTopic 4: Health\nTopic 5: Entertainment",
    },
    "three-topics": {
        "why": "fits three topics although five are asked for",
        "cells": [],
        "answer": "Topic 1: bread and dough\nTopic 2: train and station\nTopic 3: planet and orbit",
    },
    "one-theme-five-times": {
        "why": "reports the most frequent words of the whole collection for every topic",
        "cells": [],
        "answer": "Topic 1: notes on bread\nTopic 2: notes on bread\nTopic 3: notes on bread\nTopic 4: notes on bread\nTopic 5: notes on bread",
    },
}
