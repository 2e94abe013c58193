"""Reading a checkout of upstream PyBench: its task list and its data files, and nothing else.

    python -m runner.upstream PATH

Only data/meta/task.json and the files that it names are opened; configuration files never are.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.contract import ProblemError
from runner.material import Material, MaterialFile, MaterialTask, write_material
from runner.suites import problem

TASK_LIST = Path("data") / "meta" / "task.json"
DATA = "./data/"
NAME = "pybench"
RECORDED = "trajectory.jsonl"
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Checkout:
    """What a checkout holds: tasks by index, and where each input file lies, by SHA-256."""

    folder: Path
    tasks: dict[str, MaterialTask]
    files: dict[str, Path]


def read_checkout(folder: Path) -> Checkout:
    """The tasks of the checkout in `folder`. Raises ProblemError when it is none."""
    path = folder / TASK_LIST
    try:
        entries = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise problem(
            "no_checkout",
            f"{folder} is no PyBench checkout: {TASK_LIST} cannot be read ({error.strerror}).",
            "Give the folder that holds data/meta/task.json.",
        ) from error
    except ValueError as error:
        raise problem(
            "broken_checkout",
            f"{TASK_LIST} is not valid JSON: {error}.",
            "Check the checkout out again.",
        ) from error
    files: dict[str, Path] = {}
    tasks = {}
    for entry in entries:
        task = read_entry(folder, entry, files)
        tasks[task.index] = task
    return Checkout(folder, tasks, files)


def read_entry(folder: Path, entry: dict[str, Any], files: dict[str, Path]) -> MaterialTask:
    inputs = []
    for given in entry["file_paths"]:
        name = given.removeprefix(DATA)
        path = folder / "data" / name
        if path.is_file():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            files[digest] = path
            inputs.append(MaterialFile(name, digest, path.stat().st_size))
        else:
            inputs.append(MaterialFile(name))
    return MaterialTask(str(entry["index"]), entry["user"], tuple(inputs))


def import_checkout(folder: Path, root: Path | None = None) -> Material:
    checkout = read_checkout(folder)
    return write_material(NAME, checkout.tasks, checkout.files, {"path": folder.name}, root)


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
    parser = argparse.ArgumentParser(prog="python -m runner.upstream", description=__doc__)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(argv)
    try:
        material = import_checkout(options.folder)
    except ProblemError as error:
        print(error, file=sys.stderr)
        return 2
    missing = sum(bool(task.missing) for task in material.tasks.values())
    print(f"{len(material.tasks)} tasks imported, {missing} of them without all their inputs.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
