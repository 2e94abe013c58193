"""Seeds a board of realistic size: entries, runs, attempts, and steps for some of them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from math import exp

from leaderboard.failures.tagging import list_within
from leaderboard.failures.tags import TAGS, TAGS_VERSION
from leaderboard.models import (
    Attempt,
    AttemptText,
    Entry,
    FailureTag,
    Run,
    RunSummary,
    Step,
    Suite,
    Task,
    pack,
)
from leaderboard.scoring import figures, standings
from leaderboard.scoring.summaries import scored
from leaderboard.storage import attempt_rows
from leaderboard.tests.support.rows import failing_steps, failing_verdict
from runner.contract import Limits, Outcome, Status, StepStatus

SEED = 20240723
MAX_TURNS = 10
BATCH_RUNS = 30  # written at once
NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
ERRORS = ("KeyError", "FileNotFoundError", "ValueError", "ModuleNotFoundError", "TypeError")
ERROR_BODY = pack({"thought": "", "code": "totals = sales['quarter']", "outputs": []})
RARE_WORDS = 5000
TAG_CHANCE = 0.12  # of each tag on a failed attempt: 2 to 3 tags

CATEGORIES = (  # key, title, share of the tasks
    ("chart", "Chart analysis", 0.32),
    ("text", "Text analysis", 0.21),
    ("image", "Image & audio editing", 0.18),
    ("maths", "Complex maths", 0.11),
    ("software", "Software & website development", 0.18),
)
MAKERS = ("Northwind", "Lattice Lab", "Université de Test", "清源", "Open Collective", "")
NAMES = ("Foo", "Halcyon", "Kestrel", "Meridian Coder", "Pangolin", "星火 Instruct")
SIZES_B = (3.0, 7.0, 14.0, 32.0, 70.0, 235.0, None)
WORDS = """
import pandas as pd read_csv data output groupby sum mean plot savefig KeyError column index 销售
ValueError saved the result to file quarter amount total 12480.50 0.274 image resize audio 季度
trim silence words frequency route distance solve matrix page html price list 合计
"""


@dataclass(frozen=True)
class Scale:
    """The amount of rows to seed."""

    entries: int = 300
    runs_per_entry: int = 3
    tasks: int = 143
    text_chars: int = 1500  # of what can be searched of one attempt


def seed_rows(scale: Scale) -> Run:
    """Everything that the pages read. The run returned, the last, has whole conversations."""
    chance = random.Random(SEED)
    suite = make_suite(scale.tasks)
    tasks = list(suite.tasks.all())
    hardness = {task.pk: chance.gauss(0, 1.5) for task in tasks}
    texts = [make_text(chance, scale.text_chars) for _ in range(200)]
    runs = make_runs(suite, make_entries(chance, scale.entries), scale.runs_per_entry)
    for start in range(0, len(runs), BATCH_RUNS):
        batch = runs[start : start + BATCH_RUNS]
        attempts = [a for run in batch for a in play_run(chance, run, tasks, hardness)]
        Attempt.objects.bulk_create(attempts, batch_size=500)
        write_findings(chance, attempts, texts)
        write_errors(attempts)
        Attempt.objects.bulk_update(
            attempts, ["tag_list", "error_list", "first_failed_step"], batch_size=500
        )
        write_summaries(attempts)
    tell_stories(runs[-1])
    standings.refresh(suite)
    return runs[-1]


def make_suite(task_count: int) -> Suite:
    suite = Suite.objects.create(
        name="everyday",
        version="1",
        title="Everyday files",
        description="Seeded to measure the pages.",
        digest="ab" * 32,
        seed=SEED,
        categories=[{"key": key, "title": title} for key, title, _ in CATEGORIES],
        limits=asdict(Limits(max_turns=MAX_TURNS)),
    )
    Task.objects.bulk_create(
        Task(
            suite=suite,
            key=f"task-{position}",
            position=position,
            title=f"Everyday task number {position}",
            category=category_at(position, task_count),
            query="Sum the column `amount` of ./data/sales.csv by quarter and save the table as "
            "./output/quarters.csv with the columns quarter and amount.",
            inputs=["sales.csv"],
            outputs=["quarters.csv"],
            digest="cd" * 32,
        )
        for position in range(1, task_count + 1)
    )
    return suite


def category_at(position: int, task_count: int) -> str:
    """The category of the task at `position` (from 1), the categories in turn by their shares."""
    upto = 0.0
    for key, _, share in CATEGORIES:
        upto += share
        if position <= round(upto * task_count):
            return key
    return CATEGORIES[-1][0]


def make_entries(chance: random.Random, count: int) -> list[Entry]:
    return Entry.objects.bulk_create(
        Entry(
            slug=f"entry-{number}",
            name=f"{NAMES[number % len(NAMES)]} {number}",
            organisation=MAKERS[number % len(MAKERS)],
            model_name=f"model-{number}",
            parameters_b=SIZES_B[number % len(SIZES_B)],
            weights=chance.choice(Entry.Weights.values),
            provenance=Entry.Provenance.RUN_HERE,
        )
        for number in range(1, count + 1)
    )


def make_runs(suite: Suite, entries: Sequence[Entry], per_entry: int) -> list[Run]:
    """The runs of every entry, all done: first every entry's first run."""
    runs = [
        Run(
            entry=entry,
            suite=suite,
            seed=SEED,
            limits=suite.limits,
            environment={"sandbox": "zygote", "kernel environment": "ef" * 32},
            status=Status.DONE,
            published_at=NOW,
            started_at=NOW - timedelta(hours=len(entries) * per_entry - number),
            finished_at=NOW - timedelta(hours=len(entries) * per_entry - number - 1),
        )
        for number, entry in enumerate(list(entries) * per_entry)
    ]
    return Run.objects.bulk_create(runs, batch_size=500)


OPENING = pack(
    {
        "messages": [
            {"role": "system", "content": "You are given a Python interpreter. " + WORDS},
            {"role": "user", "content": "Sum the column by quarter."},
        ],
        "query": "Sum the column by quarter.",
        "seed": SEED,
        "inputs": [{"path": "sales.csv", "size_bytes": 812, "sha256": "0" * 64}],
    }
)
CLOSING = pack({"answer": "The totals are saved in output/quarters.csv.", "environment": {}})


def play_run(
    chance: random.Random, run: Run, tasks: Sequence[Task], hardness: Mapping[int, float]
) -> Iterator[Attempt]:
    """An attempt for each task; a good entry and an easy task make a pass likely."""
    skill = random.Random(run.entry_id).gauss(0.3, 1.2)
    for task in tasks:
        passed = chance.random() < 1 / (1 + exp(hardness[task.pk] - skill))
        yield end_attempt(chance, Attempt(run=run, task=task, category=task.category), passed)


def end_attempt(chance: random.Random, attempt: Attempt, passed: bool) -> Attempt:
    attempt.status, attempt.tries, attempt.passed = Status.DONE, 1, passed
    attempt.turns = chance.randint(2, 8 if passed else MAX_TURNS)
    is_over_turns = attempt.turns == MAX_TURNS
    attempt.outcome = Outcome.OUT_OF_TURNS if is_over_turns else Outcome.FINISHED
    attempt.sentence = (
        "Passed: all 4 checks passed."
        if passed
        else "Failed: quarters.csv has 5 rows, the query asks for 4."
    )
    attempt.prompt_tokens = 1400 * attempt.turns
    attempt.completion_tokens = chance.randint(80, 400) * attempt.turns
    attempt.model_s, attempt.cell_s = 2.1 * attempt.turns, 0.4 * attempt.turns
    attempt.wall_s = attempt.model_s + attempt.cell_s
    attempt.started_at, attempt.finished_at = NOW, NOW + timedelta(seconds=attempt.wall_s)
    attempt.opening, attempt.closing = OPENING, CLOSING
    return attempt


def make_text(chance: random.Random, length_chars: int) -> str:
    """Words as texts have them: the n-th most frequent one is n times rarer than the first."""
    words = WORDS.split() + [f"name_{number}" for number in range(RARE_WORDS)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    return " ".join(chance.choices(words, weights, k=length_chars // 6))[:length_chars]


def write_findings(
    chance: random.Random, attempts: Sequence[Attempt], texts: Sequence[str]
) -> None:
    """Write the search index of each attempt, and the tags of those that failed."""
    AttemptText.objects.bulk_create(
        (AttemptText(attempt=a, body=chance.choice(texts)) for a in attempts), batch_size=500
    )
    keys = [tag.key for tag in TAGS if not tag.is_infrastructure and not tag.is_positive]
    failed = [attempt for attempt in attempts if not attempt.passed]
    given = [[key for key in keys if chance.random() < TAG_CHANCE] for _ in failed]
    for attempt, tags in zip(failed, given, strict=True):
        attempt.tag_list = list_within(tags)
    FailureTag.objects.bulk_create(
        (
            FailureTag(attempt=attempt, tag=key, position=position, version=str(TAGS_VERSION))
            for attempt, tags in zip(failed, given, strict=True)
            for position, key in enumerate(tags)
        ),
        batch_size=2000,
    )


def write_summaries(attempts: Sequence[Attempt]) -> None:
    """The figures of every run among these, by the function that the site uses."""
    by_run: dict[int, list[Attempt]] = {}
    for attempt in attempts:
        by_run.setdefault(attempt.run_id, []).append(attempt)
    RunSummary.objects.bulk_create(
        RunSummary(run_id=run_id, category=category, **asdict(each))
        for run_id, members in by_run.items()
        for category, each in figures.summarise(map(scored, members), MAX_TURNS).items()
    )


def write_errors(attempts: Sequence[Attempt]) -> None:
    """One step that raised for every attempt that failed."""
    failed = [attempt for attempt in attempts if not attempt.passed]
    for number, attempt in enumerate(failed):
        attempt.first_failed_step = 1
        attempt.error_list = list_within([ERRORS[number % len(ERRORS)]])
    Step.objects.bulk_create(
        (
            Step(
                attempt=attempt,
                index=1,
                status=StepStatus.ERROR,
                error_name=ERRORS[number % len(ERRORS)],
                body=ERROR_BODY,
            )
            for number, attempt in enumerate(failed)
        ),
        batch_size=2000,
    )


def tell_stories(run: Run) -> None:
    """Give every attempt of the run a conversation of six steps with all that they may hold."""
    Step.objects.filter(attempt__run=run).delete()
    bodies = [(step, attempt_rows.step_body(step)) for step in failing_steps()]
    kept = [attempt_rows.keep_changes(step) for step, _ in bodies]
    for attempt in run.attempts.all():
        for (step, body), files in zip(bodies, kept, strict=True):
            attempt_rows.save_step(attempt, step, body, files)
        attempt_rows.save_verdict(attempt.pk, attempt.tries, failing_verdict())
