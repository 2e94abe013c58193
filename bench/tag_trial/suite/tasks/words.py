"""Counts of a text, as JSON."""

from pathlib import Path

from runner.checks import Case

TITLE = "Counts of a text"
CATEGORY = "other"
QUERY = (
    'Count the lines and the words of ./data/notes.txt and save {"lines": …, "words": …} as '
    "./output/counts.json. Also save the longest word in ./output/longest.txt."
)
INPUTS = ["notes.txt"]
OUTPUTS = ["counts.json", "longest.txt"]
TEXT_HELD = (
    "the boat left the harbour at nine\nwind from the west\n\nnobody saw the lighthousekeeper\n"
)


def make_inputs(seed: int, data: Path) -> dict[str, object]:
    (data / "notes.txt").write_text(TEXT_HELD)
    return {}


def check(case: Case) -> None:
    import json

    try:
        found = json.loads(case.require_file("counts.json").read_text("utf-8", "replace"))
        assert isinstance(found, dict)
    except (ValueError, AssertionError):
        case.fail("JSON", "counts.json is no JSON object.", "counts.json")
    for key, wanted in (("lines", 4), ("words", 15)):
        if case.expect(
            f"key “{key}”",
            key in found,
            "there",
            "there" if key in found else "missing",
            "counts.json",
        ):
            case.equal(key, found[key], wanted, "counts.json")
    longest = case.require_file("longest.txt").read_text("utf-8", "replace").strip()
    case.equal("longest word", longest, "lighthousekeeper", "longest.txt")


REFERENCE = {"cells": ["1"], "answer": "Done."}
WRONG = {
    "a": {"why": "a", "cells": ["1"], "answer": "1"},
    "b": {"why": "b", "cells": ["1"], "answer": "1"},
}
