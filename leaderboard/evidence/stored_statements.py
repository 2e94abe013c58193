"""Statements about runs as they are stored, signed when they are served."""

from __future__ import annotations

from typing import Any

import zstandard

from leaderboard.evidence.keys import sign_statement
from leaderboard.models import Run, RunSeal

MAX_STATEMENT_BYTES = 64 << 20


def read_statement(run: Run) -> bytes | None:
    """The JSON that is signed; None before the sweep has stated the run."""
    packed = RunSeal.objects.filter(run=run, is_stated=True).values_list("statement", flat=True)
    body = packed.first()
    if not body:
        return None
    unpacked: bytes = zstandard.ZstdDecompressor().decompress(
        bytes(body), max_output_size=MAX_STATEMENT_BYTES
    )
    return unpacked


def read_manifest(run: Run) -> dict[str, Any] | None:
    """The run's signed envelope; None before the sweep has stated it."""
    statement = read_statement(run)
    return None if statement is None else sign_statement(statement)
