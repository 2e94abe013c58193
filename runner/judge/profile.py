"""Pinned settings of a judge, with a digest that names them, and its work on one run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum

from runner.contract import Ceiling, EndpointSpec
from runner.judge import prompts, reply_schema
from runner.judge.shown_attempt import ShownAttempt


class JudgeForm(StrEnum):
    """Forms of the question to a judge."""

    SINGLE = "single"  # one attempt a call
    PAIRWISE = "pairwise"  # a reference attempt first, then the attempt in question


@dataclass(frozen=True)
class JudgeProfile:
    """Everything that a judge's verdicts depend on. Another value of any field is another judge."""

    model: str
    form: JudgeForm = JudgeForm.SINGLE
    takes_images: bool = False
    temperature: float | None = 0.0
    max_tokens: int = 1_500  # per reply
    extra_body: Mapping[str, object] = field(default_factory=dict)

    @property
    def prompt_version(self) -> str:
        return f"{self.form}-{prompts.VERSION}"

    @property
    def prompt_digest(self) -> str:
        """SHA-256 of the instructions, the criteria and the schema of the reply."""
        said = {
            "system": prompts.SYSTEM[self.form],
            "criteria": prompts.CRITERIA if self.form is JudgeForm.SINGLE else {},
            "schema": reply_schema.SCHEMAS[self.form],
        }
        return digest_of(said)

    @property
    def digest(self) -> str:
        """SHA-256 of the whole profile."""
        return digest_of({**asdict(self), "prompt": self.prompt_digest})


def digest_of(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


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
