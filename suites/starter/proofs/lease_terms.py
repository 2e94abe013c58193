# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "whole-numbers": {
        "why": "whole euros as integers, keys in another order",
        "edits": {
            "json.dump(lease, open": """lease = {k: int(v) if isinstance(v, float) and v == int(v) else v for k, v in sorted(lease.items())}
json.dump(lease, open""",
        },
    },
    "compact": {
        "why": "JSON on one line, umlauts as they are",
        "edits": {
            "indent=1)": "ensure_ascii=False)",
        },
    },
}
NEAR_MISSES = {
    "parties-exchanged": {
        "why": "landlord and tenant exchanged",
        "edits": {
            "json.dump(lease, open": """lease["landlord"], lease["tenant"] = lease["tenant"], lease["landlord"]
json.dump(lease, open""",
        },
    },
    "monthly-for-yearly": {
        "why": "the month's sum for the year's",
        "edits": {
            "round(12 * (rent + charges), 2)": "round(rent + charges, 2)",
        },
    },
    "cents": {
        "why": "the rent in cents",
        "edits": {
            '"rent_eur": rent,': '"rent_eur": 100 * rent,',
        },
    },
}
GAMERS = {
    "every-value-listed": {
        "why": "lists of candidates for each number",
        "edits": {
            '"rent_eur": rent,': '"rent_eur": [rent, first_rent],',
        },
    },
}
