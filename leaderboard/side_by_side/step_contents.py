"""Parts compared of each step of an attempt: bounded pieces of its stored record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from leaderboard.models import Attempt, Step, StepFile, unpack, unpacked_size
from leaderboard.rendering.outputs import as_text, plain_of
from leaderboard.side_by_side.content import TEXT_CHARS, StepContent
from runner.contract import ChangeKind, StepStatus

MAX_STEPS = 1_000  # aligned of an attempt
MAX_FILES = 5_000  # changes looked at of an attempt
MAX_BYTES = 16 << 20  # unpacked of an attempt's records; the largest are left out
MAX_RECORD_BYTES = 256 << 10  # unpacked; a larger record is aligned by its files alone
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,16}\b")  # of objects: other ones at every run


@dataclass(frozen=True)
class FileVersion:
    """A file as a step left it."""

    size_bytes: int
    sha256: str  # "" where its bytes were not kept

    @property
    def key(self) -> str:
        """Equal for equal contents."""
        return self.sha256 or f"{self.size_bytes} bytes"


@dataclass(frozen=True)
class ComparedStep:
    """One step: what is aligned, and the files it wrote, or deleted (None)."""

    index: int
    status: str
    content: StepContent
    files: Mapping[str, FileVersion | None] = field(default_factory=dict)

    @property
    def code(self) -> str:
        """Without blank lines, comments of whole lines, and blanks at the end of lines."""
        lines = (line.rstrip() for line in self.content.code.splitlines())
        return "\n".join(line for line in lines if line and not line.lstrip().startswith("#"))

    @property
    def result(self) -> tuple[str, str]:
        return self.status, self.content.outputs.strip()


def load_steps(attempt: Attempt) -> tuple[list[ComparedStep], int]:
    """The first MAX_STEPS steps of the try that counts, and how many it has. Three queries."""
    of_try = attempt.steps.filter(try_number=attempt.counted_try)
    rows, _ = of_try.order_by("index").defer("started_at")[:MAX_STEPS].load_within(MAX_BYTES)
    files: dict[int, dict[str, FileVersion | None]] = {}
    changes = StepFile.objects.filter(step__in=of_try).select_related("blob")
    for change in changes.order_by("step__index", "path")[:MAX_FILES]:
        files.setdefault(change.step_id, {})[change.path] = version_of(change)
    count = len(rows) if len(rows) < MAX_STEPS else of_try.count()
    return [read_step(row, files.get(row.pk, {})) for row in rows], count


def version_of(change: StepFile) -> FileVersion | None:
    if change.kind == ChangeKind.DELETED:
        return None
    return FileVersion(change.size_bytes, change.blob.sha256 if change.blob else "")


def read_step(step: Step, files: dict[str, FileVersion | None]) -> ComparedStep:
    body = unpack(step.body) if unpacked_size(step.body) <= MAX_RECORD_BYTES else {}
    is_answer = step.status == StepStatus.ANSWER
    said = [text_of(output) for output in body.get("outputs") or ()]
    written = (f"{path} {version.key if version else 'deleted'}" for path, version in files.items())
    content = StepContent(
        code=bounded(body.get("reply") if is_answer else body.get("code")),
        outputs=bounded(without_addresses("\n".join([step.error_name, *said]))),
        files="\n".join(written),
        is_answer=is_answer,
    )
    return ComparedStep(step.index, step.status, content, files)


def without_addresses(text: str) -> str:
    return ADDRESS.sub("0x", text[: 2 * TEXT_CHARS])


def text_of(output: Mapping[str, Any]) -> str:
    """The text of an output; a picture stands for itself by its digest."""
    data = output.get("data")
    pictures = data.values() if isinstance(data, Mapping) else ()
    digests = [str(value.get("blob", "")) for value in pictures if isinstance(value, Mapping)]
    return "\n".join([bounded(as_text(output.get("text")) or plain_of(data or {})), *digests])


def bounded(text: object) -> str:
    """The beginning and the end of a text."""
    text = str(text or "")
    half = TEXT_CHARS // 2
    return text if len(text) <= TEXT_CHARS else f"{text[:half]}\n{text[-half:]}"
