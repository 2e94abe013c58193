"""Statements about sealed runs: the sweep makes each once, and they are signed when served."""

from __future__ import annotations

import logging
import time
from typing import Any

import zstandard
from django.db import DatabaseError

from leaderboard.evidence.keys import sign_statement
from leaderboard.evidence.run_statement import make_statement
from leaderboard.models import Run, RunSeal
from runner.evidence.chain import canonical, digest_of

log = logging.getLogger(__name__)

BUDGET_S = 2.0  # of one sweep; at least one run is stated
MAX_STATEMENT_BYTES = 64 << 20


def keep_statements(budget_s: float = BUDGET_S) -> int:
    """State the runs that were sealed and are not stated, oldest first; how many were."""
    until_s = time.monotonic() + budget_s
    stated = 0
    for pk, sha256 in list(
        RunSeal.objects.filter(is_stated=False).order_by("run").values_list("run", "sha256")[:16]
    ):
        stated += keep_safely(pk, sha256)
        if time.monotonic() >= until_s:
            break
    return stated


def keep_safely(run_id: int, sha256: str) -> bool:
    """State one run. One that cannot be stated stands in no other's way, and has no manifest."""
    try:
        return keep_statement(run_id, sha256)
    except DatabaseError:
        raise
    except Exception:
        log.exception("run=%s has no manifest: it cannot be stated", run_id)
        RunSeal.objects.filter(pk=run_id, sha256=sha256).update(is_stated=True)
        return False


def keep_statement(run_id: int, sha256: str) -> bool:
    """State one run, if it is still in the state that was sealed."""
    run = Run.objects.select_related("entry", "suite").filter(pk=run_id).first()
    if run is None:  # it was deleted meanwhile
        return False
    statement = make_statement(run)
    seal = RunSeal.objects.filter(pk=run_id, sha256=sha256)
    if digest_of(canonical(statement["predicate"]["state"])) != sha256:
        return False  # it changed meanwhile: it is sealed anew
    packed = zstandard.compress(canonical(statement), 6)
    return bool(seal.update(statement=packed, is_stated=True))


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
