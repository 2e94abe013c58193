"""Verifies what is stored: rows, their bytes and digests, and figures against recomputation."""

from __future__ import annotations

from collections.abc import Iterator

import zstandard
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection
from django.db.models import Model

from leaderboard.evidence.run_faults import find_run_faults
from leaderboard.ledger.public_entries import find_ledger_faults
from leaderboard.models import Attempt, Blob, Step, Verdict, unpack
from leaderboard.upkeep.garbage import without_column
from leaderboard.upkeep.named_images import images_of
from leaderboard.upkeep.recomputation import find_differences
from leaderboard.upkeep.stored_bytes import digest_of_stored, map_in_threads, name_of
from pybench_site.monitoring.readiness import check_database

ROWS_AT_ONCE = 500


def find_faults(digests: bool = True) -> Iterator[str]:
    """A sentence for everything that is stored and not as it should be.

    With `digests` every file is read in full, else only looked for by its size.
    """
    if lack := check_database():
        yield f"database: {lack}; is a restore unfinished?"
        return
    parts = {
        "database": find_database_faults(),
        "files": find_file_faults(digests),
        "bodies": find_body_faults(),
        "figures": find_figure_faults(),
        "ledger": find_ledger_faults(),
        "sealed runs": find_run_faults(),
    }
    try:
        for name, faults in parts.items():
            yield from go_on(name, faults)
    except DatabaseError as error:
        yield f"database: reading stopped: {error}"


def go_on(part: str, faults: Iterator[str]) -> Iterator[str]:
    """The faults of a part. A row that cannot be read ends that part and not the verification."""
    try:
        yield from faults
    except DatabaseError:
        raise
    except Exception as error:  # whatever somebody wrote into a row
        yield f"{part}: reading stopped: {type(error).__name__}: {error}"


def find_database_faults() -> Iterator[str]:
    """Faults that SQLite's own checks find. PostgreSQL checks foreign keys and pages as it
    works."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check")
        yield from (f"database: {line}" for [line] in cursor.fetchall() if line != "ok")
        cursor.execute("PRAGMA foreign_key_check")
        for table, row, parent, _ in cursor.fetchall():
            yield f"database: row {row} of {table} names a row of {parent} that does not exist"


def find_file_faults(digests: bool) -> Iterator[str]:
    """Files that rows name and that are missing, cut or changed. Garbage may be gone."""
    unnamed = without_column().filter(unreferenced_since__isnull=False)
    rows = Blob.objects.exclude(pk__in=unnamed.values("pk")).order_by("pk")
    found = map_in_threads(
        lambda blob: (blob.sha256, fault_of_file(blob, digests)), rows.iterator(ROWS_AT_ONCE)
    )
    for sha256, fault in found:
        if fault and Blob.objects.filter(pk=sha256).exclude(pk__in=unnamed.values("pk")).exists():
            yield fault  # and it was not collected meanwhile


def fault_of_file(blob: Blob, digests: bool) -> str:
    name = name_of(blob.sha256)
    try:
        if (size := default_storage.size(name)) != blob.size_bytes:
            return f"file {blob.sha256}: {size} bytes are stored, its row says {blob.size_bytes}"
        if digests and digest_of_stored(name) != blob.sha256:
            return f"file {blob.sha256}: the stored bytes have another SHA-256"
    except FileNotFoundError:
        return f"file {blob.sha256}: its row is there, its bytes are missing"
    except Exception as error:  # Django names no class for what a storage may raise
        return f"file {blob.sha256}: its bytes cannot be read ({error})"
    return ""


def find_body_faults() -> Iterator[str]:
    """Packed bodies that cannot be read, and images in them that no row knows."""
    for model, columns in ((Attempt, ("opening", "closing")), (Verdict, ("body",))):
        for row in model._default_manager.order_by("pk").only(*columns).iterator(ROWS_AT_ONCE):
            yield from (fault for c in columns if (fault := fault_of_body(row, c)))
    named: dict[str, int] = {}
    for step in Step.objects.order_by("pk").only("body").iterator(ROWS_AT_ONCE):
        if fault := fault_of_body(step, "body"):
            yield fault
            continue
        for sha256 in images_of(step.body):
            named.setdefault(sha256, step.pk)
        if len(named) > ROWS_AT_ONCE:
            yield from find_unknown(named)
            named.clear()
    yield from find_unknown(named)


def fault_of_body(row: Model, column: str) -> str:
    try:
        unpack(getattr(row, column))
    except (zstandard.ZstdError, ValueError, RecursionError, MemoryError) as error:
        where = f"{row._meta.verbose_name} {row.pk}"
        return f"{where}: its {column} cannot be read ({type(error).__name__})"
    return ""


def find_unknown(named: dict[str, int]) -> Iterator[str]:
    known = set(Blob.objects.filter(pk__in=list(named)).values_list("pk", flat=True))
    for sha256, step in named.items():
        if sha256 not in known:
            yield f"step {step}: its image {sha256} has no row"


def find_figure_faults() -> Iterator[str]:
    """Figures that are kept as rows and are not what the attempts say."""
    yield from (f"figures: {line}" for line in find_differences())
