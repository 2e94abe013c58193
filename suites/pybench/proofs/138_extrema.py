"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "as-a-literal": {"why": "answers with empty lists", "answer": "{'maxima': [], 'minima': []}"},
    "each-none": {"why": "each by itself", "answer": "极大值：无\n极小值：无"},
    "neither": {
        "why": "answers in English",
        "answer": "The discriminant is -20, so neither a maximum nor a minimum exists.",
    },
}
NEAR_MISSES = {
    "one-in-a-clause": {
        "why": "denies one and claims the other in one sentence",
        "answer": "没有极大值，极小值在 x=-1 处取得 2",
    },
    "half": {
        "why": "denies one and claims the other",
        "answer": "没有极大值，但在 x≈-0.67 附近取得极小值约 2.41。",
    },
    "exchanged": {"why": "claims the other one", "answer": "没有极小值，极大值为 2.59。"},
}
