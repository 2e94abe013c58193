"""Material: queries and input files that a suite may not hold itself, imported from a checkout.

A suite whose suite.toml says `material = "NAME"` keeps only its maintainers' part here: titles,
categories, checks, solutions. What the agent is asked and given is read from an imported copy:

    <root>/NAME/material.json     what was imported, by upstream index
    <root>/NAME/files/<sha256>    the input files, by content
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from runner.synced_files import sync

ROOT = Path(__file__).resolve().parents[2] / "var" / "material"
LIST = "material.json"
VERSION = 1


@dataclass(frozen=True)
class MaterialFile:
    """One input file. `sha256` is "" when the checkout does not have it."""

    name: str
    sha256: str = ""
    size_bytes: int = 0

    @property
    def is_there(self) -> bool:
        return bool(self.sha256)


@dataclass(frozen=True)
class MaterialTask:
    """The agent's query and files of a task, by the checkout's own index."""

    index: str
    query: str
    inputs: tuple[MaterialFile, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(f.name for f in self.inputs if not f.is_there)


@dataclass(frozen=True)
class Material:
    """An imported copy."""

    folder: Path
    source: Mapping[str, str] = field(default_factory=dict)  # where it came from, for the record
    tasks: Mapping[str, MaterialTask] = field(default_factory=dict)

    def path(self, file: MaterialFile) -> Path:
        return self.folder / "files" / file.sha256


def material_root() -> Path:
    """Folder of the imported copies: PYBENCH_MATERIAL, or var/material of the project."""
    given = os.environ.get("PYBENCH_MATERIAL")
    return Path(given) if given else ROOT


def read_material(name: str, root: Path | None = None) -> Material | None:
    """The imported copy called `name`; None when there is none that can be read."""
    folder = (root or material_root()) / name
    try:
        facts = json.loads((folder / LIST).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(facts, dict) or facts.get("version") != VERSION:
        return None
    tasks = {
        index: MaterialTask(
            index, entry["query"], tuple(MaterialFile(**f) for f in entry["inputs"])
        )
        for index, entry in facts["tasks"].items()
    }
    return Material(folder, facts.get("source", {}), tasks)


def write_material(
    name: str,
    tasks: Mapping[str, MaterialTask],
    files: Mapping[str, Path],
    source: Mapping[str, str],
    root: Path | None = None,
) -> Material:
    """Copy `files` ({sha256: path}) and write the list last, so that a half-made copy is none."""
    folder = (root or material_root()) / name
    store = folder / "files"
    store.mkdir(parents=True, exist_ok=True)
    for digest, path in files.items():
        target = store / digest
        if not target.is_file():
            building = target.with_name(f".{digest}.{os.getpid()}")
            shutil.copyfile(path, building)
            building.chmod(0o444)
            sync(building)
            building.rename(target)
    sync(store)
    entries = {
        index: {"query": task.query, "inputs": [asdict(f) for f in task.inputs]}
        for index, task in tasks.items()
    }
    facts = {"version": VERSION, "source": dict(source), "tasks": entries}
    building = folder / f".{LIST}.{os.getpid()}"
    building.write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", "utf-8")
    sync(building)
    building.rename(folder / LIST)
    sync(folder)
    return Material(folder, dict(source), dict(tasks))
