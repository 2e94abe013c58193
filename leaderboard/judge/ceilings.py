"""Ceilings of judgings, as those of runs."""

from __future__ import annotations

from leaderboard.models import Judging
from leaderboard.money.ceiling import CeilingUse
from runner.contract import JudgingState

AT_CEILING = "The next call does not fit under the ceiling. Raise the ceiling, then resume."


def ceiling_of(judging: Judging) -> CeilingUse | None:
    """The use of a judging's ceiling; None without one."""
    if judging.ceiling is None:
        return None
    is_reached = judging.state == JudgingState.STOPPED and judging.problem == AT_CEILING
    is_money = bool(judging.ceiling_prices)
    return CeilingUse(judging.ceiling, judging.spent, is_money, is_reached)
