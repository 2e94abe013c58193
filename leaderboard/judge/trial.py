"""The trial of a judge: its verdicts on public runs against strict checks and against people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet

from leaderboard.failures.tags import BY_KEY
from leaderboard.models import FailureTag, HumanLabel, Judge, JudgeVerdict, Run, Suite
from leaderboard.models.querysets import sum_of_states
from leaderboard.process_cache import Shelf
from leaderboard.scoring.agreement import Confusion, IntervalEstimate, correct_rate, share
from runner.judge.reply_schema import CANNOT_TELL, ERROR, FAIL, PASS

MOST_JUDGES = 12
MOST_LINES = 200  # of one table
MOST_NAMES = 10  # of models that replied
NONE = Confusion()
LANGUAGES = {"en": "English", "zh": "Chinese"}
NO_TITLES: Mapping[str, str] = MappingProxyType({})
LEAST_ATTEMPTS = 20  # below, a line is grey


@dataclass(frozen=True)
class TrialLine:
    """Verdicts of a judge on a group of attempts, against the strict check."""

    name: str
    counts: Confusion = NONE
    cannot_tell: int = 0
    errors: int = 0
    address: str = ""

    @property
    def asked(self) -> int:
        return self.counts.count + self.undecided

    @property
    def undecided(self) -> int:
        return self.cannot_tell + self.errors

    @property
    def is_small(self) -> bool:
        return self.counts.count < LEAST_ATTEMPTS

    @property
    def passed(self) -> IntervalEstimate | None:
        """The judge's pass rate, of the attempts on which it decided."""
        return self.counts.over_tasks(lambda one: share(one.true_pass + one.false_pass, one.count))


@dataclass(frozen=True)
class MissedTag:
    """Failed attempts whose first tag is this one, and how many of them the judge passes."""

    key: str
    title: str
    missed: int
    failed: int

    @property
    def rate(self) -> IntervalEstimate | None:
        return share(self.missed, self.failed)


@dataclass(frozen=True)
class JudgeTrial:
    """Everything that the page says of one judge."""

    judge: Judge
    overall: TrialLine
    models: list[TrialLine] = field(default_factory=list)
    categories: list[TrialLine] = field(default_factory=list)
    languages: list[TrialLine] = field(default_factory=list)
    people: Confusion = NONE  # against labels by people
    split_labels: int = 0  # attempts on which people disagree: not counted
    missed: list[MissedTag] = field(default_factory=list)
    # Models that its endpoint named, with the verdicts of each, where not all are the pinned one.
    replied_as: list[tuple[str, int]] = field(default_factory=list)
    stamp: tuple[object, ...] = ()  # of the verdicts and labels that it was made of

    @property
    def corrected(self) -> IntervalEstimate | None:
        """The pass rate of all that it decided, corrected by its errors on labelled attempts."""
        truth, counts = self.people, self.overall.counts
        return correct_rate(
            counts.true_pass + counts.false_pass,
            counts.count,
            truth.true_pass,
            truth.true_pass + truth.false_fail,
            truth.true_fail,
            truth.true_fail + truth.false_pass,
        )


# While verdicts come in, a trial is as old as this; a run that is withdrawn is gone at once.
TRIALS: Shelf[JudgeTrial] = Shelf(size=2 * MOST_JUDGES, rest_s=10.0)


def public_verdicts(judge: Judge) -> QuerySet[JudgeVerdict]:
    """Verdicts that count: of the try that counts, of runs that are on the board now."""
    return JudgeVerdict.objects.filter(
        judging__judge=judge,
        judging__run__in=Run.objects.on_board().filter(suite__is_private=False).values("pk"),
        attempt__passed__isnull=False,
        try_number=F("attempt__tries"),
    )


def list_judges() -> list[Judge]:
    """Judges, language models before fixed rules, the newest first."""
    return list(Judge.objects.order_by("is_scripted", "-pk")[:MOST_JUDGES])


def try_judge(judge: Judge) -> JudgeTrial:
    """The judge's trial; made anew once a verdict, a label or a run changes. Three queries, and
    four more where it is made."""
    runs = Run.objects.on_board().filter(judgings__judge=judge)
    states = runs.aggregate(count=Count("pk"), states=sum_of_states())
    stamp = stamp_of(judge)
    key = (judge.pk, *states.values())
    return TRIALS.get(key, lambda: make_trial(judge, stamp), lambda kept: kept.stamp == stamp)


def stamp_of(judge: Judge) -> tuple[object, ...]:
    """Changes with every verdict and label."""
    rows = JudgeVerdict.objects.filter(judging__judge=judge)
    labels = HumanLabel.objects.aggregate(count=Count("pk"), last=Max("created_at"))
    verdicts = rows.aggregate(count=Count("pk"), last=Max("pk"))
    return (*verdicts.values(), *labels.values())


def make_trial(judge: Judge, stamp: tuple[object, ...] = ()) -> JudgeTrial:
    verdicts = public_verdicts(judge)
    people, split = count_labels(verdicts)
    groups = list(
        verdicts.order_by()
        .values(
            "verdict",
            passed=F("attempt__passed"),
            slug=F("judging__run__entry__slug"),
            model=F("judging__run__entry__name"),
            category=F("attempt__category"),
            language=F("attempt__task__language"),
            task=F("attempt__task"),
        )
        .annotate(count=Count("pk"))
    )
    overall = add_up("all", groups)
    return JudgeTrial(
        judge,
        overall,
        models=lines_by(groups, "slug", "model"),
        categories=lines_by(groups, "category", "category", title_categories(verdicts)),
        languages=lines_by(groups, "language", "language", LANGUAGES),
        people=people,
        split_labels=split,
        missed=count_missed(verdicts),
        replied_as=count_names(judge, verdicts),
        stamp=stamp,
    )


def title_categories(verdicts: QuerySet[JudgeVerdict]) -> dict[str, str]:
    """Title of each category key in the suites that have verdicts."""
    judged = verdicts.order_by().values("judging__run__suite")
    suites = Suite.objects.filter(pk__in=judged).values_list("categories", flat=True)
    return {category["key"]: category["title"] for categories in suites for category in categories}


def lines_by(
    groups: Iterable[Mapping[str, Any]], key: str, name: str, titles: Mapping[str, str] = NO_TITLES
) -> list[TrialLine]:
    """A line per value of `key`, those with the most attempts first."""
    parts: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for group in groups:
        parts[group[key]].append(group)
    names = {value: str(part[0][name]) for value, part in parts.items()}
    lines = [
        add_up(titles.get(names[value], names[value]), part, value) for value, part in parts.items()
    ]
    return sorted(lines, key=lambda line: (-line.asked, line.name))[:MOST_LINES]


def add_up(name: str, groups: Iterable[Mapping[str, Any]], address: str = "") -> TrialLine:
    counts: dict[tuple[str, bool], int] = defaultdict(int)
    by_task: dict[int, dict[tuple[str, bool], int]] = defaultdict(lambda: defaultdict(int))
    for group in groups:
        said = group["verdict"], group["passed"]
        counts[said] += group["count"]
        by_task[group["task"]][said] += group["count"]
    return TrialLine(
        name,
        confusion_of(counts, by_task.values()),
        counts[CANNOT_TELL, True] + counts[CANNOT_TELL, False],
        counts[ERROR, True] + counts[ERROR, False],
        address,
    )


def confusion_of(
    counts: Mapping[tuple[str, bool], int], of_tasks: Iterable[Mapping[tuple[str, bool], int]] = ()
) -> Confusion:
    """Counts by the judge's verdict and whether the truth is a pass, and those of each task."""
    return Confusion(
        counts.get((PASS, True), 0),
        counts.get((PASS, False), 0),
        counts.get((FAIL, True), 0),
        counts.get((FAIL, False), 0),
        tuple(found for task in of_tasks if (found := confusion_of(task)).count),
    )


def count_labels(verdicts: QuerySet[JudgeVerdict]) -> tuple[Confusion, int]:
    """The judge against people, where those who labelled an attempt agree; and where they do not.

    A label counts for the try that it was given to; the run's owner is no witness.
    """
    owner = F("judging__run__entry__owner")
    is_owned = Q(judging__run__entry__owner__isnull=False, attempt__labels__author=owner)
    counting = Q(attempt__labels__try_number=F("try_number")) & ~is_owned
    labelled = Count("attempt__labels", filter=counting)
    passes = Count("attempt__labels", filter=counting & Q(attempt__labels__passed=True))
    counts: dict[tuple[str, bool], int] = defaultdict(int)
    by_task: dict[int, dict[tuple[str, bool], int]] = defaultdict(lambda: defaultdict(int))
    split = 0
    rows = verdicts.filter(attempt__labels__isnull=False, verdict__in=(PASS, FAIL))
    named = rows.order_by().values("pk", "verdict", task=F("attempt__task"))
    of_attempts = named.annotate(of=labelled, passes=passes)
    for row in of_attempts.filter(of__gt=0):
        if 0 < row["passes"] < row["of"]:
            split += 1
        else:
            said = row["verdict"], row["passes"] > 0
            counts[said] += 1
            by_task[row["task"]][said] += 1
    return confusion_of(counts, by_task.values()), split


def count_missed(verdicts: QuerySet[JudgeVerdict]) -> list[MissedTag]:
    """By the first failure tag, how many failed attempts the judge passes; the most first."""
    failed = verdicts.filter(attempt__passed=False, verdict__in=(PASS, FAIL))
    tags = FailureTag.objects.filter(position=0, attempt__judge_verdicts__in=failed.values("pk"))
    missed = Count("attempt__judge_verdicts", filter=Q(
        attempt__judge_verdicts__in=failed.filter(verdict=PASS).values("pk")
    ))  # fmt: skip
    total = Count("attempt__judge_verdicts", filter=Q(
        attempt__judge_verdicts__in=failed.values("pk")
    ))  # fmt: skip
    rows = tags.order_by().values("tag").annotate(missed=missed, total=total)
    found = [
        MissedTag(row["tag"], BY_KEY[row["tag"]].title, row["missed"], row["total"])
        for row in rows
        if row["tag"] in BY_KEY
    ]
    return sorted(found, key=lambda tag: (-tag.missed, -tag.failed, tag.key))


def count_names(judge: Judge, verdicts: QuerySet[JudgeVerdict]) -> list[tuple[str, int]]:
    """Models that replied, as the endpoint names them; nothing where all are the pinned one."""
    rows = verdicts.exclude(replied_as="").order_by().values_list("replied_as")
    counted = rows.annotate(count=Count("pk")).order_by("-count", "replied_as")[:MOST_NAMES]
    found = [(str(name), int(count)) for name, count in counted]
    return [] if [name for name, _ in found] in ([], [judge.model_name]) else found


DISAGREEMENTS = {
    "judge-passes": Q(verdict=PASS, attempt__passed=False),
    "check-passes": Q(verdict=FAIL, attempt__passed=True),
}


def list_disagreements(judge: Judge, kind: str = "") -> QuerySet[JudgeVerdict]:
    """Verdicts that differ from the check's, the newest first."""
    wanted = (
        DISAGREEMENTS.get(kind) or DISAGREEMENTS["judge-passes"] | DISAGREEMENTS["check-passes"]
    )
    related = ("attempt__task__suite", "judging__run__entry")
    return public_verdicts(judge).filter(wanted).select_related(*related).order_by("-pk")
