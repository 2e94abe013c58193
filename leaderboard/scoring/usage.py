"""Sums of tokens that attempts used, by the parts that have prices of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class TokenParts:
    """Tokens of one attempt; None where the endpoint did not say: unknown is not 0."""

    prompt: int | None
    completion: int | None
    cached: int | None = None  # of the prompt
    reasoning: int | None = None  # of the completion, or beside it

    @property
    def is_counted(self) -> bool:
        """True if prompt and completion are known. A negative number is unknown."""
        both = (self.prompt, self.completion)
        return all(tokens is not None and tokens >= 0 for tokens in both)


@dataclass
class UsageSums:
    """Token sums over attempts with a verdict and a reply: what a price is multiplied by."""

    talked: int = 0  # attempts
    counted: int = 0  # of those, the ones whose endpoint counted prompt and completion
    solved: int = 0  # of those that were counted
    prompt: int = 0
    cached_known: int = 0  # attempts whose cached tokens are known
    cached: int = 0  # of `prompt`
    completion: int = 0
    reasoning: int = 0  # of `completion`
    beside: int = 0  # reasoning that `completion` does not include

    def add(self, parts: TokenParts, *, is_solved: bool) -> None:
        self.talked += 1
        if not parts.is_counted:
            return
        prompt, completion = parts.prompt or 0, parts.completion or 0
        self.counted += 1
        self.solved += is_solved
        self.prompt += prompt
        self.completion += completion
        if parts.cached is not None and parts.cached >= 0:
            self.cached_known += 1
            self.cached += min(parts.cached, prompt)
        reasoning = max(0, parts.reasoning or 0)
        if reasoning > completion:  # such endpoints count it apart
            self.beside += reasoning
        else:
            self.reasoning += reasoning

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def read_usage(stored: Mapping[str, Any] | None) -> UsageSums | None:
    """The stored sums; None for rows from before they were kept."""
    return UsageSums(**stored) if stored else None
