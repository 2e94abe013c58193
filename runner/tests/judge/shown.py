"""Small attempts as judges see them."""

from __future__ import annotations

from typing import Any

from runner.judge.shown_attempt import ShownAttempt, ShownFile, ShownStep


def make_shown(**texts: Any) -> ShownAttempt:
    """An attempt of two steps and a file, with one text of it replaced by its place."""
    steps = (
        ShownStep(1, texts.get("thought", "First I read."), "print(1)", "1"),
        ShownStep(2, "", texts.get("code", "save()"), texts.get("output", "saved")),
        ShownStep(3),
    )
    path, text = texts.get("path", "a.csv"), texts.get("text", "a,b\n1,2")
    return ShownAttempt(
        query="Sum the amounts by quarter into output/a.csv.",
        steps=texts.get("steps", steps),
        answer=texts.get("answer", "The sums are saved."),
        inputs=texts.get("inputs", "sales.csv, 120 bytes"),
        files=(ShownFile(path, "text/csv, 8 bytes", text, texts.get("picture", "")),),
        left_out=texts.get("left_out", ""),
        facts="ended: finished",
        names=texts.get("names", ()),
    )
