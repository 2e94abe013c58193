"""Filters for attempts over all runs: tag, outcome, exception, step, task, entry, suite, words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Q

from leaderboard.failures.tags import BY_KEY, Tag
from leaderboard.models import FailureTag, clean
from leaderboard.models.querysets import AttemptQuerySet
from leaderboard.rendering.text import in_words
from runner.contract import Outcome

MAX_VALUE_CHARS = 200
MAX_WORDS = 8
WORD = re.compile(r'"([^"]+)"|(\S+)')

VOID = frozenset(outcome.value for outcome in Outcome if outcome.is_void)
IS_VOID = Q(passed=None, outcome__in=VOID)
STATES: Mapping[str, Q] = {
    "failed": Q(passed=False),
    "void": IS_VOID,
    "unjudged": Q(passed=None) & ~IS_VOID,
    "passed": Q(passed=True),
}
NOT_PASSED = "not-passed"  # any state but passed
UNLESS_SAID = "failed"

MANY = 10  # steps that are not told apart from more
NO_STEP = "none"
OUTCOMES: Mapping[str, str] = {outcome.value: in_words(outcome) for outcome in Outcome}
FIRST_STEPS: Mapping[str, str] = {
    NO_STEP: "no step",
    **{str(n): f"step {n}" for n in range(1, MANY)},
    f"{MANY}+": f"step {MANY} or later",
}
TURNS: Mapping[str, str] = {
    "0": "none",
    "1": "1 step",
    **{str(n): f"{n} steps" for n in range(2, MANY)},
    f"{MANY}+": f"{MANY} steps or more",
}


def count_value(number: int) -> str:
    """A step's or turn's number as a facet's value, as in "3" or "10+"."""
    return str(number) if number < MANY else f"{MANY}+"


def first_step_value(index: int | None) -> str:
    """Value of the first step that failed; `index` is None where none did."""
    return NO_STEP if index is None else count_value(index)


def states_of(state: str) -> tuple[str, ...]:
    """The states that a filter's `state` stands for."""
    if state == NOT_PASSED:
        return tuple(name for name in STATES if name != "passed")
    return (state or UNLESS_SAID,)


@dataclass(frozen=True)
class Filter:
    """A filter; each field is a name in the address, "" for everything."""

    q: str = ""  # words, or "several in quotes", each of which must occur
    tag: str = ""
    outcome: str = ""  # runner.contract.Outcome
    exception: str = ""
    step: str = ""  # the first that failed: a number, "10+", or "none"
    turns: str = ""  # a number, or "10+"
    category: str = ""
    task: str = ""  # its key
    entry: str = ""  # its slug
    suite: str = ""  # "name@version"
    run: str = ""  # its number
    state: str = ""  # "" is what failed
    baselines: str = ""  # "1": scripted entries too

    def query(self, **changes: str) -> str:
        """The filter as the query of an address, with some of it changed."""
        asked = replace(self, **changes)
        return urlencode({name: value for name, value in vars(asked).items() if value})

    @property
    def run_id(self) -> int | None:
        """The run's number; None where the filter names none."""
        is_number = self.run.isascii() and self.run.isdigit() and len(self.run) < 16
        return int(self.run) if is_number else None

    @property
    def words(self) -> list[str]:
        return [a or b for a, b in WORD.findall(self.q)][:MAX_WORDS]


def read_filter(asked: Mapping[str, Any]) -> Filter:
    """The filter that an address holds; what it says beyond is ignored."""
    values = {
        f.name: clean(str(asked.get(f.name, "")).strip(), MAX_VALUE_CHARS) for f in fields(Filter)
    }
    if values["state"] not in (*STATES, NOT_PASSED):
        values["state"] = ""
    return Filter(**values)


def count_tags_of(runs_attempts: AttemptQuerySet) -> list[tuple[Tag, int]]:
    """Count how often each tag is given to these attempts, the most frequent first: one query."""
    rows = FailureTag.objects.filter(attempt__in=runs_attempts.values("pk")).order_by()
    return name_tags(dict(rows.values_list("tag").annotate(Count("pk"))))


def name_tags(counts: Mapping[str, int]) -> list[tuple[Tag, int]]:
    """The most frequent first."""
    ordered = sorted(counts.items(), key=lambda row: -row[1])
    return [(BY_KEY[key], count) for key, count in ordered if key in BY_KEY]


EXCERPT_CHARS = 60  # either side of the word


@dataclass(frozen=True)
class Excerpt:
    """Excerpt around the first word found."""

    before: str
    word: str
    after: str


def excerpt_of(body: str, words: Iterable[str]) -> Excerpt | None:
    plain = lowered(body)
    for word in words:
        start = plain.find(lowered(word))
        if start >= 0:
            end = start + len(word)
            before, after = body[max(0, start - EXCERPT_CHARS) : start], body[end:]
            after = after[:EXCERPT_CHARS]
            found = body[start:end]
            return Excerpt(" ".join(before.split("\n")), found, " ".join(after.split("\n")))
    return None


def lowered(text: str) -> str:
    """`text` in small letters, each in its place: one letter would become two."""
    return text.replace("İ", "i").lower()
