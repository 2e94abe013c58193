"""Facts of attempts to be tagged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from leaderboard.failures.tags import AttemptFacts


def cell(
    code: str | None = "x = 1", printed: str = "", status: str = "ok", **more: Any
) -> dict[str, Any]:
    """A step that ran `code`."""
    outputs = [{"kind": "stdout", "text": printed}] if printed else []
    step = {"status": status, "code": code, "outputs": outputs, "observation": printed}
    return step | more


def failing(name: str, value: str = "", code: str = "x = 1", text: str = "") -> dict[str, Any]:
    """A step whose cell raised."""
    error = {"kind": "error", "error_name": name, "error_value": value, "text": text}
    return cell(code, status="error", outputs=[error], observation=f"{name}: {value}")


def said(text: str = "Done.") -> dict[str, Any]:
    return {"status": "answer", "reply": text, "code": None, "outputs": []}


FAILED = AttemptFacts("finished", steps=[cell(printed="1"), said()], passed=False, answer="Done.")
PASSED = replace(FAILED, passed=True)
VOID = AttemptFacts("endpoint_failed", steps=[cell(printed="1")])
WANTS = replace(FAILED, expected=("a.csv",), files=[], inputs=("in.csv",))


def after(*steps: dict[str, Any], of: AttemptFacts = FAILED, **more: Any) -> AttemptFacts:
    """`of` with other steps and an answer at the end."""
    return replace(of, steps=[*steps, said()], **more)
