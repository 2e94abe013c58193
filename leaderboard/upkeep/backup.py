"""Backs the site up into a folder while it runs: database first, then the files it names."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from django.core.files.storage import default_storage
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder

from leaderboard.upkeep.backup_folder import (
    Manifest,
    digest_of,
    file_path,
    list_evidence_keys,
    list_field_keys,
    names_in_use,
    own_folder,
    remove_dumps,
    signing_key_fingerprint,
    write_list,
    write_manifest,
)
from leaderboard.upkeep.database_dump import DumpedFile, dump, suffix
from leaderboard.upkeep.stored_bytes import CHUNK_BYTES, map_in_threads, name_of
from runner.synced_files import sync

Said = Callable[[str], object]


def back_up(folder: Path, now: datetime, say: Said = print, is_thorough: bool = False) -> Manifest:
    """Back the site up into `folder`, which may hold an earlier backup: known files are kept.

    Those are compared by size; when `is_thorough`, by their SHA-256. The earlier backup stays
    valid until this one is complete. Raises CommandError.
    """
    with own_folder(folder):
        remove_dumps(folder, but=names_in_use(folder))  # what an interrupted backup left
        try:
            return write_backup(folder, now, say, is_thorough)
        except (OSError, sqlite3.Error, DatabaseError) as error:
            free = shutil.disk_usage(folder).free
            raise CommandError(
                f"{folder}: {error}. {free:,} bytes are free there. The backup is not complete."
            ) from error
        finally:
            remove_dumps(folder, but=names_in_use(folder))


def write_backup(folder: Path, now: datetime, say: Said, is_thorough: bool) -> Manifest:
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    dumped = folder / f"database-{stamp}{suffix()}"
    content = dump(dumped)
    dumped.chmod(0o600)
    sync(dumped)
    say(f"database: {dumped.stat().st_size:,} bytes; it names {len(content.files):,} files")
    held = copy_files(folder, content.files, is_thorough)
    listed = folder / f"files-{stamp}.sha256"
    write_list(listed, held)
    manifest = Manifest(
        engine=connection.vendor,
        made_at=now.astimezone(UTC).isoformat(timespec="seconds"),
        dump=dumped.name,
        dump_sha256=digest_of(dumped),
        files=listed.name,
        files_sha256=digest_of(listed),
        file_count=len(held),
        file_bytes=sum(stored.size_bytes for stored in held),
        migrations=applied_migrations(),
        rows=content.rows,
        field_keys=list_field_keys(),
        signing_key=signing_key_fingerprint(),
        evidence_keys=list_evidence_keys(),
    )
    write_manifest(folder, manifest)
    say(f"files: {manifest.file_count:,}, {manifest.file_bytes:,} bytes")
    return manifest


def applied_migrations() -> list[str]:
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(name for app, name in applied if app == "leaderboard")


def copy_files(folder: Path, files: Sequence[DumpedFile], is_thorough: bool) -> list[DumpedFile]:
    """Copy what the backup lacks; return what it now holds.

    Raises CommandError if bytes that a row names are lost.
    """
    for prefix in {stored.sha256[:2] for stored in files}:
        (folder / "files" / prefix).mkdir(mode=0o700, parents=True, exist_ok=True)
    problems = list(map_in_threads(lambda stored: copy_file(folder, stored, is_thorough), files))
    lost = [
        f"{stored.sha256}: {problem}"
        for stored, problem in zip(files, problems, strict=True)
        if problem and not stored.is_garbage
    ]
    if lost:
        raise CommandError(
            f"{len(lost)} files that rows name cannot be backed up, the first: {lost[0]}. "
            "`manage.py verify` lists them all. The backup is not complete."
        )
    for prefix in {stored.sha256[:2] for stored in files}:
        sync(folder / "files" / prefix)
    return [stored for stored, problem in zip(files, problems, strict=True) if not problem]


def copy_file(folder: Path, stored: DumpedFile, is_thorough: bool) -> str:
    """Copy one file, checking its digest on the way; "" or why the backup cannot have it."""
    path = file_path(folder, stored.sha256)
    if is_held(path, stored, is_thorough):
        return ""
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)  # of a backup that was interrupted, or a link to elsewhere
    digest = hashlib.sha256()
    try:
        with default_storage.open(name_of(stored.sha256)) as source, draft.open("wb") as target:
            while chunk := source.read(CHUNK_BYTES):
                digest.update(chunk)
                target.write(chunk)
    except FileNotFoundError:
        draft.unlink(missing_ok=True)
        return "its bytes are missing"
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    if digest.hexdigest() != stored.sha256:
        draft.unlink()
        return "its bytes are damaged: their SHA-256 differs"
    sync(draft)
    draft.replace(path)
    return ""


def is_held(path: Path, stored: DumpedFile, is_thorough: bool) -> bool:
    """Tell whether the backup has this file already."""
    if not path.is_file() or path.stat().st_size != stored.size_bytes:
        return False
    return not is_thorough or digest_of(path) == stored.sha256
