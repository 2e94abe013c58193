"""Turns what the runner reports into rows: openings, steps, files, verdicts."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from leaderboard.models import Artifact, Attempt, StepFile, Verdict, clean, pack
from leaderboard.models import Step as StepRow
from leaderboard.models.statements import insert, insert_one
from leaderboard.storage import blobs
from runner.contract import AttemptResult, Harvest, Opening, Output, OutputKind, Step
from runner.contract import Verdict as Judged

EXTENSIONS = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/svg+xml": ".svg",
}

MOST_IMAGES = 40  # of a step
MOST_IMAGES_OF_OUTPUT = 4

KeptFile = tuple[str, str]  # path, digest of its bytes


def moment(epoch_s: float) -> datetime | None:
    return datetime.fromtimestamp(epoch_s, UTC) if epoch_s else None


def keep_inputs(opening: Opening) -> list[KeptFile]:
    return [(f.path, blobs.keep_file_digest(f.location, f.path)) for f in opening.inputs]


def keep_outputs(harvest: Harvest) -> list[KeptFile]:
    return [(f.path, blobs.keep_file_digest(f.location, f.path)) for f in harvest.files]


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
    outputs = stored_outputs(step.outputs)
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


def stored_outputs(outputs: Sequence[Output]) -> list[dict[str, Any]]:
    """The outputs as dicts; images beyond the caps are left out, and a notice says how many."""
    room, left_out = MOST_IMAGES, 0
    stored = []
    for output in outputs:
        images = [mime for mime in output.data if mime.startswith("image/")]
        kept = images[: min(room, MOST_IMAGES_OF_OUTPUT)]
        room, left_out = room - len(kept), left_out + len(images) - len(kept)
        stored.append({**asdict(output), "data": stored_bundle(output.data, kept)})
    if left_out:
        sentence = (
            f"{left_out} images are not kept: an output may have {MOST_IMAGES_OF_OUTPUT} "
            f"and a step {MOST_IMAGES} in all."
        )
        stored.append(asdict(Output(OutputKind.NOTICE, text=sentence)))
    return stored


def stored_bundle(data: Mapping[str, str], images: Collection[str]) -> dict[str, Any]:
    """A MIME bundle with those `images` of it that are kept, replaced by {"blob": sha256}."""
    return {
        mime: {"blob": keep_image(mime, value)} if mime in images else value
        for mime, value in data.items()
        if mime in images or not mime.startswith("image/")
    }


def keep_image(mime: str, value: str) -> str:
    """Keep one image of a MIME bundle, as it came if it is no base64; the digest of its bytes."""
    raw = value.encode("utf-8", "replace")
    if mime != "image/svg+xml":
        try:
            raw = base64.b64decode(raw, validate=False)
        except binascii.Error:
            mime = ""
    return blobs.keep_digest(raw, f"image{EXTENSIONS.get(mime, '')}")


def keep_changes(step: Step) -> dict[str, str]:
    """The digests of the files that the step left, by path."""
    return {
        c.path: blobs.keep_digest(c.content, c.path) for c in step.changes if c.content is not None
    }


def save_step(attempt: Attempt, step: Step, body: bytes, kept: dict[str, str]) -> StepRow:
    """The step's row and one row for each file that it changed."""
    row = step_row(attempt.pk, attempt.tries, step, body)
    insert_step(row, step, kept)
    return row


def insert_step(row: StepRow, step: Step, kept: Mapping[str, str]) -> None:
    if step.changes:
        insert_one(row)
        insert(step_files(row, step, kept))
    else:
        insert([row])


def step_row(attempt_id: int, try_number: int, step: Step, body: bytes) -> StepRow:
    return StepRow(
        attempt_id=attempt_id,
        try_number=try_number,
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


def step_files(row: StepRow, step: Step, kept: Mapping[str, str]) -> list[StepFile]:
    return [
        StepFile(
            step=row,
            path=clean(change.path, 1000),
            kind=change.kind,
            size_bytes=change.size_bytes,
            size_before_bytes=change.size_before_bytes,
            blob_id=kept.get(change.path),
        )
        for change in step.changes
    ]


def error_name(step: Step) -> str:
    errors = [o.error_name for o in step.outputs if o.kind == OutputKind.ERROR]
    return errors[-1] if errors else ""


def save_harvest(
    attempt_id: int, try_number: int, files: Iterable[KeptFile], harvest: Harvest
) -> None:
    """The files that were taken, and those that were refused."""
    taken = kept_files(attempt_id, try_number, Artifact.Role.OUTPUT, files)
    insert([*taken, *refused_files(attempt_id, try_number, harvest)])


def kept_files(
    attempt_id: int, try_number: int, role: Artifact.Role, files: Iterable[KeptFile]
) -> Iterator[Artifact]:
    for path, sha256 in files:
        yield Artifact(
            attempt_id=attempt_id,
            try_number=try_number,
            role=role,
            path=clean(path, 1000),
            blob_id=sha256,
        )


def refused_files(attempt_id: int, try_number: int, harvest: Harvest) -> Iterator[Artifact]:
    for refused in harvest.refused:
        yield Artifact(
            attempt_id=attempt_id,
            try_number=try_number,
            role=Artifact.Role.REFUSED,
            path=clean(refused.path, 1000),
            reason=clean(refused.reason, 300),
        )


def save_verdict(attempt_id: int, try_number: int, verdict: Judged) -> None:
    row = Verdict(
        attempt_id=attempt_id,
        try_number=try_number,
        check_version=verdict.check_version,
        passed=verdict.passed,
        sentence=clean(verdict.sentence),
        duration_s=verdict.duration_s,
        body=pack([asdict(a) for a in verdict.assertions]),
    )
    insert([row])


def copy_figures(attempt: Attempt, result: AttemptResult) -> None:
    """The result's counts and times, onto the attempt's columns."""
    for name, value in figures_of(result).items():
        setattr(attempt, name, value)


def figures_of(result: AttemptResult) -> dict[str, Any]:
    """The columns of an attempt that a result fills, whatever it is."""
    return {
        "turns": result.turns,
        "prompt_tokens": result.usage.prompt_tokens,
        "completion_tokens": result.usage.completion_tokens,
        "cached_tokens": result.usage.cached_tokens,
        "reasoning_tokens": result.usage.reasoning_tokens,
        "model_s": result.model_s,
        "cell_s": result.cell_s,
        "wall_s": result.wall_s,
        "closing": pack({"answer": result.answer, "environment": dict(result.environment)}),
    }
