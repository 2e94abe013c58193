"""Reading a checkout of upstream PyBench: its task list and its data files, and nothing else.

    python -m runner.suite.upstream PATH

Only data/meta/task.json and the files that it names are opened; configuration files never are.
A checkout is not trusted: whatever is wrong with it becomes a fault with its place, and what is
sound is imported all the same.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import stat
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runner.contract import ProblemError
from runner.suite.material import Material, MaterialFile, MaterialTask, write_material
from runner.suite.reader import ROOT as SUITES
from runner.suite.reader import SAFE_NAME, problem

TASK_LIST = Path("data") / "meta" / "task.json"
NAME = "pybench"
RECORDED = "trajectory.jsonl"
ROOT = Path(__file__).resolve().parents[2]
KNOWN = SUITES / NAME / "inputs.json"

MOST_LIST_BYTES = 32 << 20
MOST_FILE_BYTES = 1 << 30
MOST_FILES = 50  # of one task
MOST_QUERY_CHARS = 200_000
LFS_POINTER = b"version https://git-lfs.github.com/spec/"

GOOD = ("present", "changed", "unknown")  # a file with one of these states is imported
STATES = (*GOOD, "absent", "empty", "truncated", "refused")


@dataclass(frozen=True)
class FileState:
    """One input file as found: its state, and why where that is not obvious."""

    file: MaterialFile
    state: str  # one of STATES
    why: str = ""


@dataclass
class Checkout:
    """A checkout's contents: tasks by index, and the place of each input file, by SHA-256."""

    folder: Path
    tasks: dict[str, MaterialTask] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)
    states: dict[str, dict[str, FileState]] = field(default_factory=dict)  # by index, by name
    faults: list[str] = field(default_factory=list)  # of the list: what was refused, and where

    def lines(self) -> list[str]:
        """The report: what was refused, then each task whose files are not all as published."""
        found = [f"refused: {fault}" for fault in self.faults]
        for index, states in self.states.items():
            found += [
                f"task {index}: {name}: {one.state}{f' ({one.why})' if one.why else ''}"
                for name, one in states.items()
                if one.state != "present"
            ]
        return found

    def count(self) -> dict[str, int]:
        """Number of tasks that have all their files as published, changed ones, or missing ones."""
        worst = Counter(
            max((one.state for one in states.values()), key=STATES.index, default="present")
            for states in self.states.values()
        )
        return {state: worst[state] for state in STATES if worst[state]}


def read_checkout(folder: Path, known: Mapping[str, Any] | None = None) -> Checkout:
    """The tasks of the checkout in `folder`. Raises ProblemError when it is none.

    `known` is {name: {"sha256": …, "size_bytes": …}} of the published files.
    """
    checkout = Checkout(folder)
    published = known if known is not None else read_known()
    places: dict[str, int] = {}
    for number, entry in enumerate(read_list(folder), 1):
        found = read_entry(entry)
        if isinstance(found, str):
            checkout.faults.append(f"entry {number}: {found}")
            continue
        index, query, names = found
        if index in places:
            checkout.faults.append(
                f"entry {number}: index {index} is already that of entry {places[index]}"
            )
            continue
        places[index] = number
        states = {name: read_file(folder, name, published, checkout.files) for name in names}
        checkout.states[index] = states
        inputs = tuple(s.file if s.state in GOOD else MaterialFile(n) for n, s in states.items())
        checkout.tasks[index] = MaterialTask(index, query, inputs)
    if not checkout.tasks:
        first = f" {checkout.faults[0]}." if checkout.faults else ""
        raise problem("empty_checkout", f"{TASK_LIST} holds no task.{first}", NOTHING_CHANGED)
    return checkout


NOTHING_CHANGED = "Nothing was imported; what was imported before is as it was."


def read_known() -> dict[str, Any]:
    known = json.loads(KNOWN.read_text("utf-8"))
    return known if isinstance(known, dict) else {}


def read_list(folder: Path) -> list[Any]:
    """The entries of the task list, whatever they are."""
    path = folder / TASK_LIST
    try:
        if not is_inside(path, folder) or path.stat().st_size > MOST_LIST_BYTES:
            raise broken_list("a link out of the checkout, or far too long")
        entries = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise problem(
            "no_checkout",
            f"{folder} is not a PyBench checkout: {TASK_LIST} cannot be read ({error.strerror}).",
            "Give the folder that holds data/meta/task.json.",
        ) from error
    except UnicodeDecodeError as error:
        raise broken_list(f"not UTF-8 at byte {error.start}") from error
    except (ValueError, RecursionError) as error:
        raise broken_list(f"not valid JSON: {error}") from error
    if not isinstance(entries, list):
        raise broken_list("no list of tasks")
    return entries


def broken_list(what: str) -> ProblemError:
    return problem("broken_checkout", f"{TASK_LIST} is {what}.", NOTHING_CHANGED)


def read_entry(entry: object) -> tuple[str, str, list[str]] | str:
    """Index, query and file names of an entry; a sentence when it cannot be taken."""
    if not isinstance(entry, dict):
        return f"it is no object but {type(entry).__name__}"
    index, query, paths = entry.get("index"), entry.get("user"), entry.get("file_paths")
    if isinstance(index, bool) or not isinstance(index, str | int) or not str(index).isdigit():
        return f"`index` is no number: {str(index)[:40]!r}"
    if not isinstance(query, str) or not query.strip():
        return f"index {index}: `user` holds no query"
    if len(query) > MOST_QUERY_CHARS:
        return f"index {index}: `user` is longer than {MOST_QUERY_CHARS} characters"
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        return f"index {index}: `file_paths` is no list of paths"
    if len(paths) > MOST_FILES:
        return f"index {index}: `file_paths` names more than {MOST_FILES} files"
    names = [path.removeprefix("./").removeprefix("data/") for path in paths]
    for name in names:
        if not SAFE_NAME.fullmatch(name) or name.startswith("."):
            return f"index {index}: {name[:80]!r} is no plain name of a file under ./data"
    return str(index), query, list(dict.fromkeys(names))


def read_file(
    folder: Path, name: str, published: Mapping[str, Any], files: dict[str, Path]
) -> FileState:
    """The state of one input; a good one is noted in `files` by its digest."""
    path, missing = folder / "data" / name, MaterialFile(name)
    try:
        status = path.lstat()
    except OSError:
        return FileState(missing, "absent")
    if not stat.S_ISREG(status.st_mode) or not is_inside(path, folder):
        return FileState(missing, "refused", "it is a link or no regular file")
    if status.st_size > MOST_FILE_BYTES:
        return FileState(missing, "refused", f"it is longer than {MOST_FILE_BYTES >> 20} MiB")
    try:
        digest, start = digest_of(path)
    except OSError as error:
        return FileState(missing, "refused", f"it cannot be read: {error.strerror}")
    if start.startswith(LFS_POINTER):
        return FileState(missing, "absent", "a Git LFS pointer stands in its place")
    state, why = compare(published.get(name), digest, status.st_size)
    if state in GOOD:
        files[digest] = path
    return FileState(MaterialFile(name, digest, status.st_size), state, why)


def compare(known: object, digest: str, size_bytes: int) -> tuple[str, str]:
    """A file's state beside what was published under its name."""
    if not isinstance(known, dict):
        return ("empty", "") if not size_bytes else ("unknown", "no published digest is on record")
    if known["sha256"] == digest:
        return "present", ""
    if not size_bytes:
        return "empty", ""
    if size_bytes < known["size_bytes"]:
        return "truncated", f"{size_bytes} of {known['size_bytes']} bytes"
    return "changed", "not what was published"


def is_inside(path: Path, folder: Path) -> bool:
    """True if `path`, all links followed, lies in the checkout's data folder."""
    return path.resolve().is_relative_to((folder / "data").resolve()) and (
        folder / "data"
    ).resolve().is_relative_to(folder.resolve())


def digest_of(path: Path) -> tuple[str, bytes]:
    """SHA-256 of a file, read in pieces, and its first bytes."""
    total, start = hashlib.sha256(), b""
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            start = start or piece[:64]
            total.update(piece)
    return total.hexdigest(), start


def import_checkout(folder: Path, root: Path | None = None) -> tuple[Material, Checkout]:
    """Copy what is sound of the checkout in `folder`; ProblemError when nothing is."""
    checkout = read_checkout(folder)
    source = {"folder": folder.name}
    return write_material(NAME, checkout.tasks, checkout.files, source, root), checkout


def recorded_answers() -> dict[str, str]:
    """{query: last message} of the recorded conversations on this machine; none without a copy.

    The last message counts whoever said it, so that a proof assumes the most.
    """
    folder = find_recorded()
    if folder is None:
        return {}
    answers = {}
    for line in (folder / RECORDED).read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["messages"]:
            answers[str(row["user"]).strip()] = str(row["messages"][-1]["content"])
    return answers


def find_recorded() -> Path | None:
    """The checkout with recorded conversations: PYBENCH_UPSTREAM, or one beside the project."""
    given = [os.environ.get("PYBENCH_UPSTREAM", ""), str(ROOT.parent / "shared" / "pybench")]
    folders = [Path(folder) for folder in given if folder]
    return next((folder for folder in folders if (folder / RECORDED).is_file()), None)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m runner.suite.upstream", description=__doc__)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(argv)
    try:
        _, checkout = import_checkout(options.folder)
    except ProblemError as error:
        print(error, file=sys.stderr)
        return 2
    print(*checkout.lines(), sep="\n")
    print(f"{len(checkout.tasks)} tasks imported: {checkout.count()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
