"""The conclusion of an attempt that is over: its tags and its text, out of plain values.

Pure, and without Django: a process of its own comes to it (`runner.reading.readers`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from leaderboard.failures.facts import AttemptFacts, StepFacts
from leaderboard.failures.tags import tags_of
from leaderboard.reviews.resemblance import Grams, resemblance

TEXT_CHARS = 64_000  # kept of one attempt for searching
PART_CHARS = 8_000  # of one code, output or answer: its head and its end
WITH_ESCAPES_CHARS = 8 * PART_CHARS
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)")


def conclusion_of(
    facts: AttemptFacts, published: Collection[Grams] = ()
) -> tuple[tuple[str, ...], str, float | None]:
    """The keys of the tags that apply, what the attempt is found by, and how much its code is like
    a published solution."""
    codes = [str(step.get("code") or "") for step in facts.steps]
    return tags_of(facts), text_of(facts.answer, facts.steps), resemblance(codes, published)


def text_of(answer: str | None, steps: Iterable[StepFacts]) -> str:
    """Text by which the attempt is found: code, what cells showed, the answer; bounded."""
    kept: list[str] = []
    left = TEXT_CHARS
    for part in parts_of(answer, steps):
        # Cut before and after: of the ends of a long part much may be escapes.
        text = ends_of(ESCAPES.sub("", ends_of(part, WITH_ESCAPES_CHARS)))[:left]
        kept.append(text)
        left -= len(text) + 1
        if left <= 0:
            break
    return "\n".join(kept)


def parts_of(answer: str | None, steps: Iterable[StepFacts]) -> Iterator[str]:
    yield str(answer or "")
    for step in steps:
        yield str(step.get("code") or step.get("reply") or "")
        for output in step.get("outputs") or ():
            name, value = output.get("error_name"), output.get("error_value")
            if name:
                yield f"{name}: {value}"
            yield str(output.get("text") or "")


def ends_of(text: str, limit_chars: int = PART_CHARS) -> str:
    half = limit_chars // 2
    return text if len(text) <= limit_chars else f"{text[:half]}\n…\n{text[-half:]}"
