"""Values of the facets of an attempt that come from its columns and steps: outcome, step, turns."""

from __future__ import annotations

from collections.abc import Mapping

from runner.contract import Outcome

MANY = 10  # steps or turns that are not told apart from more
NO_STEP = "none"

OUTCOMES: Mapping[str, str] = {outcome.value: outcome.replace("_", " ") for outcome in Outcome}
FIRST_STEPS: Mapping[str, str] = {
    NO_STEP: "no step",
    **{str(n): f"step {n}" for n in range(1, MANY)},
    f"{MANY}+": f"step {MANY} or later",
}
TURNS: Mapping[str, str] = {
    "0": "none",
    "1": "1 turn",
    **{str(n): f"{n} turns" for n in range(2, MANY)},
    f"{MANY}+": f"{MANY} turns or more",
}


def count_value(number: int) -> str:
    """A step's or turn's number as a facet's value, as in "3" or "10+"."""
    return str(number) if number < MANY else f"{MANY}+"


def first_step_value(index: int | None) -> str:
    """Value of the first step that failed; `index` is None where none did."""
    return NO_STEP if index is None else count_value(index)
