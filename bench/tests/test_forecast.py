"""Forecasts of made-up runs of a stated spread, each from all the others."""

from __future__ import annotations

from statistics import median

from bench.forecast import Spread, measure

SEEDS = range(8)


def test_forecasts_hold_over_sixty_runs() -> None:
    sets = [measure(60, Spread(), seed) for seed in SEEDS]
    for name in ("tokens", "time"):
        found = [each[name] for each in sets]
        assert median(each.off for each in found) <= 1.5
        assert min(each.inside for each in found) >= 0.85
        assert median(each.width for each in found) < 10


def test_uninformative_preflights_still_give_honest_ranges() -> None:
    sets = [measure(60, Spread(measured=3.0), seed) for seed in SEEDS]
    for name in ("tokens", "time"):
        found = [each[name] for each in sets]
        assert min(each.inside for each in found) >= 0.85
