"""The result of reading a file of trajectories, in any format: attempts, faults and losses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from runner.contract import Outcome, Step

Message = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """One attempt of a file. Nothing of it is known but what the file says."""

    line: int  # or its number in the file: `AttemptReading.unit` names what is counted
    raw: bytes  # the line as it came, without its end; b"" where the format has no lines
    index: str  # the task's name in its suite
    categories: tuple[str, str, str]
    query: str
    inputs: tuple[str, ...]  # names under ./data
    opening: tuple[Message, ...]  # the messages before the first reply
    steps: tuple[Step, ...]
    answer: str | None
    outcome: Outcome | None  # None: the conversation breaks off
    notes: tuple[str, ...] = ()
    ours: Mapping[str, Any] = field(default_factory=dict)  # unchecked: anybody can write it
    model: str = ""  # name of the model, as the file gives it


@dataclass(frozen=True)
class LineError:
    """A line that was not taken; in other formats a sample, an event or the file's end."""

    line: int
    what: str  # a sentence


@dataclass(frozen=True)
class AttemptReading:
    """Attempts that were read from a file, and the parts that could not be read.

    Pictures that cells displayed are in the outputs of their steps, as base64.
    """

    rows: tuple[Row, ...]
    errors: tuple[LineError, ...]
    format_name: str = "PyBench jsonl"  # or "ATIF 1.8", "an Inspect log of version 2"
    cut: str = ""  # where a file that breaks off does: "cut at sample 14"
    losses: tuple[str, ...] = ()  # sentences: what the format could not hold
    unit: str = "line"  # that `line` of rows and errors counts: "line", "sample", "file"

    @property
    def description(self) -> str:
        """The file in a few words: "an Inspect log of version 2, cut at sample 14"."""
        return f"{self.format_name}, {self.cut}" if self.cut else self.format_name
