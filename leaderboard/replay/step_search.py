"""Search inside one attempt: in code, output, thought and files of every step of a try."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from leaderboard.models import Attempt, StepFile, clean, unpack, unpacked_size
from leaderboard.rendering.outputs import as_text, plain_of
from leaderboard.replay.step_windows import start_of
from leaderboard.search.filters import lowered
from runner.contract import StepStatus

MAX_WORDS_CHARS = 200
MAX_BYTES = 32 << 20  # unpacked of all steps; what is beyond is said
MAX_STEP_BYTES = 8 << 20  # of one step
MAX_LISTED = 100  # steps
MAX_COUNTED = 20  # hits of a step
AROUND_CHARS = 60  # shown on both sides of a hit
MAX_HIT_CHARS = 120  # shown of a hit
CHUNK_STEPS = 200

Span = tuple[int, int]
Finder = Callable[[str], Iterator[Span]]


@dataclass(frozen=True)
class StepHit:
    """A step with hits: where the first is, and how many there are."""

    index: int
    part: str  # code, output, thought or files
    before: str
    found: str
    after: str
    count: int  # in all parts of the step; MAX_COUNTED stands for as many or more

    @property
    def is_cut(self) -> bool:
        return self.count >= MAX_COUNTED

    @property
    def window(self) -> int:
        return start_of(self.index)


@dataclass(frozen=True)
class StepSearch:
    """Steps found in a try."""

    words: str
    hits: tuple[StepHit, ...]  # of the first MAX_LISTED steps
    indexes: frozenset[int]  # of all steps with hits
    count: int  # hits, of each step MAX_COUNTED at most
    is_cut: bool  # a step has more
    unread: int  # steps that are too large, or beyond what is read

    @property
    def steps(self) -> int:
        """Number of steps with hits."""
        return len(self.indexes)

    @property
    def more(self) -> int:
        """Steps with hits that are not listed."""
        return self.steps - len(self.hits)


def search_steps(attempt: Attempt, try_number: int, words: str) -> StepSearch:
    """Look through every step. Capitals make no difference. Two queries per CHUNK_STEPS steps."""
    words = clean(words, MAX_WORDS_CHARS)
    find = find_words(words)
    hits: list[StepHit] = []
    found: set[int] = set()
    count = unread = 0
    is_cut = False
    for index, parts in read_parts(attempt, try_number):
        if parts is None:
            unread += 1
            continue
        hit = find_in_step(index, parts, find)
        if hit is not None:
            found.add(index)
            count, is_cut = count + hit.count, is_cut or hit.is_cut
            if len(hits) < MAX_LISTED:
                hits.append(hit)
    return StepSearch(words, tuple(hits), frozenset(found), count, is_cut, unread)


def find_words(words: str) -> Finder:
    """Finds the words as they stand, whatever their capitals."""
    small = lowered(words)

    def find(text: str) -> Iterator[Span]:
        plain = lowered(text)
        at = plain.find(small)
        while at >= 0:
            yield at, at + len(small)
            at = plain.find(small, at + len(small))

    return find


def read_parts(attempt: Attempt, try_number: int) -> Iterator[tuple[int, Mapping[str, str] | None]]:
    """The texts of each step by part, in order; None of a step that is not read."""
    left, last = MAX_BYTES, 0
    of_try = attempt.steps.filter(try_number=try_number).order_by("index")
    while True:
        rows, left_out = of_try.filter(index__gt=last)[:CHUNK_STEPS].load_within(left)
        if not rows:
            return
        last = rows[-1].index
        files: dict[int, list[str]] = {}
        changes = StepFile.objects.filter(step__in=[row.pk for row in rows]).order_by("path")
        for step_id, path in changes.values_list("step_id", "path"):
            files.setdefault(step_id, []).append(path)
        for row in rows:
            size = unpacked_size(row.body)
            if row.pk in left_out or size > MAX_STEP_BYTES:
                yield row.index, None
                continue
            left -= size
            yield row.index, parts_of(unpack(row.body), row.status, files.get(row.pk, ()))


def parts_of(body: Mapping[str, Any], status: str, files: Sequence[str]) -> dict[str, str]:
    reply = as_text(body.get("reply"))
    is_reply = status in (StepStatus.ANSWER, StepStatus.MALFORMED)
    return {
        "code": as_text(body.get("code")),
        "output": "\n".join(text_of(output) for output in body.get("outputs") or ()),
        "thought": as_text(body.get("thought")) or (reply if is_reply else ""),
        "files": "\n".join(files),
    }


def text_of(output: Mapping[str, Any]) -> str:
    return as_text(output.get("text")) or plain_of(output.get("data") or {})


def find_in_step(index: int, parts: Mapping[str, str], find: Finder) -> StepHit | None:
    first: StepHit | None = None
    count = 0
    for part, stored in parts.items():
        text = clean(stored)
        for start, end in find(text):
            count += 1
            if first is None:
                stop = min(end, start + MAX_HIT_CHARS)
                before = text[max(0, start - AROUND_CHARS) : start]
                after = text[stop : stop + AROUND_CHARS]
                first = StepHit(index, part, before, text[start:stop], after, 0)
            if count >= MAX_COUNTED:
                return replace(first, count=count)
    return None if first is None else replace(first, count=count)
