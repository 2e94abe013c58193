"""The facts of an attempt from which failure tags are derived, as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runner.contract import Outcome, OutputKind, StepStatus

MAX_VALUE_CHARS = 4_000  # of an exception's words
MAX_CODE_CHARS = 50_000  # of one cell's code
MAX_TEXT_CHARS = 40_000  # of one output, half of it from its end

StepFacts = Mapping[str, Any]  # runner.contract.Step as a dict, as steps are stored


@dataclass(frozen=True)
class FileFacts:
    """A file of the finished output folder. `is_placeholder` is None when nobody looked."""

    path: str  # relative to ./output
    size_bytes: int
    sha256: str = ""
    is_placeholder: bool | None = None  # a blank picture, a table of one value


@dataclass(frozen=True)
class AttemptFacts:
    """Facts from which the tags are derived. None is 'not known': a tag that needs it is not
    given."""

    outcome: str  # runner.contract.Outcome
    steps: Sequence[StepFacts] = ()
    passed: bool | None = None
    answer: str | None = None
    query: str = ""
    assertions: Sequence[Mapping[str, Any]] = ()  # runner.contract.Assertion as dicts
    inputs: tuple[str, ...] = ()  # names under ./data that the task speaks of
    given: Mapping[str, str] | None = None  # name -> SHA-256 of the inputs that were there
    expected: tuple[str, ...] = ()  # names asked for under ./output
    files: Sequence[FileFacts] | None = None

    @property
    def is_void(self) -> bool:
        return Outcome(self.outcome).is_void

    @property
    def is_failed(self) -> bool:
        return self.passed is False and not self.is_void


@dataclass(frozen=True)
class Failure:
    """An exception that a cell raised."""

    name: str
    value: str
    text: str  # the traceback, or what there is of it
    code: str  # of the cell


def failures(facts: AttemptFacts) -> Iterator[Failure]:
    for step in facts.steps:
        for output in step.get("outputs") or ():
            if output.get("kind") == OutputKind.ERROR:
                yield Failure(
                    str(output.get("error_name") or ""),
                    str(output.get("error_value") or "")[:MAX_VALUE_CHARS],
                    text_in(output),
                    code_of(step),
                )


def code_of(step: StepFacts) -> str:
    return str(step.get("code") or "")[:MAX_CODE_CHARS]


def text_in(output: Mapping[str, Any]) -> str:
    """The beginning and the end of what an output says."""
    text = str(output.get("text") or "")
    half = MAX_TEXT_CHARS // 2
    return text if len(text) <= MAX_TEXT_CHARS else f"{text[:half]}\n{text[-half:]}"


def code_steps(facts: AttemptFacts) -> list[StepFacts]:
    return [step for step in facts.steps if code_of(step).strip()]


def cells_that_do(facts: AttemptFacts) -> list[StepFacts]:
    """The cells with a line that is more than a comment: the others mend nothing."""
    return [
        step
        for step in code_steps(facts)
        if any(line.strip() and line.strip()[0] != "#" for line in code_of(step).splitlines())
    ]


FAILED_STATUSES = frozenset({StepStatus.ERROR, StepStatus.TIMEOUT, StepStatus.KILLED})


def has_failed(step: StepFacts) -> bool:
    return step.get("status") in FAILED_STATUSES
