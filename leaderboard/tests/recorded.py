"""The recorded trajectories of PyBench, where this machine has them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


def recorded() -> bytes:
    """The bytes of trajectory.jsonl; skips the test where there is none."""
    file = recorded_file()
    if file is None:
        pytest.skip("no trajectory.jsonl: set PYBENCH_UPSTREAM to a folder that holds it")
    return file.read_bytes()


def recorded_file() -> Path | None:
    """The recorded trajectories, beside an upstream checkout or beside the repository."""
    checkout = os.environ.get("PYBENCH_UPSTREAM")
    places = [REPOSITORY.parent / "shared" / "pybench"]
    if checkout:
        places = [Path(checkout), Path(checkout).parent / "shared" / "pybench", *places]
    files = (place / "trajectory.jsonl" for place in places)
    return next((file for file in files if file.is_file()), None)
