"""The parts of a step that are compared when attempts are aligned."""

from __future__ import annotations

from dataclasses import dataclass

TEXT_CHARS = 8_000  # compared of a text, half from each end


@dataclass(frozen=True)
class StepContent:
    """Parts of a step that are compared."""

    code: str = ""  # or the answer's words
    outputs: str = ""
    files: str = ""  # names and digests of what it wrote
    is_answer: bool = False
