"""Making an instance of a task: its inputs and filled-in query for one seed, kept in a cache."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.contract import Fault, ProblemError, StoredFile
from runner.sandbox.base import Sandbox
from runner.sandbox.host.kernel_env import recipe_files
from runner.suite.library_pack import check_library
from runner.suite.placeholders import fill
from runner.suite.reader import Suite, SuiteTask, digest_of, problem, with_material
from runner.synced_files import sync_tree
from runner.task_code.harness_client import WORK, ending, run_harness

FACTS = "instance.json"


@dataclass(frozen=True)
class Instance:
    """A task with a seed: what one attempt begins with."""

    data: Path  # folder holding exactly the task's inputs, read-only
    query: str  # placeholders filled
    parameters: Mapping[str, Any]
    inputs: tuple[StoredFile, ...]
    seed: int


def task_digest(suite: Suite, task: SuiteTask) -> str:
    """Digest of what an instance depends on: task file, check library, kernel environment."""
    digest = digest_of([task.path, *check_library(), *recipe_files(suite.environment)])
    return with_material(digest, (task,)) if task.material else digest


async def instantiate(
    sandbox: Sandbox, suite: Suite, task: SuiteTask, seed: int, cache: Path
) -> Instance:
    """The instance of `task` for `seed`, from `cache` or made in the sandbox.

    Several processes may do so at once: the first to finish wins, and they all read the same.
    Raises ProblemError (our fault) when the task's make_inputs does not do what it must.
    """
    folder = cache / task_digest(suite, task)[:16] / f"{task.spec.key}-{seed}"
    if not (folder / FACTS).is_file():
        await make(sandbox, suite, task, seed, folder)
    return read_instance(task, seed, folder)


async def make(sandbox: Sandbox, suite: Suite, task: SuiteTask, seed: int, folder: Path) -> None:
    """Run make_inputs into a fresh folder, then move it to its name in one step."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=".making-", dir=folder.parent))
    try:
        data = building / "data"
        data.mkdir()
        if task.material and not task.has_stand_in:
            parameters = copy_material(suite, task, data)
        else:
            parameters = await make_inputs(sandbox, suite, task, seed, data)
        seal(data)
        facts = {"parameters": parameters, "inputs": [stored(p) for p in sorted(data.iterdir())]}
        (building / FACTS).write_text(json.dumps(facts, ensure_ascii=False), "utf-8")
        building.chmod(0o755)
        await asyncio.to_thread(sync_tree, building)  # no power cut leaves half of one for good
        publish(building, folder)
    finally:
        shutil.rmtree(building, ignore_errors=True)


def copy_material(suite: Suite, task: SuiteTask, data: Path) -> dict[str, Any]:
    """Fill `data` with the imported files; they take no parameters and no seed."""
    assert suite.material
    assert task.material
    for file in task.material.inputs:
        target = data / file.name
        try:
            shutil.copyfile(suite.material.path(file), target)
        except OSError as error:
            raise lost_material(suite, file.name) from error
        if stored(target)["sha256"] != file.sha256:
            raise lost_material(suite, file.name)
    return {}


def lost_material(suite: Suite, name: str) -> ProblemError:
    return problem(
        "lost_material",
        f"{name} of suite {suite.name} is no longer as it was imported.",
        "Import the suite's checkout again, then try again.",
        Fault.US,
    )


async def make_inputs(
    sandbox: Sandbox, suite: Suite, task: SuiteTask, seed: int, data: Path
) -> dict[str, Any]:
    """Fill `data` in the sandbox; the parameters that the task returned."""
    job = {"do": "make", "seed": seed, "data": WORK}
    result, report = await run_harness(sandbox, task, job, suite.limits, writable=data)
    if report.crashed or report.made is None:
        what = report.crashed or f"it {ending(result)}: {result.stderr[-2000:]}"
        raise broken(task, f"make_inputs failed for seed {seed}: {what}")
    made = sorted(str(p.relative_to(data)) for p in data.rglob("*"))
    if made != sorted(task.spec.inputs):
        raise broken(task, f"make_inputs wrote {made}, INPUTS names {sorted(task.spec.inputs)}.")
    if any(path.is_symlink() or not path.is_file() for path in data.iterdir()):
        raise broken(task, "make_inputs wrote something that is no regular file.")
    return report.made


def broken(task: SuiteTask, what: str) -> ProblemError:
    return problem(
        "broken_task",
        f"Task {task.spec.key}: {what}",
        "Mend the task's file, then try again.",
        Fault.US,
    )


def seal(data: Path) -> None:
    """Make the input files readable by everybody and writable by nobody."""
    for path in data.iterdir():
        path.chmod(0o444)
    data.chmod(0o755)


def stored(path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    return {"path": path.name, "size_bytes": len(content), "sha256": digest}


def publish(building: Path, folder: Path) -> None:
    """Give the finished folder its name, unless somebody was faster."""
    try:
        os.rename(building, folder)  # noqa: PTH104  a folder's rename onto a full one must fail
    except OSError:
        if not (folder / FACTS).is_file():
            raise


def read_instance(task: SuiteTask, seed: int, folder: Path) -> Instance:
    facts = json.loads((folder / FACTS).read_text("utf-8"))
    data = folder / "data"
    return Instance(
        data=data,
        query=fill(task.spec.query, facts["parameters"]),
        parameters=facts["parameters"],
        inputs=tuple(
            StoredFile(f["path"], f["size_bytes"], f["sha256"], data / f["path"])
            for f in facts["inputs"]
        ),
        seed=seed,
    )
