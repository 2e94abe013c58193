"""Messages to a model before its first reply."""

from __future__ import annotations

import pytest

from runner.contract import ActionFormat, Limits
from runner.model.calls_in_text import TOOL_NAME
from runner.model.code_blocks import END, START
from runner.model.prompts import HOW, opening, prompt_digest

LIMITS = Limits(max_turns=7, cell_timeout_s=45)
NEEDED = [
    (ActionFormat.FENCED, "```python"),
    (ActionFormat.MARKERS, START),
    (ActionFormat.MARKERS, END),
    (ActionFormat.TOOLS, TOOL_NAME),
]


@pytest.mark.parametrize(("action_format", "words"), NEEDED)
def test_says_how_to_run_code_and_when_it_is_over(action_format: ActionFormat, words: str) -> None:
    system, user = opening("Add them.", ["a.csv", "b.csv"], action_format, LIMITS)
    told = str(system["content"])
    for fact in (words, "7 replies", "45 seconds", "./output", "./data", "without code"):
        assert fact in told
    assert user["content"] == "Add them.\n\nFiles in ./data: a.csv, b.csv"


def test_says_that_there_are_no_files() -> None:
    _, user = opening("Write it.", [], ActionFormat.FENCED, LIMITS)
    assert "no files" in str(user["content"])


def test_only_the_marker_format_mentions_markers() -> None:
    """Endpoints without a model tell the formats apart by it."""
    for action_format in ActionFormat:
        system = str(opening("", [], action_format, LIMITS)[0]["content"])
        assert (START in system) == (action_format == ActionFormat.MARKERS)


def test_the_digest_follows_the_wording(monkeypatch: pytest.MonkeyPatch) -> None:
    before = prompt_digest()
    monkeypatch.setitem(HOW, ActionFormat.FENCED, "Otherwise.")
    assert prompt_digest() != before
