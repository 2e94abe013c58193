"""Reads results to be viewed: folders of the command line, and files of other trajectories."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from leaderboard.trajectories.readers.any_format import read_any
from leaderboard.trajectories.readers.attempt_reading import Row
from leaderboard.trajectories.readers.chat_messages import text_of
from leaderboard.trajectories.readers.conversation import Unusable
from leaderboard.trajectories.readers.json_documents import parse_line
from leaderboard.trajectories.readers.pybench_jsonl import categories_of, read_row
from runner.cli.results_folder import MANIFEST, OUTPUTS, TRAJECTORIES
from runner.contract import Fault, Outcome, Problem, ProblemError
from runner.pybench_jsonl import OURS

MAX_FILE_BYTES = 256 << 20  # of trajectories
MAX_MANIFEST_BYTES = 1 << 20
MAX_ATTEMPTS = 5_000  # of one run, as the site's pages show
MAX_RUNS = 50
MAX_LOOKED_AT = 2_000  # names in a folder that holds no results itself
MAX_FILES = 500  # of one attempt
MAX_FILE_DEPTH = 8
PIECE_BYTES = 1 << 20

HOW = (
    "Name a folder that `.venv/bin/pybench … --out FOLDER` wrote, or trajectories: a file of them, "
    "or a folder of such files."
)


@dataclass(frozen=True)
class ViewedFile:
    """A file that an attempt left, where it lies."""

    path: str  # below the attempt's outputs
    location: Path
    size_bytes: int
    sha256: str


@dataclass(frozen=True)
class ViewedAttempt:
    """An attempt with what its line says beyond the conversation."""

    row: Row
    facts: Mapping[str, Any]  # unchecked
    files: tuple[ViewedFile, ...] = ()


@dataclass(frozen=True)
class ViewedRun:
    """Attempts that belong together."""

    name: str
    manifest: Mapping[str, Any]  # {} for files that this command line did not write
    attempts: tuple[ViewedAttempt, ...]
    digest: str  # of the trajectories
    format_name: str = "PyBench jsonl"
    notes: tuple[str, ...] = ()  # sentences on what is not shown
    is_ours: bool = field(default=False)


def read_results(place: Path) -> list[ViewedRun]:
    """The runs at `place`: a results folder, a folder of such, a file of trajectories, or a folder
    of such files. Raises ProblemError."""
    if place.is_file():
        return [read_file(place)]
    if not place.is_dir():
        raise refusal(f"There is no folder or file {place}.")
    if (place / TRAJECTORIES).is_file():
        return [read_folder(place)]
    inner = [path for path in list_names(place) if (path / TRAJECTORIES).is_file()]
    if not inner:
        return read_files(place)
    if len(inner) > MAX_RUNS:
        raise refusal(f"{place} holds more than {MAX_RUNS} folders of results.")
    return [read_folder(path) for path in inner]


def refusal(what: str) -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, "no_results", what, HOW))


def list_names(folder: Path) -> list[Path]:
    """The folders in `folder`, in order; links are passed over."""
    with os.scandir(folder) as entries:
        found = [e for _, e in zip(range(MAX_LOOKED_AT), entries, strict=False)]
    return sorted(Path(e.path) for e in found if e.is_dir(follow_symlinks=False))


def read_folder(folder: Path) -> ViewedRun:
    """One evaluation of the command line."""
    manifest = read_manifest(folder / MANIFEST)
    data = read_bytes(folder / TRAJECTORIES)
    latest: dict[tuple[str, int], ViewedAttempt] = {}
    passed_over = 0
    for number, raw in enumerate(data.split(b"\n"), 1):
        if not raw.strip():
            continue
        attempt = read_attempt(number, raw)
        if attempt is None or len(latest) >= MAX_ATTEMPTS:
            passed_over += 1
            continue
        key = (attempt.row.index, number_of(attempt.facts) or number)
        files = tuple(list_files(outputs_of(folder, attempt)))
        latest[key] = replace(attempt, files=files)
    if not latest:
        raise refusal(f"{folder / TRAJECTORIES} has no attempt that can be shown.")
    notes = (f"{passed_over} lines could not be read and are not shown.",) if passed_over else ()
    name = text_of(manifest.get("model")) or folder.resolve().name
    digest = hashlib.sha256(data).hexdigest()
    return ViewedRun(name, manifest, tuple(latest.values()), digest, notes=notes, is_ours=True)


def read_file(path: Path) -> ViewedRun:
    """A file of trajectories in any format that is known."""
    data = read_bytes(path)
    reading = read_any(data, path.name)
    if not reading.rows:
        first = f" {reading.errors[0].what}" if reading.errors else ""
        raise refusal(f"{path} is {reading.description}: no attempt can be shown.{first}")
    attempts = tuple(ViewedAttempt(row, row.ours) for row in reading.rows[:MAX_ATTEMPTS])
    models = {row.model for row in reading.rows if row.model}
    left_out = len(reading.rows) - len(attempts)
    notes = [*reading.losses]
    notes += [f"{reading.unit} {error.line}: {error.what}" for error in reading.errors[:20]]
    notes += [f"{left_out} more attempts are not shown."] if left_out else []
    return ViewedRun(
        name=models.pop() if len(models) == 1 else path.stem,
        manifest={},
        attempts=attempts,
        digest=hashlib.sha256(data).hexdigest(),
        format_name=reading.description,
        notes=tuple(notes),
    )


def read_files(folder: Path) -> list[ViewedRun]:
    """A run for each model that the files of trajectories below the folder name, on one suite."""
    by_model: dict[str, list[ViewedAttempt]] = {}
    formats: dict[str, None] = {}
    notes: dict[str, None] = {}
    queries: dict[str, str] = {}  # by the name of the task
    digest = hashlib.sha256()
    paths, left_bytes, left_out = list_paths(folder), MAX_FILE_BYTES, 0
    for path in paths:
        left_bytes -= path.stat().st_size
        if left_bytes < 0:
            notes[f"Of the files the first {MAX_FILE_BYTES >> 20} MiB are shown."] = None
            break
        data = read_bytes(path)
        reading = read_any(data, path.name)
        if not reading.rows:
            left_out += 1
            continue
        digest.update(hashlib.sha256(data).digest())
        formats[reading.description] = None
        name = path.relative_to(folder).with_suffix("").as_posix()
        notes |= dict.fromkeys(reading.losses)
        notes |= {f"{name}, {reading.unit} {e.line}: {e.what}": None for e in reading.errors[:20]}
        for row in reading.rows:
            index = row.index or (f"{name}-{row.line}" if len(reading.rows) > 1 else name)
            if queries.setdefault(index, row.query) != row.query:  # another task of that name
                index = f"{name}-{index}"
            by_model.setdefault(row.model, []).append(
                ViewedAttempt(replace(row, index=index), row.ours)
            )
    if not by_model:
        raise refusal(
            f"{folder} has no results: there is no {TRAJECTORIES} in it, and none of the "
            f"{len(paths)} files below it is of trajectories."
        )
    if len(by_model) > MAX_RUNS:
        raise refusal(f"{folder} holds files of more than {MAX_RUNS} models.")
    if left_out:
        notes[f"{left_out} of {len(paths)} files hold no trajectory."] = None
    return [
        ViewedRun(
            name=model or folder.resolve().name,
            manifest={},
            attempts=tuple(attempts[:MAX_ATTEMPTS]),
            digest=digest.hexdigest(),
            format_name=", ".join([*formats][:5]),
            notes=(*notes, *beyond(len(attempts))),
        )
        for model, attempts in by_model.items()
    ]


def beyond(attempts: int) -> list[str]:
    return [f"{attempts - MAX_ATTEMPTS} more attempts are not shown."] * (attempts > MAX_ATTEMPTS)


def list_paths(folder: Path) -> list[Path]:
    """Regular files below `folder`, in order; links and hidden names are passed over."""
    found: list[Path] = []
    for place, folders, names in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        inner = sorted(name for name in folders if not name.startswith("."))
        folders[:] = inner if depth < MAX_FILE_DEPTH else []
        for name in sorted(names):
            path = Path(place) / name
            if not name.startswith(".") and stat.S_ISREG(path.lstat().st_mode):
                found.append(path)
            if len(found) > MAX_LOOKED_AT:
                raise refusal(f"{folder} holds more than {MAX_LOOKED_AT:,} files.")
    return found


def read_bytes(path: Path) -> bytes:
    """Bytes of a regular file that is not too long. Raises ProblemError."""
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise refusal(f"{path} is no regular file.")
            if found.st_size > MAX_FILE_BYTES:
                raise refusal(f"{path} is longer than {MAX_FILE_BYTES >> 20} MiB.")
            return file.read(MAX_FILE_BYTES)
    except OSError as error:
        raise refusal(f"{path} cannot be read: {error.strerror}.") from error


def read_manifest(path: Path) -> Mapping[str, Any]:
    """The evaluation that the folder holds; {} where the folder does not say so."""
    if not path.is_file() or path.stat().st_size > MAX_MANIFEST_BYTES:
        return {}
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def read_attempt(number: int, raw: bytes) -> ViewedAttempt | None:
    """The attempt on a line; None for a line that holds none. One without a reply has no steps."""
    try:
        value, notes = parse_line(raw)
    except Unusable:
        return None
    try:
        row = read_row(value, number, raw, notes)
    except Unusable:
        facts = value.get(OURS) if isinstance(value, dict) else None
        return read_unplayed(number, value, facts) if isinstance(facts, dict) else None
    return ViewedAttempt(row, row.ours)


def read_unplayed(
    number: int, value: Mapping[str, Any], facts: Mapping[str, Any]
) -> ViewedAttempt | None:
    """An attempt of our format that ended before its first reply."""
    said = facts.get("outcome")
    if not isinstance(said, str) or said not in Outcome.__members__.values():
        return None
    row = Row(
        line=number,
        raw=b"",
        index=text_of(value.get("index"))[:200],
        categories=categories_of(value),
        query=text_of(value.get("user")),
        inputs=(),
        opening=(),
        steps=(),
        answer=None,
        outcome=Outcome(said),
        ours=facts,
    )
    return ViewedAttempt(row, facts)


def number_of(facts: Mapping[str, Any]) -> int:
    """Number of the attempt at its task; 0 where the line does not give it."""
    number: object = facts.get("attempt")
    if not isinstance(number, int) or isinstance(number, bool):
        return 0
    return number if 0 < number <= MAX_ATTEMPTS else 0


def outputs_of(folder: Path, attempt: ViewedAttempt) -> Path | None:
    """The folder with the attempt's files; None where its task's name leads elsewhere."""
    key = attempt.row.index
    if not key or key in (".", "..") or "/" in key or "\0" in key:
        return None
    place = folder / OUTPUTS
    for name in ("", key, f"attempt-{number_of(attempt.facts)}"):
        place = place / name
        if place.is_symlink() or not place.is_dir():
            return None
    return place


def list_files(folder: Path | None) -> Iterator[ViewedFile]:
    """Regular files below `folder` with their digests; links are passed over."""
    if folder is None:
        return
    count = 0
    for place, folders, names in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        folders[:] = sorted(folders) if depth < MAX_FILE_DEPTH else []
        for name in sorted(names):
            location = Path(place) / name
            if not stat.S_ISREG(location.lstat().st_mode):
                continue
            count += 1
            if count > MAX_FILES:
                return
            size_bytes, sha256 = digest_of(location)
            yield ViewedFile(location.relative_to(folder).as_posix(), location, size_bytes, sha256)


def digest_of(location: Path) -> tuple[int, str]:
    """Size and SHA-256 of a file that is no link."""
    descriptor = os.open(location, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        digest = hashlib.file_digest(file, "sha256")
        return os.fstat(file.fileno()).st_size, digest.hexdigest()
