"""A submission: how a model is called, what is known of it, what is to be run, and the bounds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from leaderboard.models import Entry, Suite
from leaderboard.money.ceiling import AskedCeiling
from runner.contract import ActionFormat, refusal
from runner.submission_fields import SAMPLING, USUAL_ATTEMPTS, USUAL_CONCURRENCY

SENDABLE_KEY = re.compile(r"[\x21-\x7e]*")  # what a header can carry


@dataclass(frozen=True)
class Submission:
    """Submission: how the model is called, what is known of it, and what is to be run."""

    base_url: str
    model: str
    name: str
    suite: Suite
    api_key: str = field(default="", repr=False)
    action_format: ActionFormat = ActionFormat.FENCED
    sampling: Mapping[str, Any] = field(default_factory=dict)  # temperature, top_p, max_tokens
    stream: bool = True
    extra_body: Mapping[str, Any] = field(default_factory=dict, repr=False)
    extra_headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    attempts_per_task: int = USUAL_ATTEMPTS
    concurrency: int = USUAL_CONCURRENCY
    fresh_seed: bool = False  # instances of the run's own: comparable with no other run
    organisation: str = ""
    parameters_b: float | None = None
    weights: str = Entry.Weights.UNKNOWN
    description: str = ""
    is_public: bool = False
    ceiling_tokens: int | None = None
    ceiling_dollars: float | None = None

    @property
    def ceiling(self) -> AskedCeiling:
        return AskedCeiling(self.ceiling_tokens, self.ceiling_dollars)

    @property
    def facts(self) -> dict[str, Any]:
        """Descriptive fields that do not affect how the model is called."""
        return {
            "organisation": self.organisation,
            "parameters_b": self.parameters_b,
            "weights": self.weights,
            "description": self.description,
        }

    @property
    def call(self) -> dict[str, Any]:
        """Fields that make it this entry and no other."""
        return {
            "name": self.name,
            "model_name": self.model,
            "action_format": self.action_format,
            "sampling": self.spoken,
            "extra_fields": sorted(self.extra_body),
            "extra_headers": sorted(self.extra_headers),
        }

    @property
    def spoken(self) -> dict[str, Any]:
        """Sampling, where None was not said and is not sent; streaming is said when it is off."""
        said = sampling_of(self.sampling)
        return said if self.stream else {**said, "stream": False}


def sampling_of(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The sampling parameters that were given; what is left out is not sent."""
    return {name: facts.get(name) for name in SAMPLING}


def require_sendable(api_key: str) -> None:
    if not SENDABLE_KEY.fullmatch(api_key):
        raise refusal(
            "bad_key",
            "The API key contains blanks, line breaks or letters outside ASCII.",
            "Copy the key again, without anything around it.",
        )
