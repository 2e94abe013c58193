"""The statement about a sealed run: digests of all that its row on the board rests on."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import zstandard
from django.conf import settings

from leaderboard.ledger.entries import read_head
from leaderboard.ledger.sealed_runs import state_of, tell_verdict
from leaderboard.models import (
    Artifact,
    Attempt,
    Run,
    RunSummary,
    Step,
    Verdict,
    unpack,
    unpack_bytes,
)
from runner.evidence.chain import canonical, digest_of
from runner.evidence.statement import (
    FORMAT,
    RUN_PREDICATE,
    STATEMENT_TYPE,
    file_name,
    trajectory_name,
    verdict_name,
)

FIGURES = (
    "tasks", "attempts", "passed", "failed", "void", "open", "rate", "low", "high", "turns",
)  # fmt: skip
STEPS_AT_ONCE = 5  # each may be large
UNKNOWN = "unknown"


@dataclass
class AttemptEvidence:
    """An attempt of a run with the rows that belong to the try that counts."""

    attempt: Attempt
    verdict: Verdict | None = None
    outputs: list[Artifact] = field(default_factory=list)

    @property
    def task(self) -> str:
        return self.attempt.task.key


def load_attempts(run: Run) -> list[AttemptEvidence]:
    """The run's attempts in the ledger's order of its tasks, without steps. Three queries."""
    attempts = run.attempts.select_related("task").order_by("task_id", "number")
    found = {attempt.pk: AttemptEvidence(attempt) for attempt in attempts}
    for verdict in Verdict.objects.filter(attempt__run=run, kind="strict").order_by("pk"):
        found[verdict.attempt_id].verdict = verdict
    outputs = Artifact.objects.filter(attempt__run=run, role=Artifact.Role.OUTPUT)
    for artifact in outputs.exclude(blob=None).select_related("blob").order_by("path"):
        one = found[artifact.attempt_id]
        if artifact.try_number == one.attempt.counted_try:
            one.outputs.append(artifact)
    return list(found.values())


def write_trajectory(one: AttemptEvidence, bodies: Iterator[bytes]) -> Iterator[bytes]:
    """The attempt's file in a bundle, in pieces: its stored JSON bodies, byte for byte."""
    yield b'{"opening":' + read_body(one.attempt.opening) + b',"steps":['
    for place, body in enumerate(bodies):
        yield (b"," if place else b"") + read_body(body)
    yield b'],"closing":' + read_body(one.attempt.closing) + b"}\n"


def read_body(body: bytes | memoryview) -> bytes:
    """The JSON of a stored body; null for one that `manage.py verify` names as damaged."""
    try:
        return unpack_bytes(body) if body else b"{}"
    except (zstandard.ZstdError, MemoryError):
        return b"null"


def read_steps(one: AttemptEvidence) -> Iterator[bytes]:
    """Bodies of the steps that count. One query."""
    steps = Step.objects.filter(attempt=one.attempt, try_number=one.attempt.counted_try)
    for (body,) in steps.order_by("index").values_list("body").iterator(STEPS_AT_ONCE):
        yield bytes(body)


def make_statement(run: Run) -> dict[str, Any]:
    """The statement. `run` has its entry and suite at hand. Some ten queries, however many
    attempts there are."""
    loaded = load_attempts(run)
    trajectories = digest_trajectories(run, loaded)
    attempts = [tell_attempt(one, trajectories[one.attempt.pk]) for one in loaded]
    return {
        "_type": STATEMENT_TYPE,
        "subject": list(list_subjects(attempts)),
        "predicateType": RUN_PREDICATE,
        "predicate": {
            "format": FORMAT,
            "run": run.pk,
            "state": state_of(run),
            "entry": {
                "slug": run.entry.slug,
                "name": run.entry.name,
                "model_name": run.entry.model_name,
                "action_format": run.entry.action_format,
                "sampling": run.sampling,
            },
            "suite": {
                "name": run.suite.name,
                "version": run.suite.version,
                "digest": run.suite.digest,
                "categories": [category["key"] for category in run.suite.categories],
            },
            "seed": run.seed,
            "limits": run.limits,
            "environment": run.environment,
            "code": read_code_version(),
            "attempts": attempts,
            "figures": tell_figures(run),
            "ledger": dict(vars(read_head())),
        },
    }


def digest_trajectories(run: Run, loaded: Sequence[AttemptEvidence]) -> dict[int, str]:
    """SHA-256 of each attempt's file. One query for all steps, which are read a few at a time."""
    by_attempt = {one.attempt.pk: one for one in loaded}
    digests: dict[int, str] = {}
    steps = Step.objects.filter(attempt__run=run).order_by("attempt_id", "try_number", "index")
    rows = steps.values_list("attempt_id", "try_number", "body").iterator(STEPS_AT_ONCE)
    waiting: list[tuple[int, int, bytes | memoryview]] = []  # the first row of the next attempt

    def bodies_of(one: AttemptEvidence) -> Iterator[bytes]:
        while row := (waiting.pop() if waiting else next(rows, None)):
            if row[0] != one.attempt.pk:
                waiting.append(row)
                return
            if row[1] == one.attempt.counted_try:
                yield bytes(row[2])

    for pk in sorted(by_attempt):
        digest = hashlib.sha256()
        for piece in write_trajectory(by_attempt[pk], bodies_of(by_attempt[pk])):
            digest.update(piece)
        digests[pk] = digest.hexdigest()
    return digests


def tell_attempt(one: AttemptEvidence, trajectory: str) -> dict[str, Any]:
    attempt, verdict = one.attempt, one.verdict
    opening = unpack(attempt.opening) or {}
    return {
        "task": one.task,
        "task_digest": attempt.task.digest,
        "category": attempt.category,
        "number": attempt.number,
        "outcome": attempt.outcome,
        "passed": attempt.passed,
        "turns": attempt.turns,
        "prompt_sha256": digest_of(canonical(opening.get("messages") or [])),
        "inputs": {str(f["path"]): str(f["sha256"]) for f in opening.get("inputs") or ()},
        "trajectory_sha256": trajectory,
        "verdict_sha256": digest_of(write_verdict(verdict)) if verdict else None,
        "check_version": verdict.check_version if verdict else None,
        "outputs": [
            {"path": file.path, "sha256": file.blob_id, "size_bytes": file.blob.size_bytes}
            for file in one.outputs
            if file.blob is not None
        ],
    }


def write_verdict(verdict: Verdict) -> bytes:
    """The verdict's file in a bundle."""
    return canonical(tell_verdict(verdict))


def list_subjects(attempts: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each file of the bundle once, with its digest."""
    files: dict[str, str] = {}
    for one in attempts:
        files[trajectory_name(one["task"], one["number"])] = one["trajectory_sha256"]
        if one["verdict_sha256"]:
            files[verdict_name(one["task"], one["number"])] = one["verdict_sha256"]
        files |= {file_name(out["sha256"]): out["sha256"] for out in one["outputs"]}
    return ({"name": name, "digest": {"sha256": sha}} for name, sha in files.items())


def tell_figures(run: Run) -> dict[str, Any]:
    """The run's row on the board, and the same by category; "" is all of them."""
    rows: dict[str, Any] = defaultdict(dict)
    for row in RunSummary.objects.filter(run=run).values("category", *FIGURES):
        rows[row.pop("category")] = row
    return dict(rows)


@cache
def read_code_version() -> str:
    """The checkout's commit, or "unknown" where the code was installed without one."""
    folder = Path(settings.BASE_DIR, ".git")
    try:
        if folder.is_file():  # a linked work tree
            folder = Path(folder.read_text("utf-8").removeprefix("gitdir:").strip())
        head = (folder / "HEAD").read_text("utf-8").strip()
        if not head.startswith("ref: "):
            return head[:40]
        return find_reference(folder, head.removeprefix("ref: ")) or UNKNOWN
    except (OSError, UnicodeDecodeError):
        return UNKNOWN


def find_reference(folder: Path, name: str) -> str:
    """The commit of a branch, loose or packed; "" if there is none."""
    shared = folder / "commondir"
    places = [folder, folder / shared.read_text("utf-8").strip()] if shared.exists() else [folder]
    for place in places:
        if (place / name).is_file():
            return (place / name).read_text("utf-8").strip()[:40]
        if (place / "packed-refs").is_file():
            for line in (place / "packed-refs").read_text("utf-8").splitlines():
                if line.endswith(f" {name}"):
                    return line[:40]
    return ""
