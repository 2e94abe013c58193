"""The verdict and the assertion that a dispute is about."""

from __future__ import annotations

from dataclasses import dataclass

from leaderboard.models import Attempt, Verdict
from leaderboard.replay.assertions import AssertionRow, read_assertions
from runner.contract import Fault, Problem, ProblemError

NO_VERDICT = Problem(
    Fault.SUBMITTER,
    "nothing_to_dispute",
    "This attempt has no verdict.",
    "Only the verdict of a check can be disputed: wait for it, or choose another attempt.",
)


@dataclass(frozen=True)
class Disputed:
    """A verdict, and the assertion of it that is in doubt; None for the verdict as a whole."""

    verdict: Verdict
    assertion: AssertionRow | None
    others: tuple[AssertionRow, ...]  # all of the verdict, in the check's order

    @property
    def number(self) -> int:
        return self.assertion.number if self.assertion else 0


def find_verdict(attempt: Attempt) -> Verdict | None:
    """The verdict that counts: the newest of the check on the try that counts."""
    found = Verdict.objects.filter(attempt=attempt, try_number=attempt.counted_try, kind="strict")
    return found.order_by("-pk").first()


def find_disputed(attempt: Attempt, number: int) -> Disputed:
    """Assertion `number` of the verdict that counts; 0 is the whole. Raises ProblemError."""
    verdict = find_verdict(attempt)
    if verdict is None:
        raise ProblemError(NO_VERDICT)
    return read_disputed(verdict, number)


def read_disputed(verdict: Verdict, number: int) -> Disputed:
    """Assertion `number` of the verdict; 0 is the whole. Raises ProblemError."""
    rows = tuple(sorted(read_assertions(verdict, {}), key=lambda row: row.number))
    if number > len(rows):
        raise ProblemError(
            Problem(
                Fault.SUBMITTER,
                "unknown_assertion",
                f"This verdict has {len(rows)} checks and no number {number}.",
                "Choose one of them, or the verdict as a whole.",
            )
        )
    return Disputed(verdict, rows[number - 1] if number else None, rows)
