# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "everyday-names": {
        "why": "short names of the themes, none of the topics' own words",
        "cells": [],
        "answer": "Topic 1: Gardening\nTopic 2: Rail travel\nTopic 3: Cycling\nTopic 4: Astronomy\nTopic 5: Home baking",
    },
    "everyday-names-from-zero": {
        "why": "numbered from 0, in bold",
        "cells": [],
        "answer": "**Topic 0:** Outer space & the night sky\n**Topic 1:** Horticulture\n**Topic 2:** Biking\n**Topic 3:** Bakeries\n**Topic 4:** Railroads",
    },
    "bullets": {
        "why": "the same form in bold bullets",
        "answer": """- **Topic 1**: «topic1»
- **Topic 2**: «topic2»
- **Topic 3**: «topic3»
- **Topic 4**: «topic4»
- **Topic 5**: «topic5»""",
    },
    "other-order": {
        "why": "the topics in another order",
        "answer": """Topic 1: «topic3»
Topic 2: «topic1»
Topic 3: «topic5»
Topic 4: «topic2»
Topic 5: «topic4»""",
    },
}
NEAR_MISSES = {
    "other-everyday-names": {
        "why": "two right names among made-up ones",
        "cells": [],
        "answer": "Topic 1: Gardening\nTopic 2: Sports\nTopic 3: Science\nTopic 4: Travel\nTopic 5: Baking",
    },
    "everyday-names-twice": {
        "why": "three subjects under five names",
        "cells": [],
        "answer": "Topic 1: Gardening\nTopic 2: Horticulture\nTopic 3: Astronomy\nTopic 4: Stargazing\nTopic 5: Cycling",
    },
    "four-of-five": {
        "why": "one theme is missing",
        "answer": """Topic 1: «topic1»
Topic 2: «topic2»
Topic 3: «topic3»
Topic 4: «topic4»""",
    },
    "one-twice": {
        "why": "one theme stands twice",
        "answer": """Topic 1: «topic1»
Topic 2: «topic1»
Topic 3: «topic3»
Topic 4: «topic4»
Topic 5: «topic5»""",
    },
    "numbered-by-tens": {
        "why": "calls them topic 10 to 50",
        "answer": """Topic 10: «topic1»
Topic 20: «topic2»
Topic 30: «topic3»
Topic 40: «topic4»
Topic 50: «topic5»""",
    },
}
LEFT_OUT = {
    "answer-as-formula": "the query gives the form “Topic 1: …”, which its number as a formula is not",
    "swap-labels": "the order of the topics is the model's",
}
