"""The recorded trajectories of an upstream checkout, as conversations to play again."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.contract import ActionFormat, TaskSpec
from runner.model.reply import ModelReply, read

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Trajectory:
    """One recorded conversation: its query, its input files and what the model replied."""

    index: str
    query: str
    inputs: tuple[Path, ...]
    cells: tuple[str, ...]
    row: Mapping[str, Any]

    @property
    def task(self) -> TaskSpec:
        names = tuple(path.name for path in self.inputs)
        key = f"recorded-{self.index}"
        return TaskSpec("recorded", "1", key, key, "recorded", self.query, names, ())

    def copy_inputs(self, folder: Path) -> Path:
        """The inputs in a fresh folder, as an attempt is given them."""
        folder.mkdir(parents=True)
        for path in self.inputs:
            shutil.copyfile(path, folder / path.name)
        return folder


def look_for_upstream() -> Path | None:
    """The folder with upstream's data, where this machine has it."""
    candidates = [os.environ.get("PYBENCH_UPSTREAM", ""), str(ROOT.parent / "shared" / "pybench")]
    folders = (Path(folder) for folder in candidates if folder)
    return next((folder for folder in folders if (folder / "trajectory.jsonl").is_file()), None)


def read_trajectories(folder: Path) -> list[Trajectory]:
    """The recorded conversations whose inputs are all there, in the file's order."""
    with (folder / "trajectory.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    found = (as_trajectory(folder, row) for row in rows)
    return [t for t in found if all(path.is_file() for path in t.inputs)]


def as_trajectory(folder: Path, row: Mapping[str, Any]) -> Trajectory:
    replies = [m["content"] for m in row["messages"] if m["role"] == "assistant"]
    codes = [read(ModelReply(text), ActionFormat.FENCED).code for text in replies]
    return Trajectory(
        index=str(row["index"]),
        query=str(row["user"]).strip(),
        inputs=tuple(folder / "data" / Path(name).name for name in row["file_paths"]),
        cells=tuple(code for code in codes if code),
        row=row,
    )
