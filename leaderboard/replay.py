"""An attempt as a story: rows in, the cards that the replay page shows out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from leaderboard.assertions import AssertionRow, LookedAt, find_writers, look_at, read_assertions
from leaderboard.gallery import (
    FileCard,
    Gallery,
    ReadHead,
    address_of,
    show_artifact,
    show_change,
)
from leaderboard.models import Artifact, Attempt, Blob, Step, Verdict, unpack
from leaderboard.rendering.outputs import OutputBlock, describe
from runner.contract import StepStatus

MAX_OUTPUTS = 60  # shown of one step
MAX_FILES = 40  # shown of one step

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


FAILURES = {StepStatus.ERROR, StepStatus.TIMEOUT, StepStatus.KILLED, StepStatus.MALFORMED}


@dataclass(frozen=True)
class Message:
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
    first_error: int | None

    @property
    def held(self) -> int:
        """How many assertions hold."""
        return sum(assertion.passed for assertion in self.assertions)

    @property
    def has_answer_step(self) -> bool:
        """Whether the answer stands in its own step; else it is shown after the last."""
        return bool(self.answer) and any(step.is_answer for step in self.steps)


def tell(
    attempt: Attempt,
    steps: Sequence[Step],
    artifacts: Iterable[Artifact],
    verdict: Verdict | None,
    read_head: ReadHead,
) -> Replay:
    """The replay of one try. `steps` have their `files` at hand, each with its blob."""
    opening, closing = unpack(attempt.opening), unpack(attempt.closing)
    gallery = Gallery(read_head)
    artifacts = list(artifacts)
    inputs = [a for a in artifacts if a.role == Artifact.Role.INPUT]
    writers = find_writers(steps)
    assertions = read_assertions(verdict, writers)
    # The files that were checked come before those of the steps, should the page have enough.
    outputs = tuple(
        show_artifact(a, writers, gallery) for a in artifacts if a.role != Artifact.Role.INPUT
    )
    cards = mark_repeats(tell_steps(steps, inputs, gallery))
    culprits = (a.written_by for a in assertions if not a.passed and a.written_by)
    return Replay(
        query=opening.get("query") or attempt.task.query,
        messages=tuple(read_message(m) for m in opening.get("messages", ())),
        inputs=tuple(show_artifact(a, writers, gallery) for a in inputs),
        steps=tuple(cards),
        answer=closing.get("answer"),
        outputs=outputs,
        assertions=assertions,
        looked_at=look_at(assertions, outputs, writers),
        sentence=verdict.sentence if verdict else attempt.sentence,
        culprit=next(culprits, None),
        first_error=next((card.index for card in cards if card.is_failure), None),
    )


def read_message(message: dict[str, Any]) -> Message:
    content = message.get("content")
    if isinstance(content, list):
        content = "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return Message(str(message.get("role", "")), str(content or ""))


def tell_steps(
    steps: Sequence[Step], inputs: Sequence[Artifact], gallery: Gallery
) -> list[StepCard]:
    """The cards in order. `versions` follows each file, so that a change knows what was before."""
    versions = {f"data/{a.path}": a.blob for a in inputs if a.blob}
    return [tell_step(step, versions, gallery) for step in steps]


def tell_step(step: Step, versions: dict[str, Blob], gallery: Gallery) -> StepCard:
    body = unpack(step.body)
    reply = body.get("reply") or ""
    status = StepStatus(step.status)
    outputs = body.get("outputs") or ()
    files = list(step.files.all())
    usage = body.get("usage") or {}
    return StepCard(
        index=step.index,
        status=status,
        word=step.error_name or STATUS_WORDS[status],
        thought=body.get("thought") or (reply if status is StepStatus.ANSWER else ""),
        code=body.get("code") or "",
        reply=reply if status is StepStatus.MALFORMED else "",
        outputs=tuple(describe(o, address_in(step)) for o in outputs[:MAX_OUTPUTS]),
        more_outputs=max(0, len(outputs) - MAX_OUTPUTS),
        notes=tuple(body.get("notes") or ()),
        files=tuple(show_change(file, versions, gallery) for file in files[:MAX_FILES]),
        more_files=max(0, len(files) - MAX_FILES),
        model_s=step.model_s,
        cell_s=step.cell_s,
        tokens=usage.get("completion_tokens", step.completion_tokens),
    )


def address_in(step: Step) -> Callable[[str, str], str]:
    """Addresses of the pictures a step displayed: the step vouches for them."""

    def address(sha256: str, mime: str) -> str:
        name = "figure." + mime.removeprefix("image/").removesuffix("+xml")
        return f"{address_of(sha256, name)}?{urlencode({'step': step.pk})}"

    return address


def mark_repeats(cards: list[StepCard]) -> list[StepCard]:
    """Each failing card that repeats the failure before it, with the same error, says so."""
    marked: list[StepCard] = []
    last: StepCard | None = None
    for card in cards:
        if card.is_failure and last and error_of(card) == error_of(last):
            card = replace(card, repeats=last.repeats or last.index)
        last = card if card.is_failure else last
        marked.append(card)
    return marked


def error_of(card: StepCard) -> tuple[str, str]:
    errors = [output.error for output in card.outputs if output.error]
    return card.word, errors[-1] if errors else card.code
