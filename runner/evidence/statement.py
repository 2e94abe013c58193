"""Names in an in-toto statement (v1) about a run or a board, and in its bundle."""

from __future__ import annotations

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
RUN_PREDICATE = "urn:pybench:evidence:run:1"
SNAPSHOT_PREDICATE = "urn:pybench:evidence:snapshot:1"
FORMAT = 1  # of the predicates: a reader refuses a higher one

MANIFEST = "manifest.json"
KEYS_ADDRESS = "/.well-known/pybench-keys.json"


def trajectory_name(task: str, number: int) -> str:
    return f"trajectories/{task}-{number}.json"


def verdict_name(task: str, number: int) -> str:
    return f"verdicts/{task}-{number}.json"


def file_name(sha256: str) -> str:
    """Name of an output file: by its content, so that no path that a model chose is in a bundle."""
    return f"files/{sha256}"
