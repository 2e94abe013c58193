"""Grams of the solutions that are published with a suite: its references, and their styles."""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from leaderboard.models import Suite, Task
from leaderboard.models.statements import get
from leaderboard.reviews.resemblance import Grams, grams_of
from runner.contract import ProblemError
from runner.suite.placeholders import PLACEHOLDER
from runner.suite.proof_file import read_constants
from runner.suite.task_file import read_module

log = logging.getLogger(__name__)


def published_grams(task: Task) -> tuple[Grams, ...]:
    """One set for each solution; none for a task whose file is not at hand."""
    return read_grams(Path(settings.SUITES), task.suite_id, task.key, task.digest)


@lru_cache(maxsize=1024)
def read_grams(suites: Path, suite_id: int, key: str, digest: str) -> tuple[Grams, ...]:
    """`digest` makes a changed task be read anew, and tells suites of one number apart."""
    suite = get(Suite, id=suite_id).name
    name = f"{key.replace('-', '_')}.py"
    task_file, proof_file = (suites / suite / room / name for room in ("tasks", "proofs"))
    try:
        solutions = [read_module(task_file)[0].get("REFERENCE")]
        if proof_file.is_file():
            solutions += read_constants(proof_file).get("STYLES", {}).values()
    except (ProblemError, OSError) as error:
        log.info("the solutions of %s cannot be read: %s", task_file.name, error)
        return ()
    cells = [s["cells"] for s in solutions if isinstance(s, dict) and s.get("cells")]
    return tuple(grams_of(PLACEHOLDER.sub(r"\1", cell) for cell in one) for one in cells)
