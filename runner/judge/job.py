"""A judge's work on one run, as a worker takes it over."""

from __future__ import annotations

from dataclasses import dataclass, field

from runner.contract import Ceiling, EndpointSpec
from runner.judge.profile import JudgeProfile
from runner.judge.shown_attempt import ShownAttempt


@dataclass(frozen=True)
class JudgingJob:
    """Everything but the attempts, which come a few at a time."""

    judging_id: int
    token: str  # every write must present it
    profile: JudgeProfile
    endpoint: EndpointSpec
    reply_format: str
    prices: Ceiling = field(default_factory=Ceiling)
    left: int | None = None  # units under the ceiling; None: no ceiling


@dataclass(frozen=True)
class AskedAttempt:
    """One attempt to judge; in the pairwise form with the reference's attempt at the same task."""

    attempt_id: int
    try_number: int
    shown: ShownAttempt
    reference: ShownAttempt | None = None
