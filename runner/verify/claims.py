"""Claims of a manifest about a run, read from its statement with every type checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, TypeVar

from runner.contract import ProblemError
from runner.evidence.statement import FORMAT, RUN_PREDICATE, STATEMENT_TYPE
from runner.suite.reader import problem

SHA256 = re.compile(r"[0-9a-f]{64}")
KEY = re.compile(r"[\w-]{1,120}", re.ASCII)
MAX_ATTEMPTS = 20_000
MAX_OUTPUTS = 2_000  # of an attempt
MAX_PATH_CHARS = 1_000
MAX_NUMBER = 2**63  # a larger one is no figure of a run, and no float holds the largest
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # by a terminal, or at all

T = TypeVar("T")
Facts = Mapping[str, Any]


@dataclass(frozen=True)
class ClaimedFile:
    """An output file of an attempt."""

    path: str
    sha256: str


@dataclass(frozen=True)
class ClaimedAttempt:
    """An attempt with its verdict and the digests of what it rests on."""

    task: str
    number: int
    category: str
    outcome: str
    passed: bool | None
    turns: int
    inputs: Mapping[str, str]
    outputs: tuple[ClaimedFile, ...]
    trajectory_sha256: str
    verdict_sha256: str | None
    check_version: str

    @property
    def key(self) -> tuple[str, int]:
        return self.task, self.number

    @property
    def name(self) -> str:
        return self.task if self.number == 1 else f"{self.task}, attempt {self.number}"


@dataclass(frozen=True)
class ClaimedRun:
    """Everything that the manifest says of a run and that can be checked."""

    run: int
    entry: str
    suite: str
    suite_version: str
    suite_digest: str
    seed: int
    max_turns: int
    attempts: tuple[ClaimedAttempt, ...]
    figures: Mapping[str, Facts]
    state: Facts  # what the ledger's entry says of the run
    subjects: Mapping[str, str]  # SHA-256 by name of file in the bundle


def read_claims(payload: bytes) -> ClaimedRun:
    """The claims of a statement. ProblemError for one of a newer version, or that is malformed."""
    try:
        statement = json.loads(payload, object_pairs_hook=refuse_twice, parse_int=read_number)
    except (ValueError, RecursionError):
        raise bad_manifest(
            "its payload is not JSON, names a fact twice, or has a number of more than 63 bits"
        ) from None
    try:
        return read_run(statement)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise bad_manifest(f"a fact is missing or of the wrong type ({error!r:.80})") from None


def bad_manifest(what: str) -> ProblemError:
    return problem(
        "bad_manifest", f"The manifest is malformed: {what}.", "Download it again from the site."
    )


def read_run(statement: Any) -> ClaimedRun:
    if statement["_type"] != STATEMENT_TYPE or statement["predicateType"] != RUN_PREDICATE:
        kind = str(statement["predicateType"])[:80]
        raise problem(
            "other_statement",
            f"The manifest is not about a run of this version of the format ({kind!a}).",
            "Update this checkout if the site is newer.",
        )
    claim = statement["predicate"]
    if typed(claim["format"], int) > FORMAT:
        raise problem(
            "newer_manifest",
            f"The manifest has format {claim['format']}; this version reads up to {FORMAT}.",
            "Update this checkout.",
        )
    attempts = typed(claim["attempts"], list)
    if len(attempts) > MAX_ATTEMPTS:
        raise bad_manifest(f"it has more than {MAX_ATTEMPTS:,} attempts")
    suite = claim["suite"]
    read = ClaimedRun(
        run=typed(claim["run"], int),
        entry=typed(claim["entry"]["name"], str),
        suite=key_of(suite["name"]),
        suite_version=word_in(suite["version"]),
        suite_digest=digest_in(suite["digest"]),
        seed=typed(claim["seed"], int),
        max_turns=typed(claim["limits"].get("max_turns", 10), int),
        attempts=tuple(map(read_attempt, attempts)),
        figures={word_in(k): dict(row) for k, row in claim["figures"].items()},
        state=typed(claim["state"], dict),
        subjects={
            typed(one["name"], str): digest_in(one["digest"]["sha256"])
            for one in typed(statement["subject"], list)
        },
    )
    if len({(one.task, one.number) for one in read.attempts}) != len(read.attempts):
        raise bad_manifest("it has an attempt twice")
    return read


def read_attempt(one: Facts) -> ClaimedAttempt:
    outputs = typed(one["outputs"], list)
    if len(outputs) > MAX_OUTPUTS:
        raise bad_manifest(f"an attempt has more than {MAX_OUTPUTS:,} files")
    verdict = one["verdict_sha256"]
    passed = one["passed"]
    return ClaimedAttempt(
        task=key_of(one["task"]),
        number=typed(one["number"], int),
        category=word_in(one["category"]),
        outcome=typed(one["outcome"], str),
        passed=passed if passed is None else typed(passed, bool),
        turns=typed(one["turns"], int),
        inputs={typed(name, str): digest_in(sha) for name, sha in one["inputs"].items()},
        outputs=tuple(
            ClaimedFile(check_path(typed(file["path"], str)), digest_in(file["sha256"]))
            for file in outputs
        ),
        trajectory_sha256=digest_in(one["trajectory_sha256"]),
        verdict_sha256=None if verdict is None else digest_in(verdict),
        check_version=typed(one["check_version"] or "", str),
    )


def refuse_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. ValueError for a key given twice, of which each reader takes another."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


def check_path(path: str) -> str:
    """A relative path that stays in its folder. Raises ProblemError."""
    parts = PurePosixPath(path).parts
    is_inside = parts and not path.startswith("/") and not {"..", "/"} & set(parts)
    is_text = "\0" not in path and not any("\ud800" <= char <= "\udfff" for char in path)
    if not is_inside or not is_text or len(path) > MAX_PATH_CHARS:
        raise bad_manifest(f"a path leaves its folder ({path[:80]!a})")
    return path


def typed(value: Any, kind: type[T]) -> T:
    if type(value) is not kind:
        raise TypeError(f"{str(value)[:40]} is not of type {kind.__name__}")
    return value


def read_number(digits: str) -> int:
    number = int(digits)
    if abs(number) >= MAX_NUMBER:
        raise ValueError("a number is too large")
    return number


def word_in(value: Any) -> str:
    """A text that can be printed on a terminal."""
    if UNPRINTABLE.search(typed(value, str)):
        raise ValueError(f"{str(value)[:40]!a} cannot be printed")
    return str(value)


def key_of(value: Any) -> str:
    if not KEY.fullmatch(typed(value, str)):
        raise ValueError(f"{str(value)[:40]!a} is not a key")
    return str(value)


def digest_in(value: Any) -> str:
    if not SHA256.fullmatch(typed(value, str)):
        raise ValueError(f"{str(value)[:40]!a} is not a SHA-256")
    return str(value)
