# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Collect the open action items from meeting minutes in Word, in prose and in tables."""

import random
from datetime import date, timedelta
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables

TITLE = "Action items from the minutes"
CATEGORY = "text"
QUERY = """
./data/minutes.docx holds the minutes of three meetings of «year». Please collect every action item that is still open into ./output/actions.csv with the columns `id`, `owner`, `due` (YYYY-MM-DD) and `task` (the wording in the minutes, without a full stop at the end), sorted by due date, then by id.

Action items stand in the running text as paragraphs of the form “ACTION A-12 (owner): task, by date.” and also in the tables. A later meeting may close an item (“A-12 is done”), drop it, or move its date (“A-12 is moved to …”) or hand it to somebody else (“A-12 goes to …”): use what was decided last. All dates are in «year»; where the year is missing it is that year. Dates written with slashes are day/month.
"""
INPUTS = ["minutes.docx"]
OUTPUTS = ["actions.csv"]

OWNERS = ["Lena", "Tomás", "Aylin", "Priya", "Jonas", "Mei"]
TASKS = [
    "order the new lab benches", "ask the landlord about the side entrance", "draft the data policy",
    "compare three insurers", "repair the projector in room 4", "write to the school board",
    "collect the keys from the former staff", "update the emergency numbers", "book the autumn venue",
    "translate the visitor leaflet", "check the fire doors", "renew the domain name",
    "prepare the budget table", "invite the two speakers", "label the server cables",
    "measure the noise in the canteen",
]  # fmt: skip


def spoken(rng: random.Random, day: date) -> str:
    return rng.choice(
        [
            f"{day.day} {day:%B}",
            f"{day:%B} {day.day}, {day.year}",
            f"{day:%d/%m/%Y}",
            f"{day:%Y-%m-%d}",
            f"{day.day} {day:%b}",
        ]
    )


def make_inputs(seed: int, data: Path) -> dict:
    from runner.checks.inputs import build

    rng = random.Random(seed)
    year = rng.randint(2023, 2026)
    tasks = rng.sample(TASKS, len(TASKS))
    start = date(year, rng.randint(1, 3), rng.randint(3, 20))
    meetings = [start, start + timedelta(days=35), start + timedelta(days=70)]
    items: dict[str, dict] = {}
    blocks: list[list[tuple]] = [[], [], []]
    for number, task in enumerate(tasks):
        held = number * 3 // len(tasks)
        item = {
            "id": f"A-{number + 11}",
            "owner": rng.choice(OWNERS),
            "due": meetings[held] + timedelta(days=rng.randint(12, 160)),
            "task": task,
        }
        items[item["id"]] = item
        written = {**item, "due": spoken(rng, item["due"])}
        if number == len(tasks) - 1:  # which stays open, with a date that also reads month/day
            item["due"] = item["due"].replace(day=5 if item["due"].month != 5 else 6)
            written["due"] = f"{item['due']:%d/%m/%Y}"
        blocks[held].append(("row" if number % 3 == 1 else "line", written))
    closed = decide(rng, meetings, items, blocks)
    build.write_docx(
        data / "minutes.docx", lambda document: write_minutes(document, meetings, blocks)
    )
    expected = [
        {**item, "due": item["due"].isoformat()} for key, item in items.items() if key not in closed
    ]
    return {"year": year, "items": sorted(expected, key=lambda i: (i["due"], i["id"]))}


def decide(rng: random.Random, meetings: list[date], items: dict, blocks: list) -> set[str]:
    """Later meetings close, drop, move and hand over items; the ids that are no longer open."""
    early = rng.sample([key for key in items if key < "A-21"], 7)
    closed = set(early[:3])
    blocks[1].append(("text", f"{early[0]} is done."))
    blocks[2].append(("text", f"It was agreed to drop {early[1]}; nobody needs it any more."))
    blocks[2].append(("text", f"{early[2]} is done, thanks to everybody who helped."))
    for key, held in ((early[3], 1), (early[4], 2), (early[3], 2)):
        items[key]["due"] = meetings[held] + timedelta(days=rng.randint(20, 140))
        blocks[held].append(("text", f"{key} is moved to {spoken(rng, items[key]['due'])}."))
    for key in early[5:7]:
        items[key]["owner"] = rng.choice([o for o in OWNERS if o != items[key]["owner"]])
        blocks[2].append(("text", f"{key} goes to {items[key]['owner']}; the date stays."))
    return closed


def write_minutes(document: object, meetings: list[date], blocks: list) -> None:
    document.add_heading(f"Minutes {meetings[0].year}", 0)
    for day, block in zip(meetings, blocks, strict=True):
        document.add_heading(f"Meeting of {day:%d %B %Y}", 1)
        document.add_paragraph("The minutes of the last meeting were approved without changes.")
        for kind, content in block:
            if kind == "line":
                paragraph = document.add_paragraph("", style="List Bullet")
                paragraph.add_run(f"ACTION {content['id']} ").bold = True
                paragraph.add_run(f"({content['owner']}): {content['task']}, by {content['due']}.")
            elif kind == "text":
                document.add_paragraph(content)
        rows = [content for kind, content in block if kind == "row"]
        document.add_paragraph("Further items were noted in the table.")
        table = document.add_table(rows=1, cols=4)
        for cell, name in zip(table.rows[0].cells, ["No.", "Task", "Owner", "Due"], strict=True):
            cell.text = name
        for row in rows:
            values = [row["id"], row["task"], row["owner"], row["due"]]
            for cell, value in zip(table.add_row().cells, values, strict=True):
                cell.text = value


def check(case: Case) -> None:
    expected = case.parameters["items"]
    ordered = [{name: item[name] for name in ("id", "owner", "due", "task")} for item in expected]
    table = tables.read(case, "actions.csv")
    tables.match(case, table, ordered)
    tables.expect_form(case, table, "due", r"\d{4}-\d\d-\d\d", "YYYY-MM-DD")


REFERENCE = {
    "cells": [
        r"""
import docx

document = docx.Document("data/minutes.docx")
for paragraph in document.paragraphs:
    print(paragraph.style.name, "|", paragraph.text)
for table in document.tables:
    for row in table.rows:
        print([cell.text for cell in row.cells])
""",
        r"""
import re
from datetime import datetime

YEAR = «year»


def to_date(text):
    text = text.strip().rstrip(".")
    for form in ("%Y-%m-%d", "%d/%m/%Y", "%B %d, %Y", "%d %B %Y", "%d %b %Y"):
        for candidate in (text, f"{text} {YEAR}"):
            try:
                return datetime.strptime(candidate, form).strftime("%Y-%m-%d")
            except ValueError:
                pass
    raise ValueError(text)


items = {}
for table in document.tables:
    for row in table.rows[1:]:
        number, task, owner, due = [cell.text for cell in row.cells]
        items[number] = {"id": number, "owner": owner, "due": to_date(due), "task": task}
for paragraph in document.paragraphs:
    text = paragraph.text
    found = re.fullmatch(r"ACTION (A-\d+) \((.+?)\): (.+), by (.+)\.", text)
    if found:
        items[found[1]] = {"id": found[1], "owner": found[2], "due": to_date(found[4]), "task": found[3]}
    elif found := re.match(r"(A-\d+) is moved to (.+)\.$", text):
        items[found[1]]["due"] = to_date(found[2])
    elif found := re.match(r"(A-\d+) goes to (\w+)", text):
        items[found[1]]["owner"] = found[2]
    elif found := re.search(r"(A-\d+) is done|drop (A-\d+)", text):
        del items[found[1] or found[2]]
print(len(items))
""",
        r"""
import pandas as pd

result = pd.DataFrame(items.values()).sort_values(["due", "id"])
result.to_csv("output/actions.csv", index=False)
result
""",
    ],
    "answer": "I saved the open action items to ./output/actions.csv.",
}
WRONG = {
    "decisions-ignored": {
        "why": "lists the items as first noted, whatever was decided later",
        "cells": [
            r"""
import re
import docx
import pandas as pd

document = docx.Document("data/minutes.docx")
rows = []
for table in document.tables:
    for row in table.rows[1:]:
        number, task, owner, due = [cell.text for cell in row.cells]
        rows.append((number, owner, due, task))
for paragraph in document.paragraphs:
    found = re.fullmatch(r"ACTION (A-\d+) \((.+?)\): (.+), by (.+)\.", paragraph.text)
    if found:
        rows.append((found[1], found[2], found[4], found[3]))
df = pd.DataFrame(rows, columns=["id", "owner", "due", "task"])
text = df["due"].where(df["due"].str.contains("«year»"), df["due"] + " «year»")
iso = text.str.match(r"\d{4}-")
df.loc[iso, "due"] = text[iso]
df.loc[~iso, "due"] = pd.to_datetime(text[~iso], format="mixed", dayfirst=True).dt.strftime("%Y-%m-%d")
df.sort_values(["due", "id"]).to_csv("output/actions.csv", index=False)
"""
        ],
        "answer": "I saved the open action items.",
    },
    "tables-overlooked": {
        "why": "reads the paragraphs only",
        "cells": [
            r"""
import re
import docx
import pandas as pd

document = docx.Document("data/minutes.docx")
items = {}
for paragraph in document.paragraphs:
    text = paragraph.text
    if found := re.fullmatch(r"ACTION (A-\d+) \((.+?)\): (.+), by (.+)\.", text):
        items[found[1]] = [found[1], found[2], found[4], found[3]]
    elif (found := re.match(r"(A-\d+) is moved to (.+)\.$", text)) and found[1] in items:
        items[found[1]][2] = found[2]
    elif (found := re.match(r"(A-\d+) goes to (\w+)", text)) and found[1] in items:
        items[found[1]][1] = found[2]
    elif found := re.search(r"(A-\d+) is done|drop (A-\d+)", text):
        items.pop(found[1] or found[2], None)
df = pd.DataFrame(items.values(), columns=["id", "owner", "due", "task"])
text = df["due"].where(df["due"].str.contains("«year»"), df["due"] + " «year»")
iso = text.str.match(r"\d{4}-")
df.loc[iso, "due"] = text[iso]
df.loc[~iso, "due"] = pd.to_datetime(text[~iso], format="mixed", dayfirst=True).dt.strftime("%Y-%m-%d")
df.sort_values(["due", "id"]).to_csv("output/actions.csv", index=False)
"""
        ],
        "answer": "I saved the open action items.",
    },
}
