"""One check of a preflight: a sentence, its state, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

ENOUGH_CONTEXT = 16_384  # tokens; each of ten steps can add an output of 16,000 characters


class State(StrEnum):
    """Result of a check. A failed one means that a run cannot succeed."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    SKIPPED = "skipped"
    UNSEEN = "unseen"  # time ran out first


@dataclass(frozen=True)
class Check:
    """One thing that was looked at, in a sentence."""

    name: str  # "reachable"
    title: str
    state: State
    said: str
    next_step: str = ""
