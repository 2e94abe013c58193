"""Turns what the runner reports into rows: openings, steps, files, verdicts."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from leaderboard import blobs
from leaderboard.models import Artifact, Attempt, Blob, StepFile, Verdict, pack
from leaderboard.models import Step as StepRow
from runner.contract import AttemptResult, Harvest, Opening, OutputKind, Step
from runner.contract import Verdict as Judged

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # PostgreSQL's text refuses these
EXTENSIONS = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/svg+xml": ".svg",
}

KeptFile = tuple[str, Blob]  # path, bytes


def clean(text: str, limit_chars: int | None = None) -> str:
    """Text that every database's text column takes."""
    return UNSTORABLE.sub("\ufffd", text)[:limit_chars]


def moment(epoch_s: float) -> datetime | None:
    return datetime.fromtimestamp(epoch_s, UTC) if epoch_s else None


def keep_inputs(opening: Opening) -> list[KeptFile]:
    return [(f.path, blobs.keep_file(f.location, f.path)) for f in opening.inputs]


def keep_outputs(harvest: Harvest) -> list[KeptFile]:
    return [(f.path, blobs.keep_file(f.location, f.path)) for f in harvest.files]


def opening_body(opening: Opening) -> bytes:
    inputs = [
        {"path": f.path, "size_bytes": f.size_bytes, "sha256": f.sha256} for f in opening.inputs
    ]
    return pack(
        {
            "messages": [dict(m) for m in opening.messages],
            "query": opening.query,
            "seed": opening.seed,
            "parameters": dict(opening.parameters),
            "inputs": inputs,
        }
    )


def step_body(step: Step) -> bytes:
    """The step as a dict; changed files' bytes and images go to blobs of their own."""
    outputs = [{**asdict(o), "data": stored_bundle(o.data)} for o in step.outputs]
    changes = [
        {
            "path": c.path,
            "kind": c.kind,
            "size_bytes": c.size_bytes,
            "size_before_bytes": c.size_before_bytes,
            "sha256": c.sha256,
        }
        for c in step.changes
    ]
    facts = {
        name: getattr(step, name)
        for name in ("index", "status", "reply", "thought", "code", "observation", "notes")
    }
    return pack(
        {
            **facts,
            "outputs": outputs,
            "changes": changes,
            "usage": asdict(step.usage),
            "finish_reason": step.finish_reason,
            "model_s": step.model_s,
            "cell_s": step.cell_s,
            "started_at": step.started_at,
            "messages": [dict(m) for m in step.messages],
        }
    )


def stored_bundle(data: Any) -> dict[str, Any]:
    """A MIME bundle whose images are replaced by {"blob": sha256}."""
    return {
        mime: {"blob": keep_image(mime, value).sha256} if mime.startswith("image/") else value
        for mime, value in data.items()
    }


def keep_image(mime: str, value: str) -> Blob:
    """The bytes of one image of a MIME bundle; text that is no base64 is kept as it came."""
    raw = value.encode("utf-8", "replace")
    if mime != "image/svg+xml":
        try:
            raw = base64.b64decode(raw, validate=False)
        except binascii.Error:
            mime = ""
    return blobs.keep_bytes(raw, f"image{EXTENSIONS.get(mime, '')}")


def keep_changes(step: Step) -> dict[str, Blob]:
    """The bytes of the files that the step left, by path."""
    return {
        c.path: blobs.keep_bytes(c.content, c.path) for c in step.changes if c.content is not None
    }


def save_step(attempt: Attempt, step: Step, body: bytes, kept: dict[str, Blob]) -> StepRow:
    """The step's row and one row for each file that it changed."""
    row = StepRow.objects.create(
        attempt=attempt,
        try_number=attempt.tries,
        index=step.index,
        status=step.status,
        error_name=clean(error_name(step), 200),
        prompt_tokens=step.usage.prompt_tokens,
        completion_tokens=step.usage.completion_tokens,
        model_s=step.model_s,
        cell_s=step.cell_s,
        started_at=moment(step.started_at),
        body=body,
    )
    StepFile.objects.bulk_create(
        StepFile(
            step=row,
            path=clean(change.path, 1000),
            kind=change.kind,
            size_bytes=change.size_bytes,
            size_before_bytes=change.size_before_bytes,
            blob=kept.get(change.path),
        )
        for change in step.changes
    )
    return row


def error_name(step: Step) -> str:
    errors = [o.error_name for o in step.outputs if o.kind == OutputKind.ERROR]
    return errors[-1] if errors else ""


def save_artifacts(attempt: Attempt, role: Artifact.Role, files: Iterable[KeptFile]) -> None:
    Artifact.objects.bulk_create(
        Artifact(
            attempt=attempt,
            try_number=attempt.tries,
            role=role,
            path=clean(path, 1000),
            blob=blob,
        )
        for path, blob in files
    )


def save_refused(attempt: Attempt, harvest: Harvest) -> None:
    Artifact.objects.bulk_create(
        Artifact(
            attempt=attempt,
            try_number=attempt.tries,
            role=Artifact.Role.REFUSED,
            path=clean(refused.path, 1000),
            reason=clean(refused.reason, 300),
        )
        for refused in harvest.refused
    )


def save_verdict(attempt: Attempt, verdict: Judged) -> None:
    Verdict.objects.create(
        attempt=attempt,
        try_number=attempt.tries,
        check_version=verdict.check_version,
        passed=verdict.passed,
        sentence=clean(verdict.sentence),
        duration_s=verdict.duration_s,
        body=pack([asdict(a) for a in verdict.assertions]),
    )


def copy_figures(attempt: Attempt, result: AttemptResult) -> None:
    """The result's counts and times, onto the attempt's columns."""
    attempt.turns = result.turns
    attempt.prompt_tokens = result.usage.prompt_tokens
    attempt.completion_tokens = result.usage.completion_tokens
    attempt.cached_tokens = result.usage.cached_tokens
    attempt.reasoning_tokens = result.usage.reasoning_tokens
    attempt.model_s = result.model_s
    attempt.cell_s = result.cell_s
    attempt.wall_s = result.wall_s
    attempt.closing = pack({"answer": result.answer, "environment": dict(result.environment)})
