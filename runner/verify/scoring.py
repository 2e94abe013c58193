"""Stored outputs of a run judged again here, in the sandbox, by this checkout's own checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from runner.contract import ProblemError
from runner.evidence.statement import file_name, trajectory_name
from runner.rejudging import Rejudged, StoredResult, judge_stored
from runner.suite.reader import Suite
from runner.task_code.verdict import check_version
from runner.verify.bundle import MAX_FILE_BYTES, Bundle
from runner.verify.claims import ClaimedAttempt, ClaimedRun, bad_manifest

MAX_OUTPUT_BYTES = 4 << 30  # of all attempts together


@dataclass(frozen=True)
class JudgedAgain:
    """An attempt, and its verdict here. `why_not` says why there is none."""

    claim: ClaimedAttempt
    passed: bool | None
    sentence: str = ""
    why_not: str = ""

    @property
    def is_different(self) -> bool:
        return not self.why_not and self.passed != self.claim.passed


def score_all(
    suite: Suite,
    run: ClaimedRun,
    bundle: Bundle,
    scratch: Path,
    jobs: int,
    report: Callable[[Rejudged], None],
) -> list[JudgedAgain]:
    """Every attempt in the manifest's order; those without a verdict there are left out."""
    judged = [one for one in run.attempts if one.passed is not None]
    reasons = {one.key: why_unscored(suite, one) for one in judged}
    left = MAX_OUTPUT_BYTES
    stored: list[StoredResult] = []
    playable = [one for one in judged if not reasons[one.key]]
    for place, one in enumerate(playable):
        folder = scratch / f"outputs-{place}"
        left -= unpack_outputs(one, bundle, folder, left)
        answer = read_answer(one, bundle)
        task = suite.task(one.task)
        stored.append(StoredResult(task, run.seed, dict(one.inputs), folder, answer))
    rejudged = judge_stored(suite, stored, scratch, jobs, report)
    found = {one.key: verdict for one, verdict in zip(playable, rejudged, strict=True)}
    return [tell(one, reasons[one.key], found.get(one.key)) for one in judged]


def tell(claim: ClaimedAttempt, why_not: str, found: Rejudged | None) -> JudgedAgain:
    if found is None or found.verdict is None:
        return JudgedAgain(claim, None, why_not=why_not or (found.problem if found else ""))
    return JudgedAgain(claim, found.verdict.passed, found.verdict.sentence)


def why_unscored(suite: Suite, one: ClaimedAttempt) -> str:
    """Why the attempt cannot be judged here; "" if it can."""
    try:
        task = suite.task(one.task)
    except ProblemError:
        return "this checkout does not have the task"
    if task.unavailable:
        return f"the task cannot be played here: {task.unavailable}"
    if check_version(task) != one.check_version:
        return "this checkout has another version of its check"
    return ""


def unpack_outputs(one: ClaimedAttempt, bundle: Bundle, folder: Path, most_bytes: int) -> int:
    """Write the attempt's files below `folder`; how many bytes. Their paths were checked."""
    folder.mkdir()
    size = 0
    for file in one.outputs:
        try:
            size += write_output(folder / file.path, bundle, file.sha256, most_bytes - size)
        except OSError as error:
            raise bad_manifest(f"{file.path[:80]!a} cannot be written ({error.strerror})") from None
    return size


def write_output(path: Path, bundle: Bundle, sha256: str, most_bytes: int) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with path.open("xb") as target:
        for piece in bundle.pieces(file_name(sha256), min(MAX_FILE_BYTES, most_bytes)):
            size += target.write(piece)
    return size


def read_answer(one: ClaimedAttempt, bundle: Bundle) -> str | None:
    trajectory = bundle.read_json(trajectory_name(one.task, one.number))
    closing = trajectory.get("closing") if isinstance(trajectory, dict) else None
    answer = closing.get("answer") if isinstance(closing, dict) else None
    return answer if isinstance(answer, str) else None
