"""Layout of a backup: manifest.json, a database dump, the list of files, and the files.

Secret keys are not in it: the manifest has fingerprints of those that it needs.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from django.conf import settings
from django.core.files.storage import FileSystemStorage, default_storage
from django.core.management.base import CommandError
from pydantic import ConfigDict, TypeAdapter, ValidationError

from leaderboard.upkeep.database_dump import DumpedFile
from runner.evidence.envelope import key_id, make_key
from runner.synced_files import sync

FORMAT = 1
MANIFEST = "manifest.json"
DRAFT = f".{MANIFEST}.new"
# What a backup calls its files, with what SQLite puts beside a dump that was interrupted.
STAMP = r"\d{8}T\d{6}\.\d{6}Z"
DUMPS = re.compile(
    rf"database-{STAMP}\.(sqlite3(-journal|-wal|-shm)?|pgdump)|files-{STAMP}\.sha256"
)
PLAIN_NAME = re.compile(r"[\w-][\w.-]*", re.ASCII)
OTHERS = {"files", MANIFEST, DRAFT, "lost+found"}
SALT = b"pybench backup key fingerprint"


@dataclass(frozen=True)
class Manifest:
    """Contents of a backup. It is written last: a folder without it is no complete backup."""

    __pydantic_config__ = ConfigDict(strict=True, extra="forbid")

    engine: str  # "sqlite" or "postgresql"
    made_at: str  # ISO 8601, UTC
    dump: str  # file name in the folder
    dump_sha256: str
    files: str  # name of the list of files, which `sha256sum --check` reads
    files_sha256: str
    file_count: int
    file_bytes: int
    migrations: list[str]  # applied ones of the site's own tables
    rows: dict[str, int]  # by table, as dumped
    field_keys: list[str] = field(default_factory=list)  # fingerprints, newest first
    signing_key: str = ""  # fingerprint
    evidence_keys: list[str] = field(default_factory=list)  # ids, newest first
    format: int = FORMAT


def file_path(folder: Path, sha256: str) -> Path:
    return folder / "files" / sha256[:2] / sha256


@contextmanager
def own_folder(folder: Path) -> Iterator[None]:
    """Make the folder, or take it if it is empty or holds a backup; nobody else writes to it.

    Raises CommandError if it holds anything else, lies in the store of artifacts, or another backup
    is being written.
    """
    if is_in_store(folder):
        raise CommandError(
            f"{folder} lies in the store of artifacts, which is backed up itself. Name a folder "
            "elsewhere, best on another disk. Nothing was backed up."
        )
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        strangers = sorted(path.name for path in folder.iterdir() if not is_ours(folder, path))
    except OSError as error:
        raise CommandError(f"{folder}: {error.strerror}. Nothing was backed up.") from error
    if strangers:
        raise CommandError(
            f"{folder} is no folder of a backup: it holds {strangers[0]}. Name an empty folder, "
            "or one that does not exist."
        )
    with locked(folder, fcntl.LOCK_EX):
        folder.chmod(0o700)  # sessions, addresses and encrypted keys are in the dump
        yield


def is_in_store(folder: Path) -> bool:
    """True for a folder among the stored files of a site that keeps them on a disk."""
    if not isinstance(default_storage, FileSystemStorage):
        return False
    return folder.resolve().is_relative_to(Path(default_storage.location).resolve())


@contextmanager
def unchanging(folder: Path) -> Iterator[None]:
    """Keep backups from being written into the folder. Raises CommandError if one is."""
    with locked(folder, fcntl.LOCK_SH):
        yield


@contextmanager
def locked(folder: Path, kind: int) -> Iterator[None]:
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise CommandError(f"{folder} cannot be opened: {error.strerror}.") from error
    try:
        take_lock(folder, descriptor, kind)
        yield
    finally:
        os.close(descriptor)


def take_lock(folder: Path, descriptor: int, kind: int) -> None:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError as error:
        use = "is being read, or another" if kind == fcntl.LOCK_EX else "changes: a"
        raise CommandError(f"{folder} {use} backup is being written. Try again later.") from error


def is_ours(folder: Path, path: Path) -> bool:
    """True for what a backup writes. Beside a manifest anything is let be, and kept."""
    is_named = path.name in OTHERS or bool(DUMPS.fullmatch(path.name))
    return is_named or (folder / MANIFEST).exists()


def names_in_use(folder: Path) -> set[str]:
    """The dump and the list of the folder's complete backup."""
    if not (folder / MANIFEST).exists():
        return set()
    manifest = read_manifest(folder)
    return {manifest.dump, manifest.files}


def remove_dumps(folder: Path, but: Collection[str]) -> None:
    """Remove earlier and interrupted dumps; their files may serve the next backup."""
    for path in list(folder.iterdir()):
        if DUMPS.fullmatch(path.name) and path.name not in but:
            path.unlink()


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest in one step, after everything that it names is on the disk."""
    draft = folder / DRAFT
    draft.write_text(json.dumps(asdict(manifest), indent=1, sort_keys=True) + "\n", "utf-8")
    sync(draft)
    draft.replace(folder / MANIFEST)
    sync(folder)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a complete backup. Raises CommandError for anything else."""
    try:
        text = (folder / MANIFEST).read_text("utf-8")
        facts = json.loads(text)
    except FileNotFoundError:
        raise CommandError(
            f"{folder} is no complete backup: it has no {MANIFEST}. Make one with "
            "`manage.py backup FOLDER`."
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise CommandError(f"{folder / MANIFEST} cannot be read: {error}.") from error
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        found = facts.get("format") if isinstance(facts, dict) else None
        raise CommandError(
            f"The backup has format {found}; this version reads format {FORMAT}. Restore it with "
            "the version that made it."
        )
    try:
        manifest = TypeAdapter(Manifest).validate_json(text)
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        place = ".".join(map(str, wrong["loc"]))
        raise CommandError(f"{folder / MANIFEST} is damaged: {place}: {wrong['msg']}.") from error
    if any(not PLAIN_NAME.fullmatch(name) for name in (manifest.dump, manifest.files)):
        raise CommandError(f"{folder / MANIFEST} is damaged: it names files elsewhere.")
    return manifest


def write_list(path: Path, files: Iterable[DumpedFile]) -> None:
    with path.open("w", encoding="ascii") as file:
        for stored in files:
            file.write(f"{stored.sha256}  files/{stored.sha256[:2]}/{stored.sha256}\n")
        file.flush()
        os.fsync(file.fileno())


def read_list(folder: Path, manifest: Manifest) -> Iterator[str]:
    """The SHA-256 of every file in the backup."""
    with (folder / manifest.files).open(encoding="ascii") as file:
        for line in file:
            yield line[:64]


def find_damage(folder: Path, manifest: Manifest) -> Iterator[str]:
    """A sentence for each part of the backup that is missing or not as it was written."""
    parts = (
        (manifest.dump, manifest.dump_sha256, "the manifest"),
        (manifest.files, manifest.files_sha256, "the manifest"),
    )
    damage = [fault_of_part(folder / name, *facts) for name, *facts in parts]
    yield from filter(None, damage)
    if damage[1]:
        yield "the files were not checked: their list is not as it was written"
        return
    for sha256 in read_list(folder, manifest):
        if fault := fault_of_part(file_path(folder, sha256), sha256, "its name"):
            yield f"file {fault}"


def fault_of_part(path: Path, sha256: str, source: str) -> str:
    """Fault of one file of the backup, "" if it is sound; `source` knows its digest."""
    if not path.is_file():
        return f"{path.name} is missing"
    try:
        is_whole = digest_of(path) == sha256
    except OSError as error:
        return f"{path.name} cannot be read: {error.strerror}"
    return "" if is_whole else f"{path.name} is damaged: its SHA-256 differs from {source}"


def fingerprint(secret: str) -> str:
    """Twelve hexadecimal digits that tell keys apart and are slow to guess a weak key from."""
    return hashlib.scrypt(secret.encode(), salt=SALT, n=2**14, r=8, p=1, dklen=6).hex()


def list_field_keys() -> list[str]:
    """Fingerprints of the keys that encrypt endpoint keys, newest first."""
    return [fingerprint(key) for key in settings.FIELD_KEYS]


def list_evidence_keys() -> list[str]:
    """Ids of the keys that sign manifests, newest first; they are public."""
    secrets: list[str] = settings.EVIDENCE_KEYS
    return [key_id(make_key(secret).public_key().public_bytes_raw()) for secret in secrets]


def signing_key_fingerprint() -> str:
    return fingerprint(settings.SECRET_KEY)
