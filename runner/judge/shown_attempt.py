"""Record of an attempt as a judge sees it: texts and pictures, nothing of who made it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ShownStep:
    """One step: the agent's thought and code, and what the code printed."""

    index: int  # from 1
    thought: str = ""
    code: str = ""
    output: str = ""


@dataclass(frozen=True)
class ShownFile:
    """A file that the attempt produced."""

    path: str
    facts: str  # type, size, properties: "image/png, 12,480 bytes, 320 × 200"
    text: str = ""  # head of a table, text of a document
    picture: str = ""  # data URL; "" for none


@dataclass(frozen=True)
class ShownAttempt:
    """Everything of an attempt that a judge is shown. `names` are withheld wherever they occur."""

    query: str
    steps: tuple[ShownStep, ...] = ()
    answer: str | None = None
    inputs: str = ""  # a line per input file
    files: tuple[ShownFile, ...] = ()
    left_out: str = ""  # files that the harvest refused, or that are too many
    facts: str = ""  # lines that the site recorded: how it ended, which files are expected
    names: tuple[str, ...] = ()

    @property
    def step_numbers(self) -> frozenset[int]:
        return frozenset(step.index for step in self.steps)

    @property
    def executed_steps(self) -> frozenset[int]:
        """Numbers of the steps whose code ran."""
        return frozenset(step.index for step in self.steps if step.code)
