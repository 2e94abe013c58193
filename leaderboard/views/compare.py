"""Two runs side by side: the picker, the comparison and its twins for programs."""

from __future__ import annotations

from functools import cached_property
from http import HTTPStatus

from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from leaderboard.board.pairs import suggest_pairs
from leaderboard.board.queries import choose_suite, list_suites, load_board
from leaderboard.board.rows import BoardRow
from leaderboard.models import Run, RunSummary
from leaderboard.rendering.text import isolate
from leaderboard.scoring.comparison import (
    Result,
    compare_pairs,
    record_result,
    say_p,
    say_result,
)
from leaderboard.scoring.figures import OVERALL
from leaderboard.scoring.repeats import record_repeats
from leaderboard.views.compare_group import answer_group_csv, answer_group_json, show_group
from leaderboard.views.compared_runs import Compared, Refusal, find_runs
from runner.contract import Status

MAX_CHOICES = 200  # runs offered, newest first
MOST = 2  # more have a page of their own


class Comparing(Compared):
    """Two runs, and what came of it."""

    @property
    def a(self) -> BoardRow:
        return self.rows[0]

    @property
    def b(self) -> BoardRow:
        return self.rows[1]

    @cached_property
    def result(self) -> Result | None:
        return compare_pairs(self.tasks, self.suite.categories, self.models)

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
    def turned(self) -> str:
        return f"?runs={self.b.run.pk},{self.a.run.pk}"

    @property
    def sentence(self) -> str:
        if self.result is None:
            return "The runs have no task yet on which both have a verdict."
        return say_result(self.result, *self.names)


def compare(request: HttpRequest) -> HttpResponse:
    words = read_words(request)
    context: dict[str, object] = {"words": words}
    status = HTTPStatus.OK
    try:
        if len(words) > MOST:
            return show_group(request, words)
        if len(words) > 1:
            comparing = load_comparing(request, words)
            context["comparing"] = comparing
            context["suite"] = comparing.suite
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
            "run_ids": list(row.rated_runs),
            **record_repeats(row.repeats),
        }
        for row in (comparing.a, comparing.b)
    )
    result = record_result(comparing.result) if comparing.result else None
    return JsonResponse({"suite": comparing.suite.reference, "a": a, "b": b, "result": result})


def compare_csv(request: HttpRequest) -> HttpResponse:
    """A row per task."""
    words = read_words(request)
    try:
        if len(words) > MOST:
            return answer_group_csv(request, words)
        comparing = load_comparing(request, words)
    except Refusal as refusal:
        return HttpResponse(refusal.sentence, "text/plain; charset=utf-8", refusal.status)
    return comparing.answer_csv()


def read_words(request: HttpRequest) -> list[str]:
    """The runs asked for: `runs=1,2` as links have it, `runs=1&runs=2` as the form sends it."""
    asked = ",".join(request.GET.getlist("runs"))[:400]
    return [word.strip() for word in asked.split(",") if word.strip()]


def load_comparing(request: HttpRequest, words: list[str]) -> Comparing:
    """Raises Refusal."""
    if len(words) < MOST:
        raise Refusal("Give two runs, as in /compare/?runs=12,15.")
    return Comparing.load(request, words)


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
        .only(
            "entry__name",
            "entry__provenance",
            "suite__name",
            "suite__version",
            "suite__seed",
            "seed",
        )
        .order_by("-pk")[:MAX_CHOICES]
    )
    return sorted(
        newest,
        key=lambda run: (-run.suite_id, run.entry.is_scripted, run.seed, run.entry.name, -run.pk),
    )
