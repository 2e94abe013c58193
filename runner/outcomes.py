"""The result of an attempt that was never played."""

from __future__ import annotations

from runner.contract import AttemptResult, Outcome, Problem, Usage


def unplayed(outcome: Outcome, problem: Problem) -> AttemptResult:
    """A void result with nothing in it but the reason."""
    return AttemptResult(
        outcome=outcome,
        verdict=None,
        answer=None,
        turns=0,
        usage=Usage(),
        model_s=0.0,
        cell_s=0.0,
        wall_s=0.0,
        problem=problem,
    )
