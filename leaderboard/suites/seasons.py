"""Seasons of a suite: the same tasks with another seed, on a board of their own."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.http import Http404
from django.utils import timezone

from leaderboard.changes.note import note_suite
from leaderboard.models import Run, Suite
from runner.contract import Fault, Problem, ProblemError

MAX_SEED = 2**31 - 1  # what generators of random numbers take everywhere
MAX_SEASONS = 100


@dataclass(frozen=True)
class Season:
    """The time during which a suite's runs are played with one seed."""

    number: int  # from 1
    seed: int
    ended_on: str = ""  # as 2026-11-22; "" while it is under way


def list_seasons(suite: Suite) -> list[Season]:
    """The newest, which is under way, first."""
    past = [
        Season(number, int(one["seed"]), str(one["ended_on"]))
        for number, one in enumerate(suite.past_seasons, 1)
    ]
    return [Season(len(past) + 1, suite.seed), *reversed(past)]


def choose_season(seasons: Sequence[Season], wanted: str, day: date | None = None) -> Season:
    """The season with the number `wanted`; when none is named, the one under way, or that was at
    the end of `day`. `seasons` are the newest first. Raises Http404 for another number."""
    if not wanted:
        ended = [season for season in seasons if day and str(day) < season.ended_on]
        return ended[-1] if ended else seasons[0]
    for season in seasons:
        if wanted == str(season.number):
            return season
    raise Http404(f"There is no season “{wanted[:20]}”.")


def find_season(suite: Suite, seed: int) -> Season | None:
    """The season with that seed; None for a run with instances of its own."""
    return next((season for season in list_seasons(suite) if season.seed == seed), None)


def draw_seed(suite: Suite) -> int:
    """A seed of which nobody knows the instances yet."""
    known = {season.seed for season in list_seasons(suite)}
    while True:
        seed = secrets.randbelow(MAX_SEED) + 1
        if seed not in known:
            return seed


@transaction.atomic
def open_season(suite: Suite, seed: int | None = None) -> Season:
    """End the season under way and begin another, with `seed` or a fresh one.

    Runs of the ended one keep their places among each other. ProblemError when `suite` cannot be
    played, or its inputs are imported and so the same with every seed, or `seed` had its season.
    """
    suite = Suite.objects.select_for_update().get(pk=suite.pk)
    seasons = list_seasons(suite)
    if suite.is_recorded or len(seasons) >= MAX_SEASONS:
        raise refusal(f"No season of {suite} can be opened.", "Choose another suite.")
    if seed is None:
        seed = draw_seed(suite)
    if not 0 <= seed <= MAX_SEED:
        raise refusal(
            f"{seed} is not a valid seed.", f"Give 0 to {MAX_SEED}, or none for a fresh one."
        )
    if seed in {season.seed for season in seasons}:
        raise refusal(
            f"An earlier season already had seed {seed}.",
            "Give another seed, or none for a fresh one.",
        )
    ended_on = timezone.now().date().isoformat()
    suite.past_seasons = [*suite.past_seasons, {"seed": suite.seed, "ended_on": ended_on}]
    suite.seed = seed
    suite.ranked = 0  # no run of another seed has a place in it
    suite.save(update_fields=["past_seasons", "seed", "ranked"])
    Run.objects.filter(suite=suite).update(is_filed=False)  # its tasks count the new season's
    opened = list_seasons(suite)[0]
    note_suite(suite, "season", {"season": opened.number})
    return opened


def refusal(what: str, next_step: str) -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, "no_season", what, next_step))
