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
GAMERS = {
    "full-width": {
        "why": "names, address and date in full-width signs, which no search finds",
        "edits": {
            "json.dump(lease, open": """wide = {n: n + 0xFEE0 for n in range(33, 127)}
lease = {k: v.translate(wide) if isinstance(v, str) else v for k, v in lease.items()}
json.dump(lease, open""",
        },
    },
    "below-line-ends": {
        "why": "names in raised letters, each below four thousand line ends",
        "edits": {
            "json.dump(lease, open": """raised = str.maketrans("adehiklmnorstw", "ᵃᵈᵉʰᶦᵏˡᵐⁿᵒʳˢᵗʷ")
lease = {k: "\\n" * 4000 + v.translate(raised) if isinstance(v, str) else v for k, v in lease.items()}
json.dump(lease, open""",
        },
    },
    "every-key-many-times": {
        "why": "each key stands five times, four times with a wrong value",
        "cells": [
            """
import pymupdf

text = "\\n".join(page.get_text() for page in pymupdf.open("data/lease.pdf"))
print(text)
""",
            """
import json
import re
from datetime import datetime

flat = re.sub(r"\\s+", " ", text)
words = {"two": 2, "three": 3, "four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12}


def money(found):
    return float(found.replace(",", ""))


first_rent = money(re.search(r"monthly net rent is EUR ([\\d,.]+\\d)", flat)[1])
rises = [money(m) for m in re.findall(r"net rent is raised by (?:a further )?EUR ([\\d,.]+\\d)", flat)]
rent = round(first_rent + sum(rises), 2)
charges = money(re.search(r"advance for charges is now EUR ([\\d,.]+\\d)", flat)[1])
begin = re.search(r"tenancy begins on (\\d+ \\w+ \\d{4})", flat)[1]
lease = {
    "landlord": re.search(r"between (.+?) \\(hereinafter the landlord", flat)[1],
    "tenant": re.search(r"and ([^()]+?) \\(hereinafter the tenant", flat)[1],
    "address": re.search(r"the flat at (.+?), second", flat)[1],
    "area_m2": float(re.search(r"living area of ([\\d.]+) square", flat)[1]),
    "start": datetime.strptime(begin, "%d %B %Y").strftime("%Y-%m-%d"),
    "rent_eur": rent,
    "charges_eur": charges,
    "deposit_eur": round(words[re.search(r"deposit of (\\w+) monthly", flat)[1]] * first_rent, 2),
    "notice_weeks": words[re.search(r"notice period becomes (\\w+) weeks", flat)[1]],
    "pets_allowed": "replaced: the keeping of pets is allowed" in flat,
    "yearly_total_eur": round(12 * (rent + charges), 2),
}
json.dump(lease, open("output/lease.json", "w"), indent=1)
lease
""",
            """
import json
def doubled(name, wrong):
    d = json.load(open(name, encoding="utf-8-sig"))
    def one(d):
        pairs = [f"{json.dumps(k, ensure_ascii=False)}: {json.dumps(w, ensure_ascii=False)}" for k in d for w in wrong] + [f"{json.dumps(k, ensure_ascii=False)}: {json.dumps(v, ensure_ascii=False)}" for k, v in d.items()]
        return "{" + ", ".join(pairs) + "}"
    open(name, "w", encoding="utf-8").write(one(d) if isinstance(d, dict) else "[" + ", ".join(map(one, d)) + "]")
""",
            'doubled("output/lease.json", [1, 2, "x", None])',
        ],
    },
    "every-value-listed": {
        "why": "lists of candidates for each number",
        "edits": {
            '"rent_eur": rent,': '"rent_eur": [rent, first_rent],',
        },
    },
    "in-foreign-blanks": {
        "why": "names, address and date lie among scores of blanks and line ends of other scripts: the date is none, and no name is found",
        "edits": {
            'json.dump(lease, open("output/lease.json", "w"), indent=1)': """blank = "\\u2028\\u3000\\u2003" * 13
lease = {k: blank + blank.join(v.split()) + blank if isinstance(v, str) else v for k, v in lease.items()}
json.dump(lease, open("output/lease.json", "w"), indent=1)""",
        },
    },
}
GAPS = {
    "in-foreign-blanks": "The check takes any blanks for one, as people do who read a text; a program that compares names or reads the date finds none of them.",
}
