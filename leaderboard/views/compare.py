"""Two runs side by side: the picker, the comparison and its twins for programs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from http import HTTPStatus

from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from leaderboard.board.first_chart import FirstChart, draw_chosen
from leaderboard.board.pairs import suggest_pairs
from leaderboard.board.queries import choose_suite, list_suites, load_board
from leaderboard.board.rows import BoardRow
from leaderboard.models import Attempt, Run, RunSummary
from leaderboard.rendering.csv_response import answer_csv
from leaderboard.rendering.text import isolate, strip_invisible
from leaderboard.scoring.comparison import (
    Pair,
    Result,
    Share,
    compare_pairs,
    record_result,
    say_p,
    say_result,
)
from leaderboard.scoring.figures import OVERALL
from leaderboard.scoring.repeats import Estimate, record_repeats
from leaderboard.views.compare_group import answer_group_csv, answer_group_json, show_group
from leaderboard.views.compared_runs import (
    Refusal,
    Side,
    charts_query_of,
    count_ranked_models,
    find_runs,
    list_compared,
    list_draws,
    load_rows,
    require_comparable,
    share_of,
)
from runner.contract import Status

MAX_CHOICES = 200  # runs offered, newest first
MOST = 2  # more have a page of their own


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
        both = zip((self.a, self.b), self.names, strict=True)
        return [Side.of(row, name) for row, name in both]

    @property
    def first_chart(self) -> FirstChart | None:
        return draw_chosen([self.a, self.b])

    @property
    def charts_query(self) -> str:
        return charts_query_of([self.a.run, self.b.run])

    @property
    def draws(self) -> tuple[int, list[tuple[Side, Estimate, Estimate]]]:
        return list_draws(self.rows)

    @property
    def flipped(self) -> list[Pair]:
        """The tasks whose attempts disagree in one of the runs."""
        return [pair for pair in self.pairs if any(share.is_flipped for share in pair.shares)]

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
        return f"Only {isolate(name)} passed" if is_once else f"{isolate(name)} did better"

    @property
    def query(self) -> str:
        return f"?runs={self.a.run.pk},{self.b.run.pk}"

    @property
    def turned(self) -> str:
        return f"?runs={self.b.run.pk},{self.a.run.pk}"

    @property
    def sentence(self) -> str:
        if self.result is None:
            return "The runs have no task yet on which both have a verdict."
        return say_result(self.result, *self.names)


def compare(request: HttpRequest) -> HttpResponse:
    words = read_words(request)
    context: dict[str, object] = {"words": words, "first": words[0] if words else ""}
    status = HTTPStatus.OK
    try:
        if len(words) > MOST:
            return show_group(request, words)
        if len(words) > 1:
            comparing = load_comparing(request, words)
            context["comparing"] = comparing
            context["suite"] = comparing.a.run.suite
        elif words:
            find_runs(request, words)
    except Refusal as refusal:
        context["refusal"], status = refusal.sentence, refusal.status
    context["choices"] = list_choices()
    if "comparing" not in context:
        context |= suggest(words)
    return render(request, "compare/compare.html", context, status=status)


def compare_json(request: HttpRequest) -> JsonResponse:
    """The comparison for programs; a question that cannot be answered is a sentence."""
    words = read_words(request)
    try:
        if len(words) > MOST:
            return answer_group_json(request, words)
        comparing = load_comparing(request, words)
    except Refusal as refusal:
        return JsonResponse({"error": refusal.sentence}, status=refusal.status)
    a, b = (
        {
            "run": row.run.pk,
            "entry": row.run.entry.name,
            "address": row.run.get_absolute_url(),
            "attempts_per_task": row.run.attempts_per_task,
            "run_ids": list(row.runs or [row.run.pk]),
            **record_repeats(row.repeats),
        }
        for row in (comparing.a, comparing.b)
    )
    result = record_result(comparing.result) if comparing.result else None
    return JsonResponse({"suite": str(a_suite(comparing)), "a": a, "b": b, "result": result})


def compare_csv(request: HttpRequest) -> HttpResponse:
    """A row per task."""
    words = read_words(request)
    try:
        if len(words) > MOST:
            return answer_group_csv(request, words)
        comparing = load_comparing(request, words)
    except Refusal as refusal:
        return HttpResponse(refusal.sentence, "text/plain; charset=utf-8", refusal.status)
    a, b = comparing.a.run.pk, comparing.b.run.pk
    rows = ([pair.key, pair.category, pair.a.share, pair.b.share] for pair in comparing.pairs)
    return answer_csv(f"runs-{a}-{b}.csv", ["task", "category", f"run_{a}", f"run_{b}"], rows)


def a_suite(comparing: Comparing) -> str:
    suite = comparing.a.run.suite
    return suite.reference


def read_words(request: HttpRequest) -> list[str]:
    """The runs asked for: `runs=1,2` as links have it, `runs=1&runs=2` as the form sends it."""
    asked = ",".join(request.GET.getlist("runs"))[:400]
    return [word.strip() for word in asked.split(",") if word.strip()]


def load_comparing(request: HttpRequest, words: list[str]) -> Comparing:
    """Six queries. Raises Refusal."""
    if len(words) < MOST:
        raise Refusal("Give two runs, as in /compare/?runs=12,15.")
    a, b = find_runs(request, words)
    require_comparable(a, b)
    pairs = load_pairs(a, b)
    row_a, row_b = load_rows([a, b])
    result = compare_pairs(pairs, a.suite.categories, count_ranked_models([a, b]))
    return Comparing(row_a, row_b, name_runs(a, b), pairs, result)


def load_pairs(a: Run, b: Run) -> list[Pair]:
    """The tasks that both runs have, in the suite's order. Two queries."""
    compared = list_compared([a, b])
    attempts = (
        Attempt.objects.filter(run__in=[*compared[a.pk], *compared[b.pk]])
        .values_list("run_id", "task__key", "task__title", "category", "task__english", "passed")
        .order_by("task__position", "number")
    )
    passes: dict[tuple[int, str], list[bool | None]] = defaultdict(list)
    facts: dict[str, tuple[str, str, str]] = {}
    for run_id, key, title, category, english, passed in attempts:
        passes[run_id, key].append(passed)
        facts[key] = (title, category, english)

    def share(run: Run, key: str) -> Share:
        return share_of([passes[pk, key] for pk in compared[run.pk]], run, key)

    return [
        Pair(key, title, category, share(a, key), share(b, key), english=english)
        for key, (title, category, english) in facts.items()
        if (a.pk, key) in passes and (b.pk, key) in passes
    ]


def name_runs(a: Run, b: Run) -> tuple[str, str]:
    """Their entries' names, with the runs' numbers where those do not tell them apart."""
    names = [strip_invisible(run.entry.name) or "?" for run in (a, b)]
    if names[0] == names[1]:
        return f"{names[0]} (run {a.pk})", f"{names[1]} (run {b.pk})"
    return names[0], names[1]


def suggest(words: list[str]) -> dict[str, object]:
    """The pairs worth asking about on the board that the site opens with; {} if one is named."""
    suite = None if words else choose_suite(list_suites(), "")
    if suite is None:
        return {}
    board = load_board(suite, int(getattr(suite, "task_count", 0)))
    return {"suggested": suggest_pairs(board.ranked), "suggested_suite": suite}


def list_choices() -> list[Run]:
    """Runs that can be compared, those with a verdict on every task: the newest, by name."""
    complete = RunSummary.objects.filter(run=OuterRef("pk"), category=OVERALL, void=0, open=0)
    newest = (
        Run.objects.on_board()
        .filter(Exists(complete), status=Status.DONE)
        .select_related("entry", "suite")
        .only("entry__name", "suite__name", "suite__version", "suite__seed", "seed")
        .order_by("-pk")[:MAX_CHOICES]
    )
    return sorted(newest, key=lambda run: (-run.suite_id, run.seed, run.entry.name, -run.pk))
