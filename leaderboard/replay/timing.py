"""Time spent in a try: model, cell and waiting of each step, and the check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from leaderboard.models import Step, Verdict


@dataclass(frozen=True)
class TimedStep:
    """One step, or the check, on the axis of its window; places and widths in percent."""

    index: int | None  # None: the check
    model_s: float
    cell_s: float
    other_s: (
        float | None
    )  # until the next step begins: places in queues, files, rows; None: unknown
    start: float
    model: float
    cell: float
    other: float

    @property
    def cell_start(self) -> float:
        return self.start + self.model

    @property
    def other_start(self) -> float:
        return self.cell_start + self.cell


def time_steps(steps: Sequence[Step], verdict: Verdict | None) -> list[TimedStep]:
    """The steps of a window in order. `verdict` only with the last window.

    Steps without a time of their own, as those of recordings, follow each other without a gap.
    """
    starts, rests, now_s = [], [], 0.0
    for step, after in zip_longest(steps, steps[1:]):
        busy_s = step.model_s + step.cell_s
        rest_s = None
        if after is not None and step.started_at and after.started_at:
            rest_s = max(0.0, (after.started_at - step.started_at).total_seconds() - busy_s)
        starts.append(now_s)
        rests.append(rest_s)
        now_s += busy_s + (rest_s or 0.0)
    check_s = verdict.duration_s if verdict else 0.0
    whole_s = now_s + check_s
    if not whole_s:
        return []

    def percent(seconds: float) -> float:
        return round(100 * seconds / whole_s, 3)

    rows = [
        TimedStep(
            step.index,
            step.model_s,
            step.cell_s,
            rest_s,
            percent(start_s),
            percent(step.model_s),
            percent(step.cell_s),
            percent(rest_s or 0.0),
        )
        for step, start_s, rest_s in zip(steps, starts, rests, strict=True)
    ]
    if verdict:
        rows.append(TimedStep(None, 0.0, check_s, None, percent(now_s), 0.0, percent(check_s), 0.0))
    return rows
