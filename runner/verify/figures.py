"""Figures of a run computed from its attempts, and where they are not those of the manifest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isclose
from typing import Any

from runner.evidence.chain import canonical, digest_of
from runner.run_figures import pass_interval
from runner.verify.claims import ClaimedAttempt, ClaimedRun

OVERALL = ""
WITHOUT_VERDICT = ("void", "open")  # computed as one: a verifier cannot tell them apart
LETTERS: Mapping[bool | None, str] = {True: "p", False: "f", None: "v"}
NO_ATTEMPT = "-"
Verdicts = Mapping[tuple[str, int], bool | None]
Figure = float | int | None


def compute(
    attempts: Sequence[ClaimedAttempt], verdicts: Verdicts, max_turns: int
) -> dict[str, dict[str, Figure]]:
    """By category, and "" for all: each figure of the run's row. `verdicts` count, not claims."""
    rows: dict[str, list[ClaimedAttempt]] = defaultdict(list, {OVERALL: []})
    for attempt in attempts:
        rows[OVERALL].append(attempt)
        rows[attempt.category].append(attempt)
    return {category: compute_row(each, verdicts, max_turns) for category, each in rows.items()}


def compute_row(
    attempts: Iterable[ClaimedAttempt], verdicts: Verdicts, max_turns: int
) -> dict[str, Figure]:
    by_task: dict[str, list[bool | None]] = defaultdict(list)
    turns: list[int] = []
    for one in attempts:
        passed = verdicts[one.task, one.number]
        by_task[one.task].append(passed)
        if passed is not None:
            turns.append(one.turns if passed else max_turns)
    all_verdicts = [verdict for each in by_task.values() for verdict in each]
    shares = [each.count(True) / len(each) for each in by_task.values()]
    rate = sum(shares) / len(shares) if shares else 0.0
    low, high = pass_interval(shares, len(all_verdicts))
    return {
        "tasks": len(by_task),
        "attempts": len(all_verdicts),
        "passed": all_verdicts.count(True),
        "failed": all_verdicts.count(False),
        "without a verdict": all_verdicts.count(None),
        "rate": rate,
        "low": low,
        "high": high,
        "turns": sum(turns) / len(turns) if turns else None,
    }


def find_differences(
    claimed: Mapping[str, Mapping[str, Any]], computed: Mapping[str, Mapping[str, Figure]]
) -> Iterator[str]:
    """A line for each figure that is not the one claimed."""
    for category in {**computed, **claimed}:
        where = category or "the whole run"
        row = computed.get(category) or compute_row((), {}, 0)
        told = dict(claimed.get(category, {}))
        told["without a verdict"] = add(told.get(name, 0) for name in WITHOUT_VERDICT)
        for name, value in row.items():
            if name in ("low", "high") and value is None:
                continue  # of few tasks, which manifests from before have an interval of
            said = told.get(name)
            if not is_same(said, value):
                yield f"{name} of {where}: the manifest has {show(said)}, computed is {show(value)}"


def find_state_differences(run: ClaimedRun) -> Iterator[str]:
    """A line for each fact in which the run's entry of the ledger is not the run's attempts."""
    rows = [
        [one.task, one.number, one.outcome, one.passed, one.verdict_sha256] for one in run.attempts
    ]
    letters: dict[str, str] = defaultdict(str)
    for one in run.attempts:
        letters[one.task] += LETTERS[one.passed]
    entered = str(run.state.get("outcomes", "")).split()
    expected = {
        "run": run.run,
        "suite": f"{run.suite}@{run.suite_version}",
        "suite_digest": run.suite_digest,
        "seed": run.seed,
        "outcomes": " ".join(letters.values()),
        "verdicts_sha256": digest_of(canonical(rows)),
    }
    told = {**run.state, "outcomes": " ".join(each for each in entered if each != NO_ATTEMPT)}
    for name, value in expected.items():
        if told.get(name) != value:
            yield f"{name}: the ledger's entry does not have what the attempts give"


def add(values: Iterable[Any]) -> int | None:
    """The sum; None where one of them is not a number."""
    listed = list(values)
    return sum(listed) if all(type(value) is int for value in listed) else None


def is_same(said: Any, value: Figure) -> bool:
    if isinstance(said, int | float) and isinstance(value, int | float):
        return isclose(said, value, rel_tol=1e-9, abs_tol=1e-9)
    return said is None and value is None


def show(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, int | float) else str(value)[:40]
