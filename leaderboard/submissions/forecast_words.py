"""A forecast in words: on the button that queues the run, and where it comes from."""

from __future__ import annotations

from collections.abc import Sequence

from leaderboard.rendering.numbers import show_count, show_money, show_rough_duration
from leaderboard.submissions.forecast import ENOUGH, Forecast


def say_commitment(forecast: Forecast) -> str:
    """Like "Queue 31 attempts (about 9 min, 90k tokens)", with ranges where the middle says
    little."""
    tokens, seconds = forecast.tokens, forecast.seconds
    if forecast.past_runs:
        time = f"about {show_rough_duration(seconds.middle)}, " if seconds else ""
        use = f"{time}{round_count(tokens.middle)} tokens"
    else:
        time = (
            f"{show_rough_duration(seconds.low)} to {show_rough_duration(seconds.high)}, "
            if seconds
            else ""
        )
        use = f"{time}{round_count(tokens.low)} to {round_count(tokens.high)} tokens"
    attempts = f"{forecast.attempts} attempt{'' if forecast.attempts == 1 else 's'}"
    return f"Queue {attempts} ({use})"


def say_source(forecast: Forecast, past_runs: int) -> str:
    """Origin of the ranges, in a sentence or two."""
    limit = f" Replies have at most {forecast.max_tokens:,} tokens." if forecast.max_tokens else ""
    if forecast.past_runs:
        return (
            f"From past runs of {forecast.past_runs} models on this suite; nine of ten runs end "
            f"within the range.{limit}"
        )
    models = f"{past_runs or 'no'} model{'' if past_runs == 1 else 's'}"
    return (
        f"A rough guess from the tiny tasks, with three short to eight long replies per attempt: "
        f"this suite has past runs of {models}, and {ENOUGH} are needed.{limit}"
    )


def say_difference(tasks: int, attempts: int, ranked: int) -> str:
    """The gap between models that so many tasks find, with so many attempts at each and with more.

    `ranked` is the number of models on the board. "" where too few tasks find none.
    """
    from leaderboard.scoring.inference import foresee_difference  # numpy: only before a run

    models = max(2, ranked + 1)
    pairs = {times: foresee_difference(tasks, times) for times in (attempts, max(3, attempts))}
    if None in pairs.values():
        return ""
    gaps = [f"{100 * (gap or 0):.0f}" for gap in pairs.values()]
    more = f", or about {gaps[-1]} with three attempts" if len(pairs) > 1 else ""
    among = say_among([foresee_difference(tasks, times, models) for times in pairs])
    board = f" Among {models} models on a board: {among}." if models > 2 else ""
    return (
        f"{tasks} tasks with {spell_attempts(attempts)} each show which of two models is better if "
        f"their pass rates are about {gaps[0]} points apart{more}.{board} (80 % power, for two "
        "models that were chosen beforehand and disagree on a third of the tasks.)"
    )


def say_among(gaps: Sequence[float | None]) -> str:
    """As in "17 and 12 points", "26 points, only with three attempts": two that disagree on a
    third of the tasks are no larger gap apart."""
    found = [f"{100 * gap:.0f}" for gap in gaps if gap]
    if len(found) == len(gaps):
        return f"{' and '.join(found)} points"
    return f"{found[0]} points, only with three attempts" if found else "no gap is enough"


def spell_attempts(attempts: int) -> str:
    return "one attempt" if attempts == 1 else f"{attempts} attempts"


def say_ceiling(forecast: Forecast, tokens: int | None, dollars: float | None) -> str:
    """Warning that a ceiling is below one attempt, or below the run's range; "" otherwise."""
    expected = forecast.dollars if dollars is not None else forecast.tokens
    ceiling = dollars if dollars is not None else tokens
    if ceiling is None or expected is None or not forecast.attempts:
        return ""
    show = show_money if dollars is not None else round_count
    unit = "" if dollars is not None else " tokens"
    if ceiling < expected.low / forecast.attempts:
        one = show(expected.low / forecast.attempts)
        return (
            f"The ceiling of {show(ceiling)}{unit} is below one attempt, which takes at least "
            f"about {one}{unit}: the run would stop before its first verdict."
        )
    if ceiling < expected.high:
        return f"The run can reach its ceiling of {show(ceiling)}{unit} before its end."
    return ""


def round_count(number: float) -> str:
    """As in "812", "90k", "1.8M"."""
    if number < 1_000:
        return show_count(number)
    return f"{number / 1e3:.0f}k" if number < 999_500 else f"{number / 1e6:.1f}M"
