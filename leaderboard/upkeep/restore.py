"""Restores a backup into an empty site."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader

from leaderboard.upkeep import database_dump
from leaderboard.upkeep.backup_folder import (
    Manifest,
    file_path,
    find_damage,
    list_evidence_keys,
    list_field_keys,
    read_list,
    read_manifest,
    signing_key_fingerprint,
    unchanging,
)
from leaderboard.upkeep.stored_bytes import digest_of_stored, map_in_threads, name_of

Said = Callable[[str], object]


def restore(folder: Path, say: Said = print) -> Manifest:
    """Restore the backup in `folder`: files, then the database, then migrations that came since.

    Raises CommandError, before anything is written, if the backup is damaged, of another engine
    or of a newer version, or if the site's database is not empty.
    """
    with unchanging(folder):
        manifest = read_manifest(folder)
        try:
            put_back(folder, manifest, say)
        except (DatabaseError, sqlite3.Error, OSError) as error:
            raise CommandError(
                f"The backup is not restored: {error}. The database is still empty: mend that and "
                "restore again."
            ) from error
    call_command("migrate", verbosity=0, stdout=io.StringIO())
    say(f"database: restored as of {manifest.made_at}")
    for line in list_missing_keys(manifest):
        say(line)
    say("Start the site; `manage.py verify` checks every row and file.")
    return manifest


def put_back(folder: Path, manifest: Manifest, say: Said) -> None:
    """Store the files, then load the database in one step: until then it is empty and marked."""
    refuse_unfit(folder, manifest)
    database_dump.mark()
    put_files(folder, manifest)
    say(f"files: {manifest.file_count:,} restored")
    require_empty()  # a site may have been started meanwhile
    database_dump.load(folder / manifest.dump)
    database_dump.unmark()


def refuse_unfit(folder: Path, manifest: Manifest) -> None:
    if manifest.engine != connection.vendor:
        raise CommandError(
            f"The backup is of {manifest.engine}; this site uses {connection.vendor}. Set "
            "DATABASE_URL to an empty database of that kind."
        )
    known = {name for app, name in MigrationLoader(None).disk_migrations if app == "leaderboard"}
    if newer := sorted(set(manifest.migrations) - known):
        raise CommandError(
            f"The backup is of a newer version: it has {newer[-1]}. Update the checkout first."
        )
    require_empty()
    if damage := list(find_damage(folder, manifest)):
        raise CommandError(
            f"The backup is damaged in {len(damage)} places, the first: {damage[0]}. "
            "Nothing was restored. Take another backup: with --check it replaces damaged files."
        )


def require_empty() -> None:
    if not database_dump.is_empty():
        raise CommandError(
            "The site's database is not empty, and a restore overwrites nothing. Stop the site, "
            f"put the database aside ({database_dump.how_to_empty()}), and restore again."
        )


def put_files(folder: Path, manifest: Manifest) -> None:
    listed = read_list(folder, manifest)
    try:
        for _ in map_in_threads(lambda sha256: put_file(folder, sha256), listed):
            pass
    except Exception as error:  # Django names no class for what a storage may raise
        raise CommandError(
            f"The store of artifacts did not take a file: {error}. The database is still empty: "
            "fix that and restore again."
        ) from error


def put_file(folder: Path, sha256: str) -> None:
    """Store one file under its name; bytes that are there already are kept only if right."""
    name = name_of(sha256)
    if default_storage.exists(name):
        if digest_of_stored(name) == sha256:
            return
        default_storage.delete(name)
    with file_path(folder, sha256).open("rb") as source:
        default_storage.save(name, File(source))


def list_missing_keys(manifest: Manifest) -> Iterator[str]:
    """A sentence for each secret of the old site that this one does not have."""
    here = set(list_field_keys())
    for key in manifest.field_keys:
        if key not in here:
            yield (
                f"Field key {key} is not among this site's PYBENCH_FIELD_KEYS (nor var/field-key): "
                "endpoint keys stored under it cannot be read until it is put back. Without it, "
                "their owners submit them again."
            )
    evidence = set(list_evidence_keys())
    for key in manifest.evidence_keys:
        if key not in evidence:
            yield (
                f"Evidence key {key[:12]} is not among this site's PYBENCH_EVIDENCE_KEYS (nor "
                "var/evidence-key): manifests are signed with another key until it is put back."
            )
    if manifest.signing_key != signing_key_fingerprint():
        yield (
            f"The signing key is not {manifest.signing_key} (PYBENCH_SECRET_KEY or var/secret-key):"
            " everybody has to sign in again, unless it is put back."
        )
