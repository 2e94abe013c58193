"""A query that may be read in several ways: each reading is tried, one that holds is enough.

readings.any_of(case, "bar values", {
    "total": lambda own: series.expect_bar_values(own, figure, totals),
    "mean": lambda own: series.expect_bar_values(own, figure, means),
}, "8.png")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from runner.checks.case import Case, Stop, ignore

Reading = Callable[[Case], object]


def any_of(case: Case, name: str, readings: Mapping[str, Reading], file: str = "") -> str:
    """Name of the first of `readings` ({its name: its measures}) that holds, or "".

    Recorded as one assertion, whose sentence is that of the first reading.
    """
    first = ""
    for label, measures in readings.items():
        own = replace(case, assertions=[], report=ignore)
        with suppress(Stop):
            measures(own)
        failed = [str(a["message"]) for a in own.assertions if not a["passed"]]
        if own.assertions and not failed:
            case.expect(name, True, " or ".join(readings), label, file)
            return label
        first = first or (failed or [f"{name}: nothing was measured."])[0]
    case.expect(name, False, " or ".join(readings), "none of them", file, first)
    return ""
