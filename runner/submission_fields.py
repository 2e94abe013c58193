"""Fields of a submission with their bounds and defaults, the same at every door.

The form, the API, `manage.py start_run`, and the command line's `submit` and evaluation read them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypedDict, TypeVar

N = TypeVar("N", int, float)

MAX_MODEL_CHARS = 300
MAX_NAME_CHARS = 200
MAX_ORGANISATION_CHARS = 200
MAX_DESCRIPTION_CHARS = 4000
MAX_KEY_CHARS = 4000
USUAL_ATTEMPTS = 1  # per task
USUAL_CONCURRENCY = 2


class FieldBounds(TypedDict, Generic[N]):
    """Keyword arguments of a field of a form or a serializer."""

    min_value: N
    max_value: N


@dataclass(frozen=True)
class NumberRange(Generic[N]):
    """Numbers from `least` to `most`, both included."""

    least: N
    most: N

    @property
    def bounds(self) -> FieldBounds[N]:
        return {"min_value": self.least, "max_value": self.most}

    def read(self, text: str) -> N:
        """The number that an option of a command line gives."""
        number = type(self.most)(text)
        if not self.least <= number <= self.most:
            raise argparse.ArgumentTypeError(f"must be from {self.least:g} to {self.most:,g}")
        return number


TEMPERATURE = NumberRange(0.0, 2.0)
TOP_P = NumberRange(0.0, 1.0)
MAX_TOKENS = NumberRange(1, 1_000_000)  # per reply
ATTEMPTS_PER_TASK = NumberRange(1, 16)
CONCURRENCY = NumberRange(1, 64)
PARAMETERS_B = NumberRange(0.001, 100_000.0)  # billions
SAMPLING = ("temperature", "top_p", "max_tokens")


def or_none(read: Callable[[str], N]) -> Callable[[str], N | None]:
    """Reads a number, or “none” for what is left out of the request."""
    return lambda text: None if text.lower() == "none" else read(text)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options for sampling, attempts and concurrency."""
    add = parser.add_argument
    left_out = "left out of the request by default"
    add("--temperature", type=or_none(TEMPERATURE.read), metavar="T", help=left_out)
    add("--top-p", type=or_none(TOP_P.read), metavar="P", help=left_out)
    add("--max-tokens", type=or_none(MAX_TOKENS.read), metavar="N", help="most tokens per reply")
    add("--attempts", type=ATTEMPTS_PER_TASK.read, default=USUAL_ATTEMPTS, metavar="K",
        help=f"attempts per task (default: {USUAL_ATTEMPTS})")  # fmt: skip
    add("--concurrency", type=CONCURRENCY.read, default=USUAL_CONCURRENCY, metavar="N",
        help=f"attempts in parallel at most (default: {USUAL_CONCURRENCY})")  # fmt: skip
