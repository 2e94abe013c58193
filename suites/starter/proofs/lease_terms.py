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
    "exponents": {
        "why": "numbers with exponents, which JSON allows, and a byte-order mark",
        "edits": {
            'json.dump(lease, open("output/lease.json", "w"), indent=1)': 'text = json.dumps(lease, indent=4).replace(f\'"rent_eur": {rent}\', f\'"rent_eur": {rent:.6e}\')\nopen("output/lease.json", "w", encoding="utf-8-sig").write(text)'
        },
    },
    "weeks-as-float": {
        "why": "every number a float",
        "edits": {
            "json.dump(lease, open": "lease = {k: float(v) if type(v) is int else v for k, v in lease.items()}\njson.dump(lease, open"
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
    "landlords-notice": {
        "why": "the landlord's notice period",
        "edits": {'words[re.search(r"notice period becomes (\\w+) weeks", flat)[1]]': "26"},
    },
    "day-of-signing": {
        "why": "the day on which the agreement was signed",
        "edits": {
            'r"tenancy begins on (\\d+ \\w+ \\d{4})"': 'r"agreement was signed on (\\d+ \\w+ \\d{4})"'
        },
    },
    "with-the-cellar": {
        "why": "the cellar's area added",
        "edits": {
            'float(re.search(r"living area of ([\\d.]+) square", flat)[1])': 'round(float(re.search(r"living area of ([\\d.]+) square", flat)[1]) + 6.5, 1)'
        },
    },
    "pets-in-words": {
        "why": "true or false in quotes",
        "edits": {
            '"replaced: the keeping of pets is allowed" in flat': 'str("replaced: the keeping of pets is allowed" in flat).lower()'
        },
    },
    "within-an-object": {
        "why": "the object within another",
        "edits": {"json.dump(lease, open": 'lease = {"lease": lease}\njson.dump(lease, open'},
    },
}
