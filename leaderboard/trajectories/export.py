"""Turns stored attempts into the formats that others read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.files.storage import default_storage

from leaderboard.models import Attempt, Blob, Import, Verdict, unpack
from leaderboard.storage.blobs import read_head
from leaderboard.trajectories.formats.atif import atif_document
from leaderboard.trajectories.formats.inspect_log import inspect_log
from leaderboard.trajectories.formats.notebook import write_notebook
from leaderboard.trajectories.formats.openai_chat import chat_line
from leaderboard.trajectories.formats.pybench_jsonl import pybench_line
from leaderboard.trajectories.formats.trajectory import Trajectory
from runner.suite.canary import CANARY

MAX_PICTURE_BYTES = 8 << 20  # put into a notebook


Notes = Sequence[Mapping[str, Any]]  # that who asks may see, pinned to steps by readers


@dataclass(frozen=True)
class Format:
    """One way to write an attempt down."""

    key: str  # in addresses
    title: str
    mime: str
    suffix: str  # of the file's name
    write: Callable[[Attempt, Notes], bytes]

    @property
    def has_lines(self) -> bool:
        """True if an attempt is a line, so that a run is one file; else it is an archive."""
        return self.suffix.endswith("jsonl")


def trajectory_of(attempt: Attempt, notes: Notes = ()) -> Trajectory:
    """The try that counts. `attempt` has its run, entry, suite and task at hand."""
    opening, closing = unpack(attempt.opening), unpack(attempt.closing)
    task = attempt.task
    titles = {c["key"]: c["title"] for c in task.suite.categories}
    return Trajectory(
        task=task.key,
        title=task.title,
        category=titles.get(task.category, task.category),
        query=str(opening.get("query") or task.query),
        opening=opening.get("messages") or (),
        steps=attempt.steps_that_count(),
        answer=closing.get("answer"),
        inputs=task.inputs,
        outputs=task.outputs,
        source=f"{attempt.run.entry.name} on {task.suite}, attempt {attempt.number}",
        facts=facts_of(attempt, opening) | ({"notes": list(notes)} if notes else {}),
    )


def facts_of(attempt: Attempt, opening: dict[str, Any]) -> dict[str, Any]:
    """Facts about the attempt that the conversation does not say, as JSON."""
    tokens = ("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens")
    return {
        "canary": CANARY,
        "suite": attempt.task.suite.name,
        "suite_version": attempt.task.suite.version,
        "suite_digest": attempt.task.suite.digest,
        "task": attempt.task.key,
        "category": attempt.category,
        "attempt": attempt.number,
        "run": attempt.run_id,
        "entry": attempt.run.entry.name,
        "provenance": attempt.run.entry.provenance,
        "seed": opening.get("seed"),
        "parameters": opening.get("parameters") or {},
        "status": attempt.status,
        "outcome": attempt.outcome or None,
        "passed": attempt.passed,
        "turns": attempt.turns,
        "usage": {name: getattr(attempt, name) for name in tokens},
        "model_s": attempt.model_s,
        "cell_s": attempt.cell_s,
        "wall_s": attempt.wall_s,
        "problem": problem_of(attempt),
        "verdict": verdict_of(attempt),
        "tags": list(attempt.tags.values_list("tag", flat=True)),
        "files": files_of(attempt),
    }


def problem_of(attempt: Attempt) -> dict[str, str] | None:
    if not attempt.problem:
        return None
    return {
        "fault": attempt.fault,
        "code": attempt.problem_code,
        "what": attempt.problem,
        "next_step": attempt.next_step,
    }


def verdict_of(attempt: Attempt) -> dict[str, Any] | None:
    """The check's verdict with its assertions; None while there is none."""
    found = Verdict.objects.filter(attempt=attempt, kind="strict").order_by("-pk").first()
    if found is None or attempt.passed is None:
        return None
    return {
        "passed": found.passed,
        "sentence": found.sentence,
        "check_version": found.check_version,
        "assertions": unpack(found.body) or [],
    }


def files_of(attempt: Attempt) -> list[dict[str, Any]]:
    rows = attempt.artifacts.filter(try_number=attempt.counted_try).select_related("blob")
    return [
        {
            "role": row.role,
            "path": row.path,
            "size_bytes": row.blob.size_bytes if row.blob else None,
            "sha256": row.blob_id,
            "reason": row.reason,
        }
        for row in rows[:500]
    ]


def raw_record(attempt: Attempt) -> dict[str, Any]:
    """The attempt as it is stored, as JSON."""
    told = trajectory_of(attempt)
    return {
        **told.facts,
        "title": told.title,
        "query": told.query,
        "inputs": list(told.inputs),
        "outputs": list(told.outputs),
        "answer": told.answer,
        "opening": list(told.opening),
        "steps": list(told.steps),
    }


def pybench_bytes(attempt: Attempt, notes: Notes = ()) -> bytes:
    """The line as it was imported, byte for byte; else as PyBench's own script writes it."""
    line = imported_line(attempt)
    return (
        line + b"\n" if line is not None else pybench_line(trajectory_of(attempt, notes)).encode()
    )


def imported_line(attempt: Attempt) -> bytes | None:
    """The line of the imported file that the attempt was read from; None when there is none."""
    place = unpack(attempt.opening).get("place")
    if not place:
        return None
    source = Import.objects.filter(run=attempt.run_id).select_related("blob").first()
    if source is None:
        return None
    offset, length = place
    try:
        with default_storage.open(source.blob.storage_name) as file:
            file.seek(offset)
            return bytes(file.read(length))
    except FileNotFoundError:
        return None


def chat_bytes(attempt: Attempt, notes: Notes = ()) -> bytes:
    return chat_line(trajectory_of(attempt, notes)).encode()


def atif_bytes(attempt: Attempt, notes: Notes = ()) -> bytes:
    return atif_document(trajectory_of(attempt, notes)).encode()


def notebook_bytes(attempt: Attempt, notes: Notes = ()) -> bytes:
    return write_notebook(trajectory_of(attempt, notes), read_picture)


def inspect_bytes(attempt: Attempt, notes: Notes = ()) -> bytes:
    return inspect_log(trajectory_of(attempt, notes)).encode()


def read_picture(sha256: str) -> bytes | None:
    blob = Blob.objects.filter(pk=sha256).first()
    if blob is None or blob.size_bytes > MAX_PICTURE_BYTES:
        return None
    return read_head(blob, MAX_PICTURE_BYTES) or None


FORMATS = (
    Format("pybench", "PyBench jsonl", "application/jsonl", "jsonl", pybench_bytes),
    Format("chat", "OpenAI chat messages", "application/jsonl", "chat.jsonl", chat_bytes),
    Format("atif", "ATIF 1.8", "application/json", "trajectory.json", atif_bytes),
    Format("notebook", "Jupyter notebook", "application/x-ipynb+json", "ipynb", notebook_bytes),
    Format("inspect", "Inspect log", "application/json", "inspect.json", inspect_bytes),
)  # fmt: skip
