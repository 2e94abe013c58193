"""Claims of a manifest about a run, read from its statement with every type checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)

from runner.contract import ProblemError
from runner.evidence.statement import FORMAT, RUN_PREDICATE, STATEMENT_TYPE
from runner.suite.reader import problem

MAX_ATTEMPTS = 20_000
MAX_OUTPUTS = 2_000  # of an attempt
MAX_PATH_CHARS = 1_000
MAX_NUMBER = 2**63  # a larger one is no figure of a run, and no float holds the largest
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # by a terminal, or at all


def require_printable(text: Any) -> Any:
    if isinstance(text, str) and UNPRINTABLE.search(text):
        raise ValueError(f"{text[:40]!a} cannot be printed")
    return text


def require_inside(path: str) -> str:
    """A relative path that stays in its folder. ValueError for any other."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or {"..", "/"} & set(parts) or "\0" in path:
        raise ValueError(f"a path leaves its folder ({path[:80]!a})")
    return path


Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,120}$")]
Word = Annotated[str, BeforeValidator(require_printable)]
FilePath = Annotated[str, Field(max_length=MAX_PATH_CHARS), AfterValidator(require_inside)]
Facts = Mapping[str, Any]


class StrictModel(BaseModel):
    """Facts of the manifest, each of the very type that it must have."""

    model_config = ConfigDict(strict=True, frozen=True)


class ClaimedFile(StrictModel):
    """An output file of an attempt."""

    path: FilePath
    sha256: Digest


class ClaimedAttempt(StrictModel):
    """An attempt with its verdict and the digests of what it rests on."""

    task: Key
    number: int
    category: Word
    outcome: str
    passed: bool | None
    turns: int
    inputs: dict[str, Digest]
    outputs: Annotated[list[ClaimedFile], Field(max_length=MAX_OUTPUTS)]
    trajectory_sha256: Digest
    verdict_sha256: Digest | None
    check_version: Annotated[str, BeforeValidator(lambda said: said or "")]

    @property
    def key(self) -> tuple[str, int]:
        return self.task, self.number

    @property
    def name(self) -> str:
        return self.task if self.number == 1 else f"{self.task}, attempt {self.number}"


class ClaimedRun(StrictModel):
    """Everything that the manifest says of a run and that can be checked."""

    run: int
    entry: str = Field(validation_alias=AliasPath("entry", "name"))
    suite: Key = Field(validation_alias=AliasPath("suite", "name"))
    suite_version: Word = Field(validation_alias=AliasPath("suite", "version"))
    suite_digest: Digest = Field(validation_alias=AliasPath("suite", "digest"))
    seed: int
    max_turns: int = Field(10, validation_alias=AliasPath("limits", "max_turns"))
    attempts: Annotated[list[ClaimedAttempt], Field(max_length=MAX_ATTEMPTS)]
    figures: dict[Word, dict[str, Any]]
    state: dict[str, Any]  # what the ledger's entry says of the run
    subjects: dict[str, Digest]  # SHA-256 by name of file in the bundle


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
    except ValidationError as error:
        found = error.errors(include_input=False)[0]
        place = ".".join(map(str, found["loc"]))
        why = f"{place[:80]!a}: {found['msg']}"
    except (KeyError, TypeError, AttributeError) as error:
        why = f"{error!r:.80}"
    raise bad_manifest(f"a fact is missing or of the wrong type ({why})")


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
    if claim["format"] > FORMAT:
        raise problem(
            "newer_manifest",
            f"The manifest has format {claim['format']}; this version reads up to {FORMAT}.",
            "Update this checkout.",
        )
    subjects = {one["name"]: one["digest"]["sha256"] for one in statement["subject"]}
    read = ClaimedRun.model_validate({**claim, "subjects": subjects})
    if len({one.key for one in read.attempts}) != len(read.attempts):
        raise bad_manifest("it has an attempt twice")
    return read


def refuse_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. ValueError for a key given twice, of which each reader takes another."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


def read_number(digits: str) -> int:
    number = int(digits)
    if abs(number) >= MAX_NUMBER:
        raise ValueError("a number is too large")
    return number
