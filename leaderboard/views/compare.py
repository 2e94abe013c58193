"""Two runs side by side: the picker, the comparison and its twins for programs."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass
from http import HTTPStatus

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from leaderboard.board import BoardRow, Tally, build_row
from leaderboard.board_records import guard
from leaderboard.compare import Pair, Result, Share, compare_pairs, record_result, say_p, say_result
from leaderboard.models import Attempt, Run, RunSummary
from leaderboard.rendering.text import strip_invisible
from leaderboard.scoring import OVERALL
from runner.contract import Status

MAX_CHOICES = 200  # runs offered, newest first
MAX_RUN_ID = 2**63 - 1
MOST = 2


class Refusal(Exception):
    """A question that cannot be answered, in a sentence."""

    def __init__(self, sentence: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status


@dataclass(frozen=True)
class Side:
    """One of the two runs, with its rate over all its tasks where every one has a verdict."""

    run: Run
    name: str
    rate: float | None
    low: float
    high: float
    tasks: int


@dataclass(frozen=True)
class Comparing:
    """Two runs, how they are called here, and what came of it."""

    a: BoardRow
    b: BoardRow
    names: tuple[str, str]
    pairs: list[Pair]
    result: Result | None

    @property
    def rows(self) -> list[Side]:
        """Both runs with their rate on all their tasks."""
        return [
            Side(
                row.run,
                name,
                row.rate if row.tally.is_complete else None,
                row.low,
                row.high,
                row.tasks,
            )
            for row, name in zip((self.a, self.b), self.names, strict=True)
        ]

    @property
    def p_words(self) -> str:
        return say_p(self.result.tests.p_value) if self.result else ""

    @property
    def title_a(self) -> str:
        return self.title_of(self.names[0])

    @property
    def title_b(self) -> str:
        return self.title_of(self.names[1])

    def title_of(self, name: str) -> str:
        is_once = self.result is not None and self.result.is_once
        return f"Only {name} passed" if is_once else f"{name} did better"

    @property
    def query(self) -> str:
        return f"?runs={self.a.run.pk},{self.b.run.pk}"

    @property
    def turned(self) -> str:
        return f"?runs={self.b.run.pk},{self.a.run.pk}"

    @property
    def sentence(self) -> str:
        if self.result is None:
            return "There is no task on which both runs have a verdict yet."
        return say_result(self.result, *self.names)


def compare(request: HttpRequest) -> HttpResponse:
    words = read_words(request)
    context: dict[str, object] = {"words": words, "first": words[0] if words else ""}
    status = HTTPStatus.OK
    try:
        if len(words) > 1:
            comparing = load_comparing(request, words)
            context["comparing"] = comparing
            context["suite"] = comparing.a.run.suite
        elif words:
            find_runs(request, words)
    except Refusal as refusal:
        context["refusal"], status = refusal.sentence, refusal.status
    context["choices"] = list_choices()
    return render(request, "compare.html", context, status=status)


def compare_json(request: HttpRequest) -> JsonResponse:
    """The comparison for programs; a question that cannot be answered is a sentence."""
    try:
        comparing = load_comparing(request, read_words(request))
    except Refusal as refusal:
        return JsonResponse({"error": refusal.sentence}, status=refusal.status)
    a, b = (
        {"run": row.run.pk, "entry": row.run.entry.name, "address": row.run.get_absolute_url()}
        for row in (comparing.a, comparing.b)
    )
    result = record_result(comparing.result) if comparing.result else None
    return JsonResponse({"suite": str(a_suite(comparing)), "a": a, "b": b, "result": result})


def compare_csv(request: HttpRequest) -> HttpResponse:
    """A row per task."""
    try:
        comparing = load_comparing(request, read_words(request))
    except Refusal as refusal:
        return HttpResponse(refusal.sentence, "text/plain; charset=utf-8", refusal.status)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    runs = comparing.a.run.pk, comparing.b.run.pk
    response["Content-Disposition"] = f'attachment; filename="runs-{runs[0]}-{runs[1]}.csv"'
    writer = csv.writer(response)
    writer.writerow(["task", "category", f"run_{runs[0]}", f"run_{runs[1]}"])
    for pair in comparing.pairs:
        writer.writerow([guard(pair.key), guard(pair.category), pair.a.share, pair.b.share])
    return response


def a_suite(comparing: Comparing) -> str:
    suite = comparing.a.run.suite
    return f"{suite.name}@{suite.version}"


def read_words(request: HttpRequest) -> list[str]:
    """The runs asked for: `runs=1,2` as links have it, `runs=1&runs=2` as the form sends it."""
    asked = ",".join(request.GET.getlist("runs"))[:400]
    return [word.strip() for word in asked.split(",") if word.strip()]


def load_comparing(request: HttpRequest, words: list[str]) -> Comparing:
    """Four queries. Raises Refusal."""
    if len(words) < MOST:
        raise Refusal("Two runs are needed: name them as in /compare/?runs=12,15.")
    if len(words) > MOST:
        raise Refusal(f"Two runs can be compared at a time; {len(words)} were named.")
    a, b = find_runs(request, words)
    if a.suite_id != b.suite_id:
        raise Refusal(
            f"Run {a.pk} is on {a.suite}, run {b.pk} on {b.suite}: only runs on the same version"
            " of a suite have the same tasks to be compared on."
        )
    pairs = load_pairs(a, b)
    row_a, row_b = load_rows([a, b])
    return Comparing(row_a, row_b, name_runs(a, b), pairs, compare_pairs(pairs, a.suite.categories))


def find_runs(request: HttpRequest, words: list[str]) -> list[Run]:
    """The runs with these numbers that the reader may see, in their order. Raises Refusal."""
    for word in words:
        if not (word.isascii() and word.isdigit() and int(word) <= MAX_RUN_ID):
            raise Refusal(f"“{strip_invisible(word)[:40]}” is no number of a run.")
    ids = [int(word) for word in words]
    if len(set(ids)) < len(ids):
        raise Refusal(f"Run {ids[0]} is compared with itself: choose another one.")
    found = Run.objects.visible_to(request.user).select_related("entry", "suite").in_bulk(ids)
    missing = [pk for pk in ids if pk not in found]
    if missing:
        raise Refusal(f"There is no run {missing[0]}.", HTTPStatus.NOT_FOUND)
    return [found[pk] for pk in ids]


def load_rows(runs: list[Run]) -> list[BoardRow]:
    summaries: dict[int, dict[str, RunSummary]] = defaultdict(dict)
    for summary in RunSummary.objects.filter(run__in=runs):
        summaries[summary.run_id][summary.category] = summary
    return [build_row(run, summaries[run.pk], Tally()) for run in runs]


def load_pairs(a: Run, b: Run) -> list[Pair]:
    """The tasks that both runs have, in the suite's order."""
    attempts = (
        Attempt.objects.filter(run__in=[a, b])
        .values_list("run_id", "task__key", "task__title", "category", "passed")
        .order_by("task__position", "number")
    )
    passes: dict[tuple[int, str], list[bool | None]] = defaultdict(list)
    facts: dict[str, tuple[str, str]] = {}
    for run_id, key, title, category, passed in attempts:
        passes[run_id, key].append(passed)
        facts[key] = (title, category)
    return [
        Pair(key, *facts[key], *(share_of(passes[run.pk, key], run, key) for run in (a, b)))
        for key in facts
        if (a.pk, key) in passes and (b.pk, key) in passes
    ]


def share_of(passes: list[bool | None], run: Run, key: str) -> Share:
    known = [passed for passed in passes if passed is not None]
    share = sum(known) / len(known) if len(known) == len(passes) else None
    return Share(share, reverse("replay", args=[run.pk, key]))


def name_runs(a: Run, b: Run) -> tuple[str, str]:
    """Their entries' names, with the runs' numbers where those do not tell them apart."""
    names = [strip_invisible(run.entry.name) or "?" for run in (a, b)]
    if names[0] == names[1]:
        return f"{names[0]} (run {a.pk})", f"{names[1]} (run {b.pk})"
    return names[0], names[1]


def list_choices() -> QuerySet[Run]:
    """Runs that can be compared: those with a verdict on every task."""
    complete = RunSummary.objects.filter(category=OVERALL, void=0, open=0).values("run")
    runs: QuerySet[Run] = (
        Run.objects.on_board()
        .filter(status=Status.DONE, pk__in=complete)
        .select_related("entry", "suite")
        .only("entry__name", "suite__name", "suite__version")
        .order_by("-suite_id", "entry__name", "-pk")[:MAX_CHOICES]
    )
    return runs
