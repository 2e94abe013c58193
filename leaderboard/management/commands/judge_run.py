"""Queues a judge's verdicts on a run; workers ask for them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.judge.actions import judge_run
from leaderboard.models import Judge, Judging, Run
from leaderboard.money.ceiling import AskedCeiling
from runner.contract import ProblemError


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", type=int, help="number of the run")
        add_judge_arguments(parser)
        parser.add_argument("--reference", type=int, help="run that a pairwise judge sees first")

    def handle(self, *args: Any, **options: Any) -> None:
        judge = find_judge(options["judge"])
        run = find_run(options["run"])
        reference = None if options["reference"] is None else find_run(options["reference"])
        try:
            judging = judge_run(judge, run, ceiling=ceiling_in(options), reference=reference)
        except ProblemError as error:
            raise CommandError(error.problem.sentence) from error
        self.stdout.write(describe(judging))


def add_judge_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--judge", required=True, help="short name of a registered judge")
    parser.add_argument("--ceiling-tokens", type=int, help="per run; none unless given")
    parser.add_argument("--ceiling-dollars", type=float, help="per run, for a priced model")


def ceiling_in(options: dict[str, Any]) -> AskedCeiling:
    return AskedCeiling(options["ceiling_tokens"], options["ceiling_dollars"])


def find_judge(slug: str) -> Judge:
    judge = Judge.objects.filter(slug=slug).first()
    if judge is None:
        known = ", ".join(Judge.objects.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no judge “{slug}”. Registered: {known}.")
    return judge


def find_run(number: int) -> Run:
    run: Run | None = Run.objects.select_related("entry", "suite").filter(pk=number).first()
    if run is None:
        raise CommandError(f"There is no run {number}.")
    return run


def describe(judging: Judging) -> str:
    forecast = judging.forecast
    tokens = f"{forecast['low']:,} to {forecast['high']:,} tokens" if forecast else "no forecast"
    attempts = forecast.get("attempts", 0)
    return f"run {judging.run_id} is {judging.state}: {attempts} attempts, {tokens}"
