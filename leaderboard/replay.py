"""An attempt as a story: rows in, the cards that the replay page shows out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from leaderboard.models import Artifact, Attempt, Blob, Step, StepFile, Verdict, unpack
from leaderboard.near_misses import NearMiss, find_near_misses
from leaderboard.rendering.diffs import DIFF_BYTES, Diff, diff_files, is_comparable
from leaderboard.rendering.outputs import OutputBlock, describe
from leaderboard.rendering.previews import AUDIO, HEAD_BYTES, Preview, needs_bytes, preview
from runner.contract import ChangeKind, StepStatus

MAX_OUTPUTS = 60  # shown of one step
MAX_FILES = 40  # shown of one step
MAX_PREVIEWS = 120  # of one page
MAX_DIFFS = 30  # of one page
MAX_FRAME_BYTES = 4 << 20

ReadHead = Callable[[Blob, int], bytes]  # at most so many of its first bytes

STATUS_WORDS = {
    StepStatus.OK: "ran",
    StepStatus.ERROR: "error",
    StepStatus.TIMEOUT: "out of time",
    StepStatus.KILLED: "kernel ended",
    StepStatus.ANSWER: "answer",
    StepStatus.MALFORMED: "unreadable code",
}


@dataclass(frozen=True)
class FileCard:
    """A file as a chip that opens: an input, an output, or what a step did to one."""

    path: str
    kind: str = ""  # of a change: created, changed or deleted
    size_bytes: int = 0
    size_before_bytes: int = 0
    address: str = ""  # of its bytes; "" when they were not kept
    before: str = ""  # address of the version before, when both are pictures, or both sounds
    page: str = ""  # address of the picture of a PDF's first page
    page_before: str = ""  # the same of the version before
    diff: Diff | None = None  # against the version before
    frame: str = ""  # address of a page that runs in a frame of its own
    frame_name: str = ""  # of that frame, once on the page
    preview: Preview | None = None
    reason: str = ""  # why the harvest refused it
    written_by: int | None = None  # the step that wrote it last

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name


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
class AssertionRow:
    """One thing the check looked at, with the step that wrote the file it looked at."""

    name: str
    passed: bool
    expected: str
    actual: str
    message: str
    file: str
    written_by: int | None
    near: tuple[NearMiss, ...] = ()  # files that may have been meant, when no step wrote it


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


class Gallery:
    """Addresses and previews of stored files, with a budget for one page."""

    def __init__(self, read_head: ReadHead) -> None:
        self.read_head = read_head
        self.left = MAX_PREVIEWS
        self.diffs_left = MAX_DIFFS
        self.frames = 0

    def look(self, path: str, blob: Blob) -> Preview | None:
        """The preview of `blob` under the name `path`; None when the page has enough."""
        if self.left <= 0:
            return None
        self.left -= 1
        head = self.read_head(blob, HEAD_BYTES) if needs_bytes(path, blob.mime) else b""
        return preview(path, blob.mime, blob.size_bytes, head)

    def compare(self, path: str, before: Blob, after: Blob) -> Diff | None:
        """What changed inside a text or table; None for others, or when the page has enough."""
        if self.diffs_left <= 0 or before.sha256 == after.sha256:
            return None
        if not is_comparable(path, after.mime, before.size_bytes, after.size_bytes):
            return None
        self.diffs_left -= 1
        versions = (self.read_head(blob, DIFF_BYTES) for blob in (before, after))
        return diff_files(path, *versions)

    def frame(self, card: FileCard, blob: Blob) -> FileCard:
        """An HTML file gets a frame that can reach nothing; other files stay as they are."""
        is_page = PurePosixPath(card.path).suffix.lower() in (".html", ".htm")
        if not is_page or not 0 < blob.size_bytes <= MAX_FRAME_BYTES:
            return card
        self.frames += 1
        address = reverse("frame", args=[blob.sha256, card.name])
        return replace(card, frame=address, frame_name=f"frame-{self.frames}")


def address_of(sha256: str, path: str) -> str:
    return reverse("file", args=[sha256, PurePosixPath(path).name or "file"])


def page_of(blob: Blob, path: str) -> str:
    """The address of the picture of a PDF's first page; "" when there is none."""
    return address_of(blob.preview_id, f"{path}.png") if blob.preview_id else ""


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
    cards = mark_repeats(tell_steps(steps, inputs, gallery))
    culprits = (a.written_by for a in assertions if not a.passed and a.written_by)
    return Replay(
        query=opening.get("query") or attempt.task.query,
        messages=tuple(read_message(m) for m in opening.get("messages", ())),
        inputs=tuple(show_artifact(a, writers, gallery) for a in inputs),
        steps=tuple(cards),
        answer=closing.get("answer"),
        outputs=tuple(
            show_artifact(a, writers, gallery) for a in artifacts if a.role != Artifact.Role.INPUT
        ),
        assertions=assertions,
        sentence=verdict.sentence if verdict else attempt.sentence,
        culprit=next(culprits, None),
        first_error=next((card.index for card in cards if card.is_failure), None),
    )


def find_writers(steps: Sequence[Step]) -> dict[str, int]:
    """The last step that created or changed each file, by path."""
    return {
        file.path: step.index
        for step in steps
        for file in step.files.all()
        if file.kind != ChangeKind.DELETED
    }


def read_message(message: dict[str, Any]) -> Message:
    content = message.get("content")
    if isinstance(content, list):
        content = "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return Message(str(message.get("role", "")), str(content or ""))


def read_assertions(verdict: Verdict | None, writers: dict[str, int]) -> tuple[AssertionRow, ...]:
    """What the check looked at: first what did not hold, else in its order."""
    if verdict is None:
        return ()
    rows = [read_assertion(body, writers) for body in unpack(verdict.body)]
    return tuple(sorted(rows, key=lambda row: row.passed))


def read_assertion(body: dict[str, Any], writers: dict[str, int]) -> AssertionRow:
    file = str(body.get("file", ""))
    writer = writers.get(f"output/{file}") or writers.get(file) if file else None
    return AssertionRow(
        name=str(body["name"]),
        passed=bool(body["passed"]),
        expected=str(body["expected"]),
        actual=str(body["actual"]),
        message=str(body.get("message", "")),
        file=file,
        written_by=writer,
        near=find_near_misses(file, writers) if file and not writer and not body["passed"] else (),
    )


def show_artifact(artifact: Artifact, writers: dict[str, int], gallery: Gallery) -> FileCard:
    blob = artifact.blob
    written_by = writers.get(f"output/{artifact.path}")
    if artifact.role == Artifact.Role.INPUT:
        written_by = None
    if blob is None:
        return FileCard(artifact.path, reason=artifact.reason, written_by=written_by)
    card = FileCard(
        artifact.path,
        size_bytes=blob.size_bytes,
        address=address_of(blob.sha256, artifact.path),
        page=page_of(blob, artifact.path),
        preview=gallery.look(artifact.path, blob),
        written_by=written_by,
    )
    return gallery.frame(card, blob)


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


def show_change(file: StepFile, versions: dict[str, Blob], gallery: Gallery) -> FileCard:
    before = versions.pop(file.path, None)
    card = FileCard(file.path, file.kind, file.size_bytes, file.size_before_bytes)
    if file.blob is None:
        return card
    versions[file.path] = file.blob
    is_pair = before is not None and are_alike(before, file.blob)
    card = replace(
        card,
        address=address_of(file.blob.sha256, file.path),
        before=address_of(before.sha256, file.path) if before and is_pair else "",
        page=page_of(file.blob, file.path),
        page_before=page_of(before, file.path) if before else "",
        diff=gallery.compare(file.path, before, file.blob) if before else None,
        preview=gallery.look(file.path, file.blob),
    )
    return gallery.frame(card, file.blob)


def are_alike(before: Blob, after: Blob) -> bool:
    """Whether both are pictures or both sounds, to be shown beside each other."""
    are_pictures = before.mime.startswith("image/") and after.mime.startswith("image/")
    return are_pictures or (before.mime in AUDIO and after.mime in AUDIO)


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
