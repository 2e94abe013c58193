# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "bullets": {
        "why": "a list in bullets",
        "answer": """- 科幻
- 悬疑
- 太空
- 文明
- 真相""",
    },
    "with-lead": {
        "why": "a sentence before the list",
        "answer": "这部小说的主题关键词如下：科幻，未知信号，失踪，人工智能，人性",
    },
}
NEAR_MISSES = {
    "romance": {
        "why": "another genre",
        "answer": "言情、爱情、都市、成长、家庭",
    },
    "genre-in-english": {
        "why": "names the genre in English",
        "answer": "science fiction, mystery, space, truth",
    },
}
