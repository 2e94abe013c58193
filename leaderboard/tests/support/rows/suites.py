"""Suites and their tasks."""

from __future__ import annotations

from collections.abc import Sequence

from leaderboard.models import Suite, Task

CATEGORIES = [
    {"key": "chart", "title": "Chart analysis"},
    {"key": "text", "title": "Text analysis"},
    {"key": "image", "title": "Image & audio editing"},
    {"key": "maths", "title": "Complex maths"},
    {"key": "software", "title": "Software & website development"},
]
TASKS = [
    ("quarterly-sales", "Sales by quarter", "chart", "en", ["sales.csv"], ["quarters.csv"]),
    ("station-temperatures", "Warmest station of each month", "chart", "en", ["t.xlsx"], ["w.csv"]),
    ("word-frequency", "Most frequent words of a novel", "text", "en", ["book.txt"], ["top.json"]),
    ("news-digest", "新闻摘要与关键词", "text", "zh", ["news.md"], ["keywords.txt"]),
    ("rotate-photo", "Turn a photograph upright", "image", "en", ["in.png"], ["upright.png"]),
    ("trim-silence", "Trim the silence of a recording", "image", "en", ["a.wav"], ["b.wav"]),
    ("shortest-route", "Shortest delivery route", "maths", "en", ["map.json"], []),
    ("static-page", "A page from a price list", "software", "en", ["p.tsv"], ["index.html"]),
]

TaskFacts = tuple[str, str, str, str, list[str], list[str]]


def numbered(tasks: int) -> list[TaskFacts]:
    """As many tasks, in the first three categories by turns."""
    return [
        (f"task-{n}", f"Task {n}", CATEGORIES[n % 3]["key"], "en", [], [])
        for n in range(1, tasks + 1)
    ]


def make_suite(name: str = "starter", tasks: int | Sequence[TaskFacts] = TASKS) -> Suite:
    facts = numbered(tasks) if isinstance(tasks, int) else tasks
    suite = Suite.objects.create(
        name=name,
        version="1",
        title=f"{name.title()} suite",
        description="Everyday file tasks whose inputs are generated from a seed.",
        digest="ab" * 32,
        seed=20261121,
        categories=CATEGORIES,
        limits={"max_turns": 10},
    )
    Task.objects.bulk_create(
        Task(
            suite=suite,
            key=key,
            position=position,
            title=title,
            category=category,
            language=language,
            query=query_of(language),
            inputs=inputs,
            outputs=outputs,
            digest="cd" * 32,
        )
        for position, (key, title, category, language, inputs, outputs) in enumerate(facts, 1)
    )
    return suite


def query_of(language: str) -> str:
    if language == "zh":
        return "读 ./data/news.md，把最常见的五个关键词存到 ./output/keywords.txt。"
    return (
        "Sum the column `amount` of ./data/sales.csv by quarter of `date` and save "
        "./output/quarters.csv with the columns quarter and amount, in order."
    )
