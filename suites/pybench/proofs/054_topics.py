# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
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
GAMERS = {
    "all-words": {
        "why": "every word in each theme",
        "answer": """Topic 1: w «topic1» «topic2» «topic3» «topic4» «topic5» w «topic1» «topic2» «topic3» «topic4» «topic5» w «topic1» «topic2» «topic3» «topic4» «topic5» w «topic1» «topic2» «topic3» «topic4» «topic5» w «topic1» «topic2» «topic3» «topic4» «topic5» w «topic1» «topic2» «topic3» «topic4» «topic5» w «topic1» «topic2» «topic3» «topic4» «topic5» w «topic1» «topic2» «topic3» «topic4» «topic5»
Topic 2: b
Topic 3: c
Topic 4: d
Topic 5: e""",
    },
}
LEFT_OUT = {
    "answer-as-formula": "the query gives the form “Topic 1: …”, which its number as a formula is not",
    "swap-labels": "the order of the topics is the model's",
}
