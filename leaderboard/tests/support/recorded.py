"""The recorded trajectories of PyBench, where this machine has them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]


def recorded() -> bytes:
    """The bytes of trajectory.jsonl; skips the test where there is none."""
    checkout = os.environ.get("PYBENCH_UPSTREAM")
    places = [REPOSITORY.parent / "shared" / "pybench"]
    if checkout:
        places = [Path(checkout), Path(checkout).parent / "shared" / "pybench", *places]
    for place in places:
        if (place / "trajectory.jsonl").is_file():
            return (place / "trajectory.jsonl").read_bytes()
    pytest.skip("no trajectory.jsonl: set PYBENCH_UPSTREAM to a folder that holds it")
