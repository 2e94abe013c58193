"""Data of an export: one attempt as plain values."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Trajectory:
    """One try at one task, as stored. Messages and steps are dicts of runner.contract's words."""

    task: str  # key in its suite: "quarterly-sales"
    title: str
    category: str  # its title
    query: str
    opening: Sequence[Mapping[str, Any]]  # the messages before the first reply
    steps: Sequence[Mapping[str, Any]]  # Step as a dict; images of outputs as {"blob": sha256}
    answer: str | None = None
    inputs: Sequence[str] = ()  # names under ./data
    outputs: Sequence[str] = ()  # names expected under ./output
    source: str = ""  # where it is shown: an address, or the entry's and suite's names
    facts: Mapping[str, Any] = field(default_factory=dict)  # outcome, verdict, usage … as JSON

    def messages(self) -> Iterator[Mapping[str, Any]]:
        """The conversation, as sent."""
        yield from self.opening
        for step in self.steps:
            yield from step.get("messages") or ()
            if said := step.get("left_out"):
                yield {"role": "system", "content": said}


def json_line(value: Mapping[str, Any]) -> str:
    """`value` on one line, readable in any script; a lone surrogate stays an escape."""
    text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    return text.encode(errors="backslashreplace").decode() + "\n"
