"""The parts of a replay that cost: drawn within a budget, and kept for whoever reads them next."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from leaderboard.handoff.file_previews import MAX_TRIES
from leaderboard.models import Artifact, Attempt, Verdict
from leaderboard.rendering.budget import page_budget
from leaderboard.rendering.kinds import READ_AS
from leaderboard.replay.step_windows import StepWindow, load_window
from leaderboard.replay.story import tell
from leaderboard.replay.timing import time_steps
from leaderboard.storage.blobs import read_head
from runner.contract import StepStatus

MAX_WINDOWS = 50  # of a replay in one page
UNFINISHED_S = 5.0  # how long a page is kept whose files have no preview yet


@dataclass(frozen=True)
class RibbonStep:
    """A step as the ribbon names it."""

    index: int
    status: StepStatus
    word: str
    repeats: int | None


@dataclass(frozen=True)
class DrawnReplay:
    """One window of a try as markup, and what the rest of the page says of it."""

    cards: SafeString
    evidence: SafeString
    timing: SafeString
    ribbon: tuple[RibbonStep, ...]
    first: int  # index of the window's first step
    last: int
    count: int  # steps of the try
    previous: int | None  # where the window before begins
    next: int | None
    final: int  # where the last window begins
    failures: tuple[int, ...]  # indexes of the try's failing steps
    sentence: str
    culprit: int | None
    held: int
    assertions: int
    failed_files: tuple[str, ...]  # looked at by failed assertions; "" for the answer
    is_finished: bool  # no preview of a file is awaited
    drawn_at_s: float  # on the clock of this process

    @property
    def length(self) -> int:
        """Characters of markup."""
        return len(self.cards) + len(self.evidence) + len(self.timing)


def draw_replay(
    attempt: Attempt,
    window: StepWindow,
    artifacts: Iterable[Artifact],
    verdict: Verdict | None,
    facts: Mapping[str, object],
) -> DrawnReplay:
    """Draw a window. `facts` are what the templates ask of attempt, run and task."""
    artifacts = list(artifacts)
    with page_budget(attempt.raw_address):
        story = tell(attempt, window, artifacts, verdict, read_head)
        context = {**facts, "story": story, "window": window, "raw": attempt.raw_address}
        evidence = render_to_string("replay/_assertions.html", context)
        cards = render_to_string("replay/_cards.html", context)
    timed = time_steps(window.steps, None if window.next else verdict)
    return DrawnReplay(
        cards=SafeString(cards),
        evidence=SafeString(evidence),
        timing=SafeString(render_to_string("replay/_timing.html", {"timing": timed})),
        ribbon=tuple(RibbonStep(s.index, s.status, s.word, s.repeats) for s in story.steps),
        first=window.first,
        last=window.last,
        count=window.count,
        previous=window.previous,
        next=window.next,
        final=window.final,
        failures=window.failures,
        sentence=story.sentence,
        culprit=story.culprit,
        held=story.held,
        assertions=len(story.assertions),
        failed_files=tuple(group.file for group in story.looked_at if not group.passed),
        is_finished=not awaits_previews(window, artifacts),
        drawn_at_s=time.monotonic(),
    )


@dataclass(frozen=True)
class WholeReplay:
    """Every step of a try as markup, up to MAX_WINDOWS windows of them."""

    cards: SafeString
    evidence: SafeString
    drawn: DrawnReplay  # of the first window
    left_out: int  # steps after the last that is drawn


def draw_whole(
    attempt: Attempt,
    artifacts: Iterable[Artifact],
    verdict: Verdict | None,
    facts: Mapping[str, object],
) -> WholeReplay:
    """Draw the try that counts, window by window, each within a budget of its own."""
    artifacts, cards = list(artifacts), []
    window = load_window(attempt, attempt.counted_try, 1)
    first = draw_replay(attempt, window, artifacts, verdict, facts)
    for left in reversed(range(MAX_WINDOWS)):
        with page_budget(attempt.raw_address):
            story = tell(attempt, window, artifacts, verdict, read_head)
            context = {**facts, "story": story, "window": window, "raw": attempt.raw_address}
            cards.append(render_to_string("replay/_part.html", context))
        if not window.next or not left:
            break
        window = load_window(attempt, attempt.counted_try, window.next)
    left_out = window.count - window.last
    return WholeReplay(SafeString("".join(cards)), first.evidence, first, left_out)


def is_still_good(drawn: DrawnReplay) -> bool:
    return drawn.is_finished or time.monotonic() - drawn.drawn_at_s < UNFINISHED_S


def awaits_previews(window: StepWindow, artifacts: Iterable[Artifact]) -> bool:
    """True if a file is still to be opened in a sandbox."""
    files = [file.blob for step in window.steps for file in step.files.all()]
    blobs = [*files, *(artifact.blob for artifact in artifacts)]
    return any(
        blob.mime in READ_AS
        and not blob.preview_id
        and blob.preview_tries < MAX_TRIES
        and blob.size_bytes > 0
        for blob in blobs
        if blob is not None
    )
