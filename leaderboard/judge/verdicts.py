"""Verdicts of judges on one attempt or run, as pages show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q

from leaderboard.judge.ceilings import ceiling_of
from leaderboard.models import Attempt, JudgeVerdict, Judging, Run
from leaderboard.money.ceiling import CeilingUse
from leaderboard.scoring.agreement import IntervalEstimate, share
from runner.judge.prompts import CRITERIA
from runner.judge.reply_schema import CANNOT_TELL, ERROR, FAIL, PASS

GLYPHS = {PASS: "passed", FAIL: "failed", CANNOT_TELL: "partial", ERROR: "void"}
ANSWERS = {"yes": "passed", "no": "failed", CANNOT_TELL: "partial"}


@dataclass(frozen=True)
class ShownCriterion:
    """A judge's answer to one criterion."""

    text: str
    answer: str
    glyph: str
    steps: tuple[int, ...]
    why: str


@dataclass(frozen=True)
class ShownVerdict:
    """A judge's verdict on an attempt."""

    row: JudgeVerdict
    criteria: tuple[ShownCriterion, ...]

    @property
    def glyph(self) -> str:
        return GLYPHS.get(self.row.verdict, "void")

    @property
    def differs(self) -> bool:
        """True if the check says otherwise."""
        passed = self.row.attempt.passed
        return passed is not None and self.row.verdict == (FAIL if passed else PASS)


def verdicts_on(attempt: Attempt) -> list[ShownVerdict]:
    """The verdicts on the try that counts, by judge. One query."""
    rows = JudgeVerdict.objects.filter(attempt=attempt, try_number=attempt.counted_try)
    found = rows.select_related("judging__judge").defer("raw").order_by("judging__judge__name")
    return [show_verdict(row, attempt) for row in found]


def show_verdict(row: JudgeVerdict, attempt: Attempt) -> ShownVerdict:
    row.attempt = attempt
    return ShownVerdict(row, tuple(map(show_criterion, row.criteria)))


def show_criterion(stored: Mapping[str, Any]) -> ShownCriterion:
    key, answer = str(stored["key"]), str(stored["answer"])
    text = CRITERIA.get(key, key)
    steps = tuple(int(step) for step in stored["steps"])
    return ShownCriterion(text, answer, ANSWERS.get(answer, "void"), steps, str(stored["why"]))


@dataclass(frozen=True)
class JudgedRun:
    """A judge's verdicts on a run, with their own denominator."""

    judging: Judging
    passes: int
    fails: int
    cannot_tell: int
    errors: int
    agrees: int  # with the check, of those that it decided

    @property
    def ceiling(self) -> CeilingUse | None:
        return ceiling_of(self.judging)

    @property
    def decided(self) -> int:
        return self.passes + self.fails

    @property
    def rate(self) -> IntervalEstimate | None:
        return share(self.passes, self.decided)

    @property
    def agreement(self) -> IntervalEstimate | None:
        return share(self.agrees, self.decided)

    @property
    def judged(self) -> int:
        return self.decided + self.cannot_tell + self.errors


def judged_runs(run: Run) -> list[JudgedRun]:
    """The judges' verdicts on a run. One query."""
    counts = with_counts(Judging.objects.filter(run=run).select_related("judge"))
    return [judged_run(row) for row in counts.order_by("judge__is_scripted", "judge__name")]


def with_counts(judgings: Any) -> Any:
    def count(condition: Q) -> Count:
        counts = Q(verdicts__try_number=F("verdicts__attempt__tries"))
        return Count("verdicts", filter=condition & counts)

    same = Q(verdicts__verdict=PASS, verdicts__attempt__passed=True) | Q(
        verdicts__verdict=FAIL, verdicts__attempt__passed=False
    )
    return judgings.annotate(
        passes=count(Q(verdicts__verdict=PASS)),
        fails=count(Q(verdicts__verdict=FAIL)),
        unsure=count(Q(verdicts__verdict=CANNOT_TELL)),
        in_error=count(Q(verdicts__verdict=ERROR)),
        same=count(same),
    )


def judged_run(row: Any) -> JudgedRun:
    return JudgedRun(row, row.passes, row.fails, row.unsure, row.in_error, row.same)


def judged_all(rows: Sequence[Any]) -> list[JudgedRun]:
    return [judged_run(row) for row in rows]
