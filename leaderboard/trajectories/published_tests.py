"""UT (paper): a run's outputs and conversations put to the tests its suite was published with."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F

from leaderboard.models import Artifact, Attempt, Run, Verdict, clean, pack
from leaderboard.suites.health import index_of
from leaderboard.trajectories.export import trajectory_of
from leaderboard.trajectories.formats.pybench_jsonl import pybench_row
from runner.contract import Fault, Problem, ProblemError, Status
from runner.task_code import published_tests
from runner.task_code.published_tests import PaperResult

KIND = "paper"


def score_run(run: Run, checkout: Path) -> Run:
    """Run the checkout's tests over everything that `run` left, and store what they say.

    Only the first attempt at each task counts, as the tests know but one. Raises ProblemError
    when the checkout has no tests, or the run has nothing that they could look at.
    """
    source = published_tests.read_tests(checkout)
    attempts = {index_of(a.task.key): a for a in attempts_of(run) if index_of(a.task.key)}
    if not attempts:
        raise refusal(f"Run {run.pk} has no finished attempt at a task with an upstream index.")
    messages = {i: pybench_row(trajectory_of(a))["messages"] for i, a in attempts.items()}
    with tempfile.TemporaryDirectory(prefix="paper-outputs-") as scratch:
        outputs = [
            entry
            for place, attempt in enumerate(attempts.values())
            for entry in fetch_outputs(attempt, Path(scratch) / str(place))
        ]
        results = published_tests.score(checkout, messages, outputs)
    keep(run, attempts, results, published_tests.digest_of_tests(source))
    return run


def attempts_of(run: Run) -> list[Attempt]:
    """The first attempts at each task that are over and say something, in the tasks' order."""
    found = run.attempts.filter(status=Status.DONE, number=1).order_by("task__position")
    related = found.select_related("run__entry", "run__suite", "task__suite")
    return [attempt for attempt in related if not attempt.is_void]


def refusal(what: str) -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, "no_paper_score", what, "Nothing was changed."))


def fetch_outputs(attempt: Attempt, folder: Path) -> list[tuple[str, Path]]:
    """The attempt's output files, copied from the store into `folder`: (path, file)."""
    folder.mkdir()
    rows = attempt.artifacts.filter(
        role=Artifact.Role.OUTPUT, try_number=attempt.counted_try, blob__isnull=False
    ).select_related("blob")
    found = []
    for place, row in enumerate(rows):
        assert row.blob
        path = folder / str(place)
        with default_storage.open(row.blob.storage_name) as stored, path.open("wb") as file:
            shutil.copyfileobj(stored, file)
        found.append((row.path, path))
    return found


@transaction.atomic
def keep(
    run: Run, attempts: Mapping[str, Attempt], results: Mapping[str, PaperResult], digest: str
) -> None:
    """The verdicts as rows of their own kind, and the counts on the run."""
    for index, result in results.items():
        if result.passed is None:
            continue
        Verdict.objects.update_or_create(
            attempt=attempts[index],
            kind=KIND,
            check_version=digest,
            defaults={
                "try_number": attempts[index].tries,
                "passed": result.passed,
                "sentence": clean(result.sentence),
                "body": pack([]),
            },
        )
    tested = [result for result in results.values() if result.passed is not None]
    run.paper = {
        "passed": sum(result.passed is True for result in tested),
        "tests": len(tested),
        "of": len(results),
        "digest": digest,
    }
    run.save(update_fields=["paper"])
    Run.objects.filter(pk=run.pk).update(sequence=F("sequence") + 1)
