"""The bundle of a run: its manifest with every file that it names, as an archive.

Inputs of tasks are never in it: whoever verifies a run has the suite.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from typing import Any

from django.core.files.storage import default_storage

from leaderboard.evidence.run_statement import (
    AttemptEvidence,
    load_attempts,
    read_steps,
    write_trajectory,
    write_verdict,
)
from leaderboard.models import Blob, Run
from leaderboard.storage.pieces import Pieces
from runner.evidence.statement import MANIFEST, file_name, trajectory_name, verdict_name

PIECE_BYTES = 1 << 20


def write_bundle(run: Run, manifest: dict[str, Any]) -> Iterator[bytes]:
    """The archive, made while it is sent."""
    sink = Pieces()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, json.dumps(manifest))
        yield sink.take()
        written: set[str] = set()
        for one in load_attempts(run):
            write_attempt(archive, one)
            yield sink.take()
            for file in one.outputs:
                if file.blob is not None and file.blob_id not in written:
                    written.add(str(file.blob_id))
                    yield from write_file(archive, file.blob, sink)
    yield sink.take()


def write_attempt(archive: zipfile.ZipFile, one: AttemptEvidence) -> None:
    number = one.attempt.number
    with archive.open(trajectory_name(one.task, number), "w") as target:
        for piece in write_trajectory(one, read_steps(one)):
            target.write(piece)
    if one.verdict is not None:
        archive.writestr(verdict_name(one.task, number), write_verdict(one.verdict))


def write_file(archive: zipfile.ZipFile, blob: Blob, sink: Pieces) -> Iterator[bytes]:
    with (
        default_storage.open(blob.storage_name) as source,
        archive.open(file_name(blob.sha256), "w") as target,
    ):
        while piece := source.read(PIECE_BYTES):
            target.write(piece)
            yield sink.take()
