"""Measures forecasts of runs: `python -m bench.forecast`.

Leave-one-out over made-up past runs of one suite of 31 tasks. Each model has its own wordiness,
number of turns and speed, each task its own length, and each attempt varies; the preflight's three
tiny tasks measure wordiness and speed, each with an error of its own. The spread is printed too.
Goals: the middle within 1.5 times of what was taken (by the median run), and 85 % of the runs
within the 90 % range. The rows are synthetic: they say how the method behaves, not how models do.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from leaderboard.submissions.forecast import Forecast, ForecastRange, PastRun, forecast
from runner.preflight.tiny_task import TINY_TASKS

TASKS, LANES = 31, 2


@dataclass(frozen=True)
class Spread:
    """Standard deviations of logarithms: 0.7 means that two thirds lie within a factor of two."""

    wordiness: float = 0.6  # tokens of a reply, over models
    turns: float = 0.25  # over models
    speed: float = 0.7  # seconds a token, over models
    tasks: float = 0.5
    attempts: float = 0.4
    measured: float = 0.25  # error of one tiny task


def make_runs(count: int, spread: Spread, rng: random.Random) -> list[PastRun]:
    """Past runs of so many models on the same tasks."""
    tasks = [rng.lognormvariate(0, spread.tasks) for _ in range(TASKS)]
    return [make_run(tasks, spread, rng) for _ in range(count)]


def make_run(tasks: Sequence[float], spread: Spread, rng: random.Random) -> PastRun:
    wordy = rng.lognormvariate(math.log(220), spread.wordiness)
    slow = rng.lognormvariate(math.log(0.015), spread.speed)  # seconds a token
    many = rng.lognormvariate(math.log(3.8), spread.turns)
    prompts = replies = seconds = 0.0
    for length in tasks:
        reply = wordy * length * rng.lognormvariate(0, spread.attempts)
        turns = max(1.0, many * rng.lognormvariate(0, spread.attempts / 2))
        replies += turns * reply
        prompts += turns * 450 + (reply + 200) * turns * (turns - 1) / 2
        seconds += turns * (0.4 + reply * slow + 0.3)
    tiny = 0.25 * wordy * slip(spread, rng)
    reply_s = (0.4 + 0.25 * wordy * slow) * slip(spread, rng)
    return PastRun(prompts / TASKS, replies / TASKS, seconds / TASKS, tiny, reply_s)


def slip(spread: Spread, rng: random.Random) -> float:
    """Factor by which the mean of the tiny tasks is off."""
    return mean(rng.lognormvariate(0, spread.measured) for _ in TINY_TASKS)


@dataclass(frozen=True)
class Found:
    """Quality of forecasts, each of a run from all the others."""

    off: float  # the middle by this factor, by the median run
    near: float  # share of runs whose middle is within 1.5 times
    inside: float  # share of runs within the range
    width: float  # upper over lower bound, by the median run
    reach: float  # the bound that is further from what was taken, by this factor, by the median run


def leave_one_out(
    runs: Sequence[PastRun],
    taken: Callable[[PastRun], float],
    pick: Callable[[Forecast], ForecastRange | None],
) -> Found:
    """Forecast each run from the others, and compare with what it took."""
    factors, inside, widths, reaches = [], 0, [], []
    for index, run in enumerate(runs):
        measures = {"completion_tokens": run.tiny_tokens, "reply_s": run.tiny_reply_s}
        others = [*runs[:index], *runs[index + 1 :]]
        expected = pick(forecast(measures, TASKS, LANES, None, others))
        assert expected is not None
        actual = taken(run)
        factors.append(max(actual / expected.middle, expected.middle / actual))
        inside += expected.low <= actual <= expected.high
        widths.append(expected.high / expected.low)
        reaches.append(max(expected.high / actual, actual / expected.low))
    near = sum(factor <= 1.5 for factor in factors)
    inner, width = inside / len(runs), median(widths)
    return Found(median(factors), near / len(runs), inner, width, median(reaches))


def tokens_of(run: PastRun) -> float:
    return TASKS * ((run.prompt_tokens or 0) + (run.completion_tokens or 0))


def seconds_of(run: PastRun) -> float:
    return (TASKS + (LANES - 1) / 2) / LANES * run.wall_s


def measure(count: int, spread: Spread, seed: int) -> dict[str, Found]:
    runs = make_runs(count, spread, random.Random(seed))
    return {
        "tokens": leave_one_out(runs, tokens_of, lambda made: made.tokens),
        "time": leave_one_out(runs, seconds_of, lambda made: made.seconds),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how well runs are forecast.")
    parser.add_argument("--runs", type=int, default=60, help="past runs (default: 60)")
    parser.add_argument("--seeds", type=int, default=20, help="sets of past runs (default: 20)")
    options = parser.parse_args()
    spread = Spread()
    print(f"{options.seeds} sets of {options.runs} runs, {spread}")
    sets = [measure(options.runs, spread, seed) for seed in range(options.seeds)]
    for name in ("tokens", "time"):
        found = [each[name] for each in sets]
        off, width = median(f.off for f in found), median(f.width for f in found)
        inside = [f.inside for f in found]
        print(f"{name}: the middle is off by {off:.2f}, within 1.5 times for", end=" ")
        print(f"{mean(f.near for f in found):.0%}; {mean(inside):.0%} within the range", end=" ")
        print(f"(worst set {min(inside):.0%}), which is {width:.1f} wide", end=" ")
        reach = median(f.reach for f in found)
        print(f"and reaches to {reach:.1f} times from what was taken")


def mean(values: Iterable[float]) -> float:
    known = list(values)
    return sum(known) / len(known)


if __name__ == "__main__":
    main()
