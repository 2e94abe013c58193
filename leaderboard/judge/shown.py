"""Attempts as judges see them: rows in, blinded records out."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

from django.core.files.storage import default_storage

from leaderboard.models import Artifact, Attempt, Blob, Run, unpack
from leaderboard.rendering.ansi import settle_lines, strip_ansi
from leaderboard.rendering.file_contents import (
    MAX_STORED_BYTES,
    ContentPart,
    FileContents,
    read_contents,
)
from leaderboard.rendering.kinds import IMAGES, READ_AS
from leaderboard.rendering.previews import HEAD_BYTES, needs_bytes, preview
from leaderboard.storage.blobs import read_head
from runner.judge.messages import MOST_FILES
from runner.judge.shown_attempt import ShownAttempt, ShownFile, ShownStep

MAX_PICTURE_BYTES = 1_500_000
MAX_ARTIFACTS = 200
TEXT_CHARS = 6_000


def show_attempt(attempt: Attempt, *, takes_images: bool = False) -> ShownAttempt:
    """The try that counts. `attempt` has run, entry, owner and task at hand."""
    stored = attempt.artifacts.select_related("blob__preview").filter(
        try_number=attempt.counted_try
    )
    artifacts = list(stored[:MAX_ARTIFACTS])
    outputs = [a for a in artifacts if a.role == Artifact.Role.OUTPUT]
    closing = unpack(attempt.closing)
    opening = unpack(attempt.opening)
    return ShownAttempt(
        query=str(opening.get("query") or attempt.task.query),
        steps=tuple(show_step(body) for body in attempt.steps_that_count()),
        answer=closing.get("answer"),
        inputs="\n".join(
            f"{a.path}, {facts_of(a.blob)}" for a in artifacts if a.role == Artifact.Role.INPUT
        ),
        files=tuple(
            show_file(a, takes_images, is_listed_only=number >= MOST_FILES)
            for number, a in enumerate(outputs)
        ),
        left_out="\n".join(
            f"{a.path}: {a.reason}" for a in artifacts if a.role == Artifact.Role.REFUSED
        ),
        facts=say_facts(attempt, outputs),
        names=names_of(attempt.run),
    )


def show_step(body: dict[str, Any]) -> ShownStep:
    """One step. The agent saw its observation; the final answer is shown apart."""
    code = str(body.get("code") or "")
    is_answer = body.get("status") == "answer"
    return ShownStep(
        index=int(body["index"]),
        thought="" if is_answer else str(body.get("thought") or body.get("left_out") or ""),
        code=code,
        output=str(body.get("observation") or "") if code else "",
    )


def show_file(artifact: Artifact, takes_images: bool, is_listed_only: bool) -> ShownFile:
    blob = artifact.blob
    if blob is None or is_listed_only:
        return ShownFile(artifact.path, facts_of(blob))
    return ShownFile(
        path=artifact.path,
        facts=facts_of(blob),
        text=text_of_file(artifact.path, blob),
        picture=picture_of(blob) if takes_images else "",
    )


def facts_of(blob: Blob | None) -> str:
    if blob is None:
        return "no longer stored"
    size = f", {blob.width} × {blob.height} pixels" if blob.width else ""
    return f"{blob.mime}, {blob.size_bytes:,} bytes{size}"


def contents_of(blob: Blob) -> FileContents | None:
    """What a sandbox found in the file; None where none has opened it."""
    if blob.mime not in READ_AS or blob.preview is None:
        return None
    return read_contents(read_head(blob.preview, MAX_STORED_BYTES), blob.preview.sha256)


def text_of_file(path: str, blob: Blob) -> str:
    """The head of a table or a text, or what a sandbox found in a document; "" for the rest."""
    if contents := contents_of(blob):
        lines = [f"{name}: {value}" for name, value in contents.facts]
        parts = map(text_of_part, contents.parts)
        return "\n".join(filter(None, [*lines, *parts, contents.note]))[:TEXT_CHARS]
    if not blob.size_bytes:
        return "The file is empty."
    head = read_head(blob, HEAD_BYTES) if needs_bytes(path, blob.mime) else b""
    found = preview(path, blob.mime, blob.size_bytes, head)
    rows = [found.header, *found.rows] if found.header else []
    table = "\n".join(" | ".join(row) for row in rows)
    text = table or strip_ansi(settle_lines(found.text))
    return "\n".join(part for part in (text, found.note) if part)


def text_of_part(part: ContentPart) -> str:
    rows = [part.shown_header, *part.shown] if part.header else part.shown
    table = "\n".join(" | ".join(row) for row in rows)
    return "\n".join(filter(None, (part.title, part.shown_text, table, part.notes)))


def picture_of(blob: Blob) -> str:
    """The picture as a data URL, or that of a PDF's first page or a film's frame; "" for all else
    and for a large one."""
    contents = contents_of(blob)
    poster = contents.poster if contents else ""
    shown = Blob.objects.filter(pk=poster).first() if poster else blob
    if shown is None or shown.mime not in IMAGES or shown.size_bytes > MAX_PICTURE_BYTES:
        return ""
    try:
        with default_storage.open(shown.storage_name) as file:
            content = file.read()
    except FileNotFoundError:
        return ""
    return f"data:{shown.mime};base64,{base64.b64encode(content).decode()}"


def say_facts(attempt: Attempt, outputs: Iterable[Artifact]) -> str:
    """Facts that the site recorded itself, a line each."""
    there = {artifact.path for artifact in outputs}
    lines = [f"how it ended: {attempt.outcome.replace('_', ' ')}", f"replies: {attempt.turns}"]
    for name in attempt.task.outputs:
        state = "expected file present" if name in there else "expected file missing"
        lines.append(f"{state}: {name}")
    return "\n".join(lines)


def names_of(run: Run) -> tuple[str, ...]:
    """Names of the model and its account, which no judge sees."""
    entry = run.entry
    model = entry.model_name
    owner = entry.owner.get_username() if entry.owner_id and entry.owner else ""
    names = (entry.name, model, model.rpartition("/")[2], entry.slug, entry.organisation, owner)
    return tuple(dict.fromkeys(name for name in names if name))
