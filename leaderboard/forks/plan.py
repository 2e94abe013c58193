"""Plan of a fork: the steps that it keeps, the cell that a person typed, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from leaderboard.models import Attempt, Suite
from runner.contract import Limits, Status, StepStatus, refusal

MAX_CELL_CHARS = 100_000
MAX_ANSWER_CHARS = 20_000
MAX_STEPS = 2_000  # played again of one attempt

Facts = Mapping[str, Any]  # a stored step


class After(StrEnum):
    """Events after the steps that are kept."""

    ASK = "ask"  # the endpoint goes on
    CELL_ASK = "cell-ask"  # the typed cell, then the endpoint goes on
    REST = "rest"  # the typed cell in place of the next step, then the others as recorded
    END = "end"  # the typed cell, then the answer that was typed


@dataclass(frozen=True)
class ForkPlan:
    """A fork as it was asked for."""

    step: int  # the last that is kept; 0 for none
    after: After
    code: str = ""  # "": no cell was typed
    answer: str = ""  # for After.END
    base_url: str = ""  # where an endpoint is asked, with the fields below
    model: str = ""
    api_key: str = ""

    @property
    def asks(self) -> bool:
        return self.after in (After.ASK, After.CELL_ASK)

    @property
    def cell(self) -> str:
        """Code of the typed cell; "" if none is run."""
        return "" if self.after is After.ASK else self.code


@dataclass(frozen=True)
class ForkableSteps:
    """The steps of an attempt that is over, as far as they can be played again."""

    steps: tuple[Facts, ...]
    last: int  # the last that can be kept: the one before the final answer

    def code_of(self, index: int) -> str:
        """Code of the step; "" if it has none, or is not there."""
        found = self.steps[index - 1] if 0 < index <= len(self.steps) else {}
        return found.get("code") or ""


def read_steps(attempt: Attempt) -> ForkableSteps:
    """Steps of the try that counts, up to one that is too large to be played again."""
    steps: list[Facts] = []
    for facts in attempt.steps_that_count():
        if "left_out" in facts or len(steps) >= MAX_STEPS:
            break
        steps.append(facts)
    ends = bool(steps) and steps[-1]["status"] == StepStatus.ANSWER
    return ForkableSteps(tuple(steps), len(steps) - ends)


def require_forkable(attempt: Attempt) -> None:
    """ProblemError unless its task can be played here as it was then."""
    suite = attempt.run.suite
    if suite.is_private:
        raise refusal(
            "not_executed",
            "Only the text of an upload is here.",
            "Execute it again here, then carry that run on.",
        )
    if suite.is_recorded:
        raise refusal(
            "not_of_a_suite", "Its task is of no installed suite.", "Choose an attempt of another."
        )
    if attempt.status != Status.DONE:
        raise refusal("not_over", "This attempt is not over.", "Wait for its end.")
    newest = Suite.objects.shown().filter(name=suite.name).order_by("-pk").first()
    if newest != suite:
        raise refusal(
            "suite_changed",
            f"It was played on {suite}, and {newest} is installed now.",
            "Choose an attempt at the version that is installed.",
        )


def require_replies_left(plan: ForkPlan, limits: Limits) -> None:
    """ProblemError if the endpoint would have no reply."""
    used = plan.step + bool(plan.cell)
    if plan.asks and used >= limits.max_turns:
        raise refusal(
            "no_replies_left",
            f"An attempt has {limits.max_turns} replies, and {used} are used at this point.",
            "Carry on from an earlier step.",
        )


def compose(plan: ForkPlan, kept: ForkableSteps, answer: str | None) -> dict[str, Any]:
    """Body of the fork's recording: steps, answer, and how they are to be played.

    Tokens and time of the kept steps are their own attempt's. ProblemError for a step beyond the
    last.
    """
    if not 0 <= plan.step <= kept.last:
        raise refusal(
            "no_such_step", f"Step {plan.step} cannot be kept.", f"Choose one of 0 to {kept.last}."
        )
    steps = [unspent(facts) for facts in kept.steps[: plan.step]]
    typed = [len(steps) + 1] if plan.cell else []
    steps += [cell_of(plan.cell)] if plan.cell else []
    if plan.after is After.REST:
        steps += [unspent(facts) for facts in kept.steps[plan.step + 1 :]]
    return {
        "steps": steps,
        "answer": {After.REST: answer, After.END: plan.answer}.get(plan.after),
        "typed": typed,
        "goes_on": plan.asks,
    }


def unspent(facts: Facts) -> dict[str, Any]:
    return {**facts, "usage": {}, "model_s": 0.0}


def cell_of(code: str) -> dict[str, Any]:
    """A stored step with the cell that a person typed."""
    return {
        "status": StepStatus.OK,
        "reply": "",
        "thought": "",
        "code": code,
        "outputs": [],
        "observation": "",
        "notes": [],
        "usage": {},
        "finish_reason": "",
        "messages": [],
    }
