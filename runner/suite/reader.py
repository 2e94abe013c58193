"""Reading a suite's folder: what suite.toml says, its tasks, and the digest of both."""

from __future__ import annotations

import difflib
import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from math import inf
from pathlib import Path
from stat import S_ISREG
from typing import Any

from runner.contract import Limits, ProblemError
from runner.sandbox.host.kernel_env import recipe_files
from runner.suite.library_pack import check_library
from runner.suite.material import Material, MaterialTask, read_material
from runner.suite.task_file import (
    SAFE_NAME,
    Category,
    Solution,
    SuiteTask,
    malformed,
    problem,
    read_task,
)

__all__ = [  # what others ask of suites, wherever it is written
    "ROOT",
    "SAFE_NAME",
    "Category",
    "Solution",
    "Suite",
    "SuiteTask",
    "available",
    "digest_of",
    "load_available",
    "load_suite",
    "problem",
]

ROOT = Path(__file__).resolve().parents[2] / "suites"


@dataclass(frozen=True)
class Suite:
    """A suite as its folder describes it."""

    name: str
    version: str
    title: str
    description: str
    seed: int  # the default instance
    limits: Limits
    categories: tuple[Category, ...]
    environment: Path  # folder with the kernel environment's lock
    folder: Path
    tasks: tuple[SuiteTask, ...]
    digest: str  # SHA-256 over suite.toml, every task file, the check library, the lock, material
    unavailable: tuple[SuiteTask, ...] = ()  # listed with their reason, never played nor counted
    material: Material | None = None

    def task(self, key: str) -> SuiteTask:
        """The task called `key`; ProblemError names some others when there is none."""
        for task in (*self.tasks, *self.unavailable):
            if task.spec.key == key:
                return task
        keys = [task.spec.key for task in self.tasks]
        alike = difflib.get_close_matches(key.removesuffix(".py").replace("_", "-"), keys, 1)
        meant = f"Did you mean “{alike[0]}”? " if alike else ""
        raise problem(
            "unknown_task",
            f"Suite {self.name} has no task “{key}”.",
            f"{meant}Its tasks are {', '.join(keys[:5])} … ({len(keys)} in all).",
        )


def available(root: Path = ROOT) -> list[str]:
    """The names of the suites under `root`."""
    return sorted(path.parent.name for path in root.glob("*/suite.toml"))


def load_available(root: Path = ROOT) -> list[Suite]:
    """Every suite under `root` that can be played: those on material only once it is imported."""
    suites = []
    for name in available(root):
        try:
            suites.append(load_suite(name, root))
        except ProblemError as error:
            if error.problem.code != "not_imported":
                raise
    return suites


def load_suite(name: str | Path, root: Path = ROOT) -> Suite:
    """The suite called `name` under `root`, or in the folder `name`.

    Raises ProblemError: unknown suite, malformed suite.toml, malformed task file.
    """
    folder = Path(name) if Path(name).is_absolute() else root / name
    path = folder / "suite.toml"
    if not is_there(path):
        known = ", ".join(available(root)) or "none"
        raise problem(
            "unknown_suite", f"There is no suite “{name}”.", f"Suites found here: {known}."
        )
    facts = read_toml(path)
    material = material_of(str(facts["name"]), facts)
    categories = tuple(Category(c["key"], c["title"]) for c in facts["categories"])
    environment_name = str(facts.get("environment", "environment"))
    beside = folder.parent / environment_name
    environment = beside if beside.is_dir() else ROOT / environment_name
    files = sorted((folder / "tasks").glob("[!_]*.py"))
    if not files:
        raise malformed(path, "the suite has no task.", "Put one file per task into tasks/.")
    tasks = tuple(
        read_task(file, position, str(facts["name"]), str(facts["version"]), categories, material)
        for position, file in enumerate(files, 1)
    )
    digest = digest_of([path, *files, *check_library(), *recipe_files(environment)])
    return Suite(
        name=str(facts["name"]),
        version=str(facts["version"]),
        title=str(facts["title"]),
        description=str(facts.get("description", "")),
        seed=int(facts["seed"]),
        limits=read_limits(path, facts.get("limits", {})),
        categories=categories,
        environment=environment,
        folder=folder,
        tasks=tuple(task for task in tasks if not task.unavailable),
        digest=with_material(digest, tasks) if material else digest,
        unavailable=tuple(task for task in tasks if task.unavailable),
        material=material,
    )


def material_of(name: str, facts: Mapping[str, Any]) -> Material | None:
    """The imported copy that the suite rests on; None for a suite that is whole by itself."""
    if "material" not in facts:
        return None
    material = read_material(str(facts["material"]))
    if material is None:
        raise problem(
            "not_imported",
            f"The queries and inputs of suite “{name}” are not here: they are imported once from "
            "a checkout.",
            f"Run `manage.py import_{facts['material']} --from PATH`.",
        )
    return material


def with_material(digest: str, tasks: tuple[SuiteTask, ...]) -> str:
    """`digest` extended by every query and input as imported."""
    total = hashlib.sha256(digest.encode())
    for task in tasks:
        if task.material:
            total.update(material_line(task.material))
    return total.hexdigest()


def material_line(task: MaterialTask) -> bytes:
    files = "\0".join(f"{f.name}\0{f.sha256}" for f in task.inputs)
    return f"{task.index}\0{task.query}\0{files}\n".encode()


def is_there(path: Path) -> bool:
    """True if there is such a file; a name that no file can have counts as absent."""
    try:
        return path.is_file()
    except OSError:  # a name too long, or a folder that is not ours to look into
        return False


def read_toml(path: Path) -> dict[str, Any]:
    try:
        facts = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise malformed(path, f"not valid TOML: {error}.", "Mend that line.") from error
    for name, kind in (("name", str), ("version", str), ("title", str), ("seed", int)):
        if not isinstance(facts.get(name), kind):
            raise malformed(path, f"`{name}` is missing or not of type {kind.__name__}.", "Add it.")
    categories = facts.get("categories")
    if not isinstance(categories, list) or not all(
        isinstance(c, dict) and isinstance(c.get("key"), str) and isinstance(c.get("title"), str)
        for c in categories
    ):
        raise malformed(path, "`categories` must be tables with key and title.", "Add them.")
    return facts


def read_limits(path: Path, given: object) -> Limits:
    known: dict[str, Any] = {f.name: type(f.default) for f in fields(Limits)}
    if not isinstance(given, dict):
        raise malformed(path, "`limits` must be a table.", "Write it as [limits].")
    for name, value in given.items():
        if name not in known:
            raise malformed(path, f"unknown limit `{name}`.", f"Known: {', '.join(known)}.")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < inf:
            raise malformed(path, f"limit `{name}` must be a positive number.", "Mend it.")
        if known[name] is int and value != int(value):
            raise malformed(path, f"limit `{name}` must be a whole number.", "Mend it.")
    return Limits(**{name: known[name](value) for name, value in given.items()})


def digest_of(paths: list[Path]) -> str:
    """SHA-256 over names and contents, in the order given; absent files count as empty."""
    try:
        return known_digest(tuple((path, *state_of(path)) for path in paths))
    except FileNotFoundError:  # gone since we looked
        return digest_of(paths)


def state_of(path: Path) -> tuple[int, int]:
    """Time of the file's last change, and its size; -1 if there is no such file."""
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return 0, -1
    return (status.st_mtime_ns, status.st_size) if S_ISREG(status.st_mode) else (0, -1)


@lru_cache(maxsize=1_000)
def known_digest(files: tuple[tuple[Path, int, int], ...]) -> str:
    """Computed once while no file changes: every check tells by which files it judged."""
    total = hashlib.sha256()
    for path, mtime_ns, size_bytes in files:
        content = known_content(path, mtime_ns, size_bytes) if size_bytes >= 0 else b""
        total.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return total.hexdigest()


@lru_cache(maxsize=1_000)
def known_content(path: Path, mtime_ns: int, size_bytes: int) -> bytes:
    """Read once while the file stays as it is."""
    return path.read_bytes()
