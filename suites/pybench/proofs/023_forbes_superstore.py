# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "all-countries": {
        "why": "another form of the same",
        "answer": "Women per country: Estania 52, **Norland 20**, Westmark 15, Sudland 13. Since Norland has the most Superstore locations, the answer is 20.",
    },
    "in-a-word": {"why": "the number alone", "answer": "«women»"},
    "with-reasons": {
        "why": "with how it was found",
        "edits": {
            'print("country:", country)': 'print("country:", country)\nprint("orders:", f"{(store[\'Country\'] == country).sum():,}")'
        },
        "answer": "1. The country with the most Superstore locations is **«country»** («orders» orders).\n2. Of the Forbes Top 100 Women, **«women»** are from «country».",
    },
    "chinese": {
        "why": "in Chinese",
        "answer": "超市分店最多的国家是 «country»，福布斯女性榜单中有 «women» 位来自该国。",
    },
    "sentence-of-words": {
        "why": "the number first",
        "answer": "«women» of the Forbes Top 100 Women are from «country», the country with the highest number of Superstore locations.",
    },
}
NEAR_MISSES = {
    "one-more": {
        "why": "one woman too many",
        "edits": {"== country).sum())": "== country).sum() + 1)"},
    },
    "all": {
        "why": "all women of the list",
        "edits": {
            '(women["Country/Territory"] == country).sum()': 'women["Country/Territory"].notna().sum()'
        },
    },
    "second-country": {
        "why": "the second country",
        "edits": {
            'store["Country"].value_counts().idxmax()': 'store["Country"].value_counts().index[1]'
        },
    },
    "per-cent-of-orders": {
        "why": "the share of the orders in per cent",
        "edits": {
            '(women["Country/Territory"] == country).sum()': 'round((store["Country"] == country).mean() * 100)'
        },
    },
    "none": {
        "why": "says none",
        "answer": "None of the Forbes Top 100 Women are from that country.",
    },
    "about": {
        "why": "about half of it",
        "edits": {"== country).sum())": "== country).sum() // 2)"},
    },
}
