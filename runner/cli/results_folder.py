"""The folder an evaluation keeps its results in, and finds them again."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runner.contract import ProblemError
from runner.pybench_jsonl import OURS
from runner.suite.reader import problem

MANIFEST, TRAJECTORIES, RESULTS, OUTPUTS = (
    "evaluation.json",
    "trajectories.jsonl",
    "results.json",
    "outputs",
)
# What must be the same for two attempts to belong together, and what it is called.
FIXED = {
    "suite": "suite",
    "suite_digest": "version of the suite",
    "model": "model",
    "action_format": "action format",
    "seed": "seed",
    "sampling": "sampling",
    "limits": "limits",
    "prompt": "wording of the prompt",
}

Row = dict[str, Any]
Key = tuple[str, int]  # task, number of the attempt


@dataclass
class ResultsFolder:
    """One evaluation's attempts on disk. `open_results` makes it."""

    path: Path
    rows: dict[Key, Row] = field(default_factory=dict)

    def is_decided(self, key: Key) -> bool:
        """True if this attempt has a verdict: then it is never played again."""
        return key in self.rows and self.rows[key][OURS]["passed"] is not None

    def add(self, row: Row) -> None:
        """Keep a row, on disk before this returns."""
        with (self.path / TRAJECTORIES).open("a", encoding="utf-8") as file:
            file.write(line_of(row))
            file.flush()
            os.fsync(file.fileno())
        self.rows[key_of(row)] = row

    def fresh_outputs(self, key: Key) -> Path:
        """An empty folder for this attempt's files."""
        folder = self.path / OUTPUTS / key[0] / f"attempt-{key[1]}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def write_results(self, results: Mapping[str, Any]) -> None:
        write_json(self.path / RESULTS, results)

    def load(self) -> None:
        """Read the decided rows, and drop void and half-written ones from the file."""
        path = self.path / TRAJECTORIES
        rows = read_rows(path) if path.is_file() else []
        self.rows = {key_of(row): row for row in rows if row[OURS]["passed"] is not None}
        part = path.with_suffix(".part")
        part.write_text("".join(line_of(row) for row in self.rows.values()), "utf-8")
        part.replace(path)


def key_of(row: Row) -> Key:
    return row[OURS]["task"], row[OURS]["attempt"]


def line_of(row: Row) -> str:
    """ASCII only: model output may hold what no encoding can carry."""
    return json.dumps(row) + "\n"


def read_rows(path: Path) -> list[Row]:
    """The rows of a trajectories file; a line cut by a crash is passed over."""
    rows: list[Row] = []
    with path.open("rb") as lines:
        for line in lines:
            try:
                row = json.loads(line)
                key_of(row)
                row[OURS]["passed"]
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
            rows.append(row)
    return rows


def write_json(path: Path, value: object) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(value, indent=1) + "\n", "utf-8")
    part.replace(path)


@contextmanager
def open_results(path: Path, manifest: Mapping[str, Any]) -> Iterator[ResultsFolder]:
    """The folder, ours alone while open.

    Raises ProblemError: in use by another process, holding another evaluation, or not writable.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = (path / ".lock").open("w")
    except OSError as error:
        raise problem(
            "folder_unusable",
            f"The folder {path} cannot be written: {error.strerror}.",
            "Give another one with --out.",
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise problem(
                "folder_in_use",
                f"Another evaluation is writing to {path}.",
                "Wait for it, or give another folder with --out.",
            ) from error
        before = read_manifest(path)
        folder = ResultsFolder(path)
        folder.load()
        if folder.rows:  # void attempts bind to nothing: their cause may be what was wrong
            check_same(path, before, manifest)
        write_json(path / MANIFEST, manifest)
        yield folder


def read_manifest(path: Path) -> Mapping[str, Any]:
    """Read which evaluation the folder's results belong to; {} if there are none."""
    try:
        before = json.loads((path / MANIFEST).read_text("utf-8"))
    except FileNotFoundError:
        before = {}
    except ValueError as error:
        raise foreign(path) from error
    if not isinstance(before, dict) or (not before and (path / TRAJECTORIES).exists()):
        raise foreign(path)
    return before


def check_same(path: Path, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise ProblemError when the folder holds results of something else."""
    for name, words in FIXED.items():
        if before.get(name) != now[name]:
            raise mixed(path, words, before.get(name), now[name])


def foreign(path: Path) -> ProblemError:
    return problem(
        "folder_foreign",
        f"{path} has results that this command did not write.",
        "Give another folder with --out.",
    )


def mixed(path: Path, words: str, before: object, now: object) -> ProblemError:
    is_short = isinstance(before, str | int) and len(str(before)) < 64
    detail = f" ({before}, now {now})" if is_short else ""
    return problem(
        "folder_mixed",
        f"{path} has an evaluation with another {words}{detail}.",
        "Give another folder with --out, or the same options as before.",
    )
