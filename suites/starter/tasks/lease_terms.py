# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Read the terms of a lease and its amendments out of a PDF into JSON."""

import random
from datetime import date, timedelta
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables
from runner.checks.values import number, same

TITLE = "The terms of a lease, as amended"
CATEGORY = "text"
QUERY = """
./data/lease.pdf is a rental agreement with its amendments at the end. Please extract the terms that are in force now, that is after all amendments, and save them as one JSON object in ./output/lease.json with exactly these keys:

- "landlord" and "tenant": the names of the parties
- "address": street and number of the flat
- "area_m2": number
- "start": first day of the tenancy, YYYY-MM-DD
- "rent_eur": monthly net rent without charges, number
- "charges_eur": monthly advance for charges, number
- "deposit_eur": number (the agreement gives it in monthly net rents; what counts is the net rent at the start of the tenancy)
- "notice_weeks": the tenant's notice period in weeks, integer
- "pets_allowed": true or false
- "yearly_total_eur": twelve times the sum of the current rent and charges, number
"""
INPUTS = ["lease.pdf"]
OUTPUTS = ["lease.json"]

PEOPLE = [
    "Carla Brandt",
    "Henrik Falk",
    "Ioana Petrescu",
    "Samuel Adeyemi",
    "Greta Lindqvist",
    "Marek Nowak",
]
STREETS = ["Mill Lane", "Harbour Street", "Linden Avenue", "Station Road", "Orchard Walk"]
TIMES = {2: "two", 3: "three"}
WEEKS = {4: "four", 6: "six", 8: "eight", 10: "ten", 12: "twelve"}


def make_inputs(seed: int, data: Path) -> dict:
    from runner.checks.inputs import build

    rng = random.Random(seed)
    landlord, tenant = rng.sample(PEOPLE, 2)
    start = date(rng.randint(2016, 2020), rng.randint(1, 12), 1)
    rents = [rng.randrange(62_000, 118_000)]
    rents += [rents[0] + rng.randrange(2_500, 6_000)]
    rents += [rents[1] + rng.randrange(2_500, 6_000)]
    charges = [rng.randrange(9_000, 19_000), rng.randrange(19_500, 26_000)]
    months, weeks = rng.choice([2, 3]), rng.sample(list(WEEKS), 2)
    pets_first = rng.random() < 0.5
    facts = {
        "landlord": landlord,
        "tenant": tenant,
        "address": f"{rng.choice(STREETS)} {rng.randint(3, 180)}",
        "area_m2": rng.randrange(400, 1100) / 10,
        "start": start.isoformat(),
        "rent_eur": rents[2] / 100,
        "charges_eur": charges[1] / 100,
        "deposit_eur": months * rents[0] / 100,
        "notice_weeks": weeks[1],
        "pets_allowed": not pets_first,
        "yearly_total_eur": 12 * (rents[2] + charges[1]) / 100,
    }
    pages = agreement(facts, start, rents[0], charges[0], months, weeks[0], pets_first)
    pages.append(amendments(rng, start, rents, charges[1], weeks[1], not pets_first))
    numbered = [
        [
            f"Rental agreement {tenant} - page {n} of {len(pages)}",
            "",
            *page,
            "",
            "initials: ____ / ____",
        ]
        for n, page in enumerate(pages, 1)
    ]
    build.write_pdf(data / "lease.pdf", numbered)
    return facts


def euros(cents: int) -> str:
    return f"EUR {cents / 100:,.2f}"


def agreement(
    facts: dict, start: date, rent: int, charges: int, months: int, weeks: int, pets: bool
) -> list[list[str]]:
    first = [
        "RENTAL AGREEMENT", "",
        f"between {facts['landlord']} (hereinafter the landlord)",
        f"and {facts['tenant']} (hereinafter the tenant).", "",
        "1. The flat",
        f"The landlord lets to the tenant the flat at {facts['address']}, second floor,",
        f"with a living area of {facts['area_m2']} square metres. A cellar of 6.5 square",
        "metres belongs to it.", "",
        "2. Beginning",
        f"This agreement was signed on {start - timedelta(days=19):%d %B %Y}. The tenancy begins on",
        f"{start:%d %B %Y} and runs for an indefinite time.",
    ]  # fmt: skip
    pets_line = "is allowed" if pets else "is not allowed without written con-"
    second = [
        "3. Rent",
        f"The monthly net rent is {euros(rent)}. In addition the tenant pays a monthly",
        f"advance for charges of {euros(charges)}, so that {euros(rent + charges)} fall due on the",
        "third working day of each month.", "",
        "4. Deposit",
        f"The tenant provides a deposit of {TIMES[months]} monthly net rents.", "",
        "5. Notice",
        "The landlord's notice period is twenty-six weeks; the tenant may end the tenancy",
        f"with a notice period of {WEEKS[weeks]} weeks.", "",
        "6. Animals",
        f"The keeping of pets {pets_line}",
        "." if pets else "sent of the landlord.",
    ]  # fmt: skip
    return [first, second]


def amendments(
    rng: random.Random, start: date, rents: list[int], charges: int, weeks: int, pets: bool
) -> list[str]:
    days = [
        start + timedelta(days=rng.randint(400, 700)),
        start + timedelta(days=rng.randint(800, 1200)),
    ]
    return [
        f"AMENDMENT 1, signed on {days[0]:%d %B %Y}", "",
        f"In section 3 the monthly net rent is raised by {euros(rents[1] - rents[0])}.",
        f"Section 6 is replaced: the keeping of pets {'is allowed' if pets else 'is not allowed'}.", "",
        f"AMENDMENT 2, signed on {days[1]:%d %B %Y}", "",
        f"In section 3 the monthly net rent is raised by a further {euros(rents[2] - rents[1])},",
        f"and the monthly advance for charges is now {euros(charges)}.",
        f"In section 5 the tenant's notice period becomes {WEEKS[weeks]} weeks; the landlord's",
        "notice period stays as it is. The deposit is not changed.",
    ]  # fmt: skip


def check(case: Case) -> None:
    with case.reading("lease.json", "JSON") as path:
        found = tables.parsed(path.read_text("utf-8-sig"))
        if not isinstance(found, dict):
            raise TypeError("it is no object")
    keys = list(case.parameters)
    same_keys = sorted(found) == sorted(keys)
    case.expect("keys", same_keys, ", ".join(keys), ", ".join(map(str, found)), "lease.json")
    for key, expected in case.parameters.items():
        value = found.get(key)
        if isinstance(expected, bool):
            holds = value is expected
        elif isinstance(expected, str):
            holds = isinstance(value, str) and same(value, expected)
        else:
            said = None if isinstance(value, str) else number(value)
            holds = said is not None and abs(said - expected) < 0.0051
        case.expect(key, holds, expected, value, "lease.json")


REFERENCE = {
    "cells": [
        r"""
import pymupdf

text = "\n".join(page.get_text() for page in pymupdf.open("data/lease.pdf"))
print(text)
""",
        r"""
import json
import re
from datetime import datetime

flat = re.sub(r"\s+", " ", text)
words = {"two": 2, "three": 3, "four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12}


def money(found):
    return float(found.replace(",", ""))


first_rent = money(re.search(r"monthly net rent is EUR ([\d,.]+\d)", flat)[1])
rises = [money(m) for m in re.findall(r"net rent is raised by (?:a further )?EUR ([\d,.]+\d)", flat)]
rent = round(first_rent + sum(rises), 2)
charges = money(re.search(r"advance for charges is now EUR ([\d,.]+\d)", flat)[1])
begin = re.search(r"tenancy begins on (\d+ \w+ \d{4})", flat)[1]
lease = {
    "landlord": re.search(r"between (.+?) \(hereinafter the landlord", flat)[1],
    "tenant": re.search(r"and ([^()]+?) \(hereinafter the tenant", flat)[1],
    "address": re.search(r"the flat at (.+?), second", flat)[1],
    "area_m2": float(re.search(r"living area of ([\d.]+) square", flat)[1]),
    "start": datetime.strptime(begin, "%d %B %Y").strftime("%Y-%m-%d"),
    "rent_eur": rent,
    "charges_eur": charges,
    "deposit_eur": round(words[re.search(r"deposit of (\w+) monthly", flat)[1]] * first_rent, 2),
    "notice_weeks": words[re.search(r"notice period becomes (\w+) weeks", flat)[1]],
    "pets_allowed": "replaced: the keeping of pets is allowed" in flat,
    "yearly_total_eur": round(12 * (rent + charges), 2),
}
json.dump(lease, open("output/lease.json", "w"), indent=1)
lease
""",
    ],
    "answer": "The terms in force are in ./output/lease.json.",
}
WRONG = {
    "amendments-ignored": {
        "why": "stops reading at the end of the agreement proper",
        "cells": [
            r"""
import json, re
from datetime import datetime
import pymupdf

flat = re.sub(r"\s+", " ", "\n".join(page.get_text() for page in pymupdf.open("data/lease.pdf")))
words = {"two": 2, "three": 3, "four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12}
money = lambda t: float(t.replace(",", ""))
rent = money(re.search(r"monthly net rent is EUR ([\d,.]+\d)", flat)[1])
charges = money(re.search(r"advance for charges of EUR ([\d,.]+\d)", flat)[1])
lease = {
    "landlord": re.search(r"between (.+?) \(herein", flat)[1],
    "tenant": re.search(r"and ([^()]+?) \(hereinafter the tenant", flat)[1],
    "address": re.search(r"the flat at (.+?), second", flat)[1],
    "area_m2": float(re.search(r"living area of ([\d.]+) square", flat)[1]),
    "start": datetime.strptime(re.search(r"begins on (\d+ \w+ \d{4})", flat)[1], "%d %B %Y").strftime("%Y-%m-%d"),
    "rent_eur": rent,
    "charges_eur": charges,
    "deposit_eur": words[re.search(r"deposit of (\w+) monthly", flat)[1]] * rent,
    "notice_weeks": words[re.search(r"with a notice period of (\w+) weeks", flat)[1]],
    "pets_allowed": "keeping of pets is allowed" in flat.split("AMENDMENT 1")[0],
    "yearly_total_eur": round(12 * (rent + charges), 2),
}
json.dump(lease, open("output/lease.json", "w"))
"""
        ],
        "answer": "The terms are in ./output/lease.json.",
    },
    "deposit-from-current-rent": {
        "why": "computes the deposit from the rent after the amendments",
        "cells": [
            r"""
import json, re
from datetime import datetime
import pymupdf

flat = re.sub(r"\s+", " ", "\n".join(page.get_text() for page in pymupdf.open("data/lease.pdf")))
words = {"two": 2, "three": 3, "four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12}
money = lambda t: float(t.replace(",", ""))
rent = money(re.search(r"monthly net rent is EUR ([\d,.]+\d)", flat)[1])
rent = round(rent + sum(map(money, re.findall(r"raised by (?:a further )?EUR ([\d,.]+\d)", flat))), 2)
charges = money(re.search(r"charges is now EUR ([\d,.]+\d)", flat)[1])
lease = {
    "landlord": re.search(r"between (.+?) \(herein", flat)[1],
    "tenant": re.search(r"and ([^()]+?) \(hereinafter the tenant", flat)[1],
    "address": re.search(r"the flat at (.+?), second", flat)[1],
    "area_m2": float(re.search(r"living area of ([\d.]+) square", flat)[1]),
    "start": datetime.strptime(re.search(r"begins on (\d+ \w+ \d{4})", flat)[1], "%d %B %Y").strftime("%Y-%m-%d"),
    "rent_eur": rent,
    "charges_eur": charges,
    "deposit_eur": words[re.search(r"deposit of (\w+) monthly", flat)[1]] * rent,
    "notice_weeks": words[re.search(r"period becomes (\w+) weeks", flat)[1]],
    "pets_allowed": "replaced: the keeping of pets is allowed" in flat,
    "yearly_total_eur": round(12 * (rent + charges), 2),
}
json.dump(lease, open("output/lease.json", "w"))
"""
        ],
        "answer": "The terms are in ./output/lease.json.",
    },
    "first-amendment-only": {
        "why": "overlooks the second rise of the rent",
        "cells": [
            r"""
import json, re
from datetime import datetime
import pymupdf

flat = re.sub(r"\s+", " ", "\n".join(page.get_text() for page in pymupdf.open("data/lease.pdf")))
words = {"two": 2, "three": 3, "four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12}
money = lambda t: float(t.replace(",", ""))
first = money(re.search(r"monthly net rent is EUR ([\d,.]+\d)", flat)[1])
rent = round(first + money(re.search(r"raised by EUR ([\d,.]+\d)", flat)[1]), 2)
charges = money(re.search(r"charges is now EUR ([\d,.]+\d)", flat)[1])
lease = {
    "landlord": re.search(r"between (.+?) \(herein", flat)[1],
    "tenant": re.search(r"and ([^()]+?) \(hereinafter the tenant", flat)[1],
    "address": re.search(r"the flat at (.+?), second", flat)[1],
    "area_m2": float(re.search(r"living area of ([\d.]+) square", flat)[1]),
    "start": datetime.strptime(re.search(r"begins on (\d+ \w+ \d{4})", flat)[1], "%d %B %Y").strftime("%Y-%m-%d"),
    "rent_eur": rent,
    "charges_eur": charges,
    "deposit_eur": words[re.search(r"deposit of (\w+) monthly", flat)[1]] * first,
    "notice_weeks": words[re.search(r"period becomes (\w+) weeks", flat)[1]],
    "pets_allowed": "replaced: the keeping of pets is allowed" in flat,
    "yearly_total_eur": round(12 * (rent + charges), 2),
}
json.dump(lease, open("output/lease.json", "w"))
"""
        ],
        "answer": "The terms are in ./output/lease.json.",
    },
}
