"""An attempt as a story: rows in, the cards that the replay page shows out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from leaderboard.models import Artifact, Attempt, Blob, Step, Verdict, unpack
from leaderboard.rendering.budget import can_afford
from leaderboard.rendering.outputs import OutputBlock, describe
from leaderboard.replay.assertions import AssertionRow, LookedAt, look_at, read_assertions
from leaderboard.replay.files import (
    FileCard,
    Gallery,
    ReadHead,
    address_of,
    show_artifact,
    show_change,
)
from leaderboard.replay.step_windows import FAILURES, StepWindow
from runner.contract import StepStatus

MAX_OUTPUTS = 60  # shown of one step
MAX_FILES = 40  # shown of one step
OUTPUT_US = 200  # the markup around an output, of what a page may cost
FILE_US = 800  # around a file

STATUS_WORDS = {
    StepStatus.OK: "ran",
    StepStatus.ERROR: "error",
    StepStatus.TIMEOUT: "out of time",
    StepStatus.KILLED: "kernel ended",
    StepStatus.ANSWER: "answer",
    StepStatus.MALFORMED: "unreadable code",
}


@dataclass(frozen=True)
class StepCard:
    """One step: what was thought, sent, shown and changed."""

    index: int
    status: StepStatus
    word: str  # "KeyError", "ran"
    thought: str = ""
    code: str = ""
    reply: str = ""  # raw, where it could not be read
    outputs: tuple[OutputBlock, ...] = ()
    more_outputs: int = 0
    is_oversized: bool = False  # its record is too large for a page
    notes: tuple[str, ...] = ()
    files: tuple[FileCard, ...] = ()
    more_files: int = 0
    repeats: int | None = None  # the earlier step whose error this one repeats
    model_s: float = 0.0
    cell_s: float = 0.0
    tokens: int | None = None  # completion

    @property
    def is_failure(self) -> bool:
        return self.status in FAILURES

    @property
    def is_answer(self) -> bool:
        return self.status is StepStatus.ANSWER


@dataclass(frozen=True)
class Message:
    """One message of the prompt."""

    role: str
    text: str


@dataclass(frozen=True)
class Replay:
    """Everything the replay page says of one try at one task."""

    query: str
    messages: tuple[Message, ...]
    inputs: tuple[FileCard, ...]
    steps: tuple[StepCard, ...]
    answer: str | None
    outputs: tuple[FileCard, ...]
    assertions: tuple[AssertionRow, ...]
    looked_at: tuple[LookedAt, ...]  # the same by file
    sentence: str
    culprit: int | None  # the step that wrote the file of the first failed assertion

    @property
    def held(self) -> int:
        """Number of assertions that hold."""
        return sum(assertion.passed for assertion in self.assertions)

    @property
    def has_answer_step(self) -> bool:
        """True if the answer has its own step; else it is shown after the last."""
        return bool(self.answer) and any(step.is_answer for step in self.steps)


def tell(
    attempt: Attempt,
    window: StepWindow,
    artifacts: Iterable[Artifact],
    verdict: Verdict | None,
    read_head: ReadHead,
) -> Replay:
    """The replay of one window of a try."""
    opening, closing = unpack(attempt.opening), unpack(attempt.closing)
    gallery = Gallery(read_head)
    artifacts = list(artifacts)
    inputs = [a for a in artifacts if a.role == Artifact.Role.INPUT]
    writers = window.writers
    assertions = read_assertions(verdict, writers)
    # The files that were checked come before those of the steps, should the page have enough.
    outputs = tuple(
        show_artifact(a, writers, gallery) for a in artifacts if a.role != Artifact.Role.INPUT
    )
    cards = mark_repeats(tell_steps(window, inputs, gallery), window.failure_before)
    culprits = (a.written_by for a in assertions if not a.passed and a.written_by)
    return Replay(
        query=opening.get("query") or attempt.task.query,
        messages=tuple(read_message(m) for m in opening.get("messages", ())),
        inputs=tuple(show_artifact(a, writers, gallery) for a in inputs),
        steps=tuple(cards),
        answer=closing.get("answer"),
        outputs=outputs,
        assertions=assertions,
        looked_at=look_at(assertions, outputs),
        sentence=verdict.sentence if verdict else attempt.sentence,
        culprit=next(culprits, None),
    )


def read_message(message: dict[str, Any]) -> Message:
    content = message.get("content")
    if isinstance(content, list):
        content = "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return Message(str(message.get("role", "")), str(content or ""))


def tell_steps(window: StepWindow, inputs: Sequence[Artifact], gallery: Gallery) -> list[StepCard]:
    """The cards in order. `versions` follows each file, so that a change knows what was before."""
    versions = {f"data/{a.path}": a.blob for a in inputs if a.blob} | window.versions
    return [
        tell_step(
            step, {} if step.index in window.oversized else unpack(step.body), versions, gallery
        )
        for step in window.steps
    ]


def tell_step(
    step: Step, body: Mapping[str, Any], versions: dict[str, Blob], gallery: Gallery
) -> StepCard:
    """The card of a step; an empty `body` is one that is too large to be shown."""
    reply = body.get("reply") or ""
    status = StepStatus(step.status)
    outputs = body.get("outputs") or ()
    shown = [o for o in outputs[:MAX_OUTPUTS] if can_afford(OUTPUT_US)]
    files = list(step.files.all())
    cards = [file for file in files[:MAX_FILES] if can_afford(FILE_US)]
    usage = body.get("usage") or {}
    return StepCard(
        index=step.index,
        status=status,
        word=step.error_name or STATUS_WORDS[status],
        thought=body.get("thought") or (reply if status is StepStatus.ANSWER else ""),
        code=body.get("code") or "",
        reply=reply if status is StepStatus.MALFORMED else "",
        outputs=tuple(describe(o, address_in(step)) for o in shown),
        more_outputs=len(outputs) - len(shown),
        is_oversized=not body,
        notes=(*complaints_in(body, status), *(body.get("notes") or ())),
        files=tuple(show_change(file, versions, gallery) for file in cards),
        more_files=len(files) - len(cards),
        model_s=step.model_s,
        cell_s=step.cell_s,
        tokens=usage.get("completion_tokens", step.completion_tokens),
    )


def complaints_in(body: Mapping[str, Any], status: StepStatus) -> tuple[str, ...]:
    """Why a reply could not be read, as the model read it, in brackets; () for any other step."""
    line = str(body.get("observation") or "").partition("\n")[0]
    is_complaint = status is StepStatus.MALFORMED and line.startswith("[") and line.endswith("]")
    return (line[1:-1],) if is_complaint else ()


def address_in(step: Step) -> Callable[[str, str], str]:
    """Addresses of the pictures a step displayed: the step vouches for them."""

    def address(sha256: str, mime: str) -> str:
        name = "figure." + mime.removeprefix("image/").removesuffix("+xml")
        return f"{address_of(sha256, name)}?{urlencode({'step': step.pk})}"

    return address


def mark_repeats(cards: list[StepCard], before: Step | None = None) -> list[StepCard]:
    """Each failing card that repeats the failure before it, with the same error, says so."""
    marked: list[StepCard] = []
    last = tell_step(before, unpack(before.body), {}, Gallery(no_bytes)) if before else None
    for card in cards:
        if card.is_failure and last and error_of(card) == error_of(last):
            card = replace(card, repeats=last.repeats or last.index)
        last = card if card.is_failure else last
        marked.append(card)
    return marked


def no_bytes(blob: Blob, limit_bytes: int) -> bytes:
    """For a step whose files are not shown."""
    return b""


def error_of(card: StepCard) -> tuple[str, str]:
    errors = [output.error for output in card.outputs if output.error]
    return card.word, errors[-1] if errors else card.code
