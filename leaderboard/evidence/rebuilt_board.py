"""Boards made anew from an exported ledger alone, with the ranks that the site computes.

An entry is read once and forgotten: what is kept grows with the runs, not with the entries.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from leaderboard.ledger.kinds import ActKind
from leaderboard.models import RunReview
from leaderboard.scoring.ranking import RATE_DECIMALS, PlayedRun, rank_entries
from leaderboard.scoring.standings import NEVER_RANKED, Place, average_rows, place_table
from runner.contract import Fault, Problem, ProblemError, Status
from runner.evidence.chain import ChainHead, fault_of, read_entry
from runner.run_figures import pass_interval

USED = frozenset({ActKind.SUITE, ActKind.SEASON, ActKind.SEALED, ActKind.RULING})
RANKS = ("rank", "rank_low", "rank_high", "lead_needed")
MAX_LINE_BYTES = 16 << 20
NUMBERS = ("run", "seed")  # of a sealed run; its other facts are texts

Facts = Mapping[str, Any]


@dataclass
class LedgerSuite:
    """A suite as the last entry about it has it."""

    tasks: list[str] = field(default_factory=list)
    seeds: set[int] = field(default_factory=set)


@dataclass(slots=True)
class LedgerRun:
    """A run as it was sealed last."""

    run: int
    suite: str
    seed: int
    entry: str
    name: str
    organisation: str
    provenance: str
    status: str
    outcomes: str
    is_comparable: bool = True

    @property
    def means(self) -> list[float]:
        """Per task the share of attempts that passed; nothing for a run that is not complete."""
        tasks = self.outcomes.split()
        if not tasks or set("".join(tasks)) - set("pf"):
            return []
        return [letters.count("p") / len(letters) for letters in tasks]

    @property
    def attempts(self) -> int:
        """How many it has at each task."""
        return len(self.outcomes.split()[0])


@dataclass
class RebuiltLedger:
    """The boards' facts, and the end of the chain that was read."""

    suites: dict[str, LedgerSuite] = field(default_factory=lambda: defaultdict(LedgerSuite))
    runs: dict[int, LedgerRun] = field(default_factory=dict)
    reviews: dict[int, str] = field(default_factory=dict)
    head: ChainHead = field(default_factory=ChainHead)
    withheld: int = 0

    def add(self, kind: str, facts: Facts) -> None:
        if kind in (ActKind.SUITE, ActKind.SEASON):
            suite = self.suites[str(facts["suite"])]
            suite.tasks = [str(key) for key in facts["tasks"]]
            suite.seeds = {int(seed) for seed in (facts["seed"], *facts["past_seeds"])}
        elif kind == ActKind.SEALED:
            run = read_run(facts)
            self.runs[run.run] = run
        elif "review" in facts:
            self.reviews[int(facts["run"])] = str(facts["review"])


def read_run(facts: Facts) -> LedgerRun:
    """A sealed run. Raises KeyError or TypeError for a fact that is missing or of another type."""
    names = LedgerRun.__dataclass_fields__.keys() - {"is_comparable"}
    found = {name: facts[name] for name in names}
    for name, value in found.items():
        if type(value) is not (int if name in NUMBERS else str):
            raise TypeError(f"“{name}” is of another type")
    return LedgerRun(**found, is_comparable=not facts.get("not_comparable"))


def read_ledger(lines: Iterable[bytes]) -> RebuiltLedger:
    """Verify the chain of an export and keep what boards need. ProblemError for a fault."""
    ledger = RebuiltLedger()
    for number, line in enumerate(lines, 1):
        entry = read_line(line, number)
        if fault := fault_of(entry, ledger.head):
            raise refusal(f"Line {number}: {fault}.")
        ledger.head = ChainHead(entry["number"], entry["chain"])
        ledger.withheld += entry.get("payload") is None
        if entry.get("payload") is not None and entry["kind"] in (*USED, ActKind.WITHHELD):
            add_payload(ledger, entry, number)
    return ledger


def add_payload(ledger: RebuiltLedger, entry: Facts, number: int) -> None:
    try:
        payload = json.loads(entry["payload"])
        if payload["kind"] in USED:
            ledger.add(payload["kind"], payload["facts"])
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise refusal(f"Line {number}: its payload is not one of a ledger ({error}).") from None


def read_line(line: bytes, number: int) -> dict[str, Any]:
    entry = read_entry(line)
    if entry is None:
        raise refusal(f"Line {number} is not an entry of a ledger.")
    return entry


def read_lines(file: Any) -> Iterator[bytes]:
    """The lines of a binary file. ProblemError for one that is longer than an entry can be."""
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise refusal(f"Line {number} is longer than {MAX_LINE_BYTES >> 20} MB.")
        yield line


def refusal(what: str) -> ProblemError:
    next_step = "Export the ledger again from /ledger.jsonl, and compare the two."
    return ProblemError(Problem(Fault.SUBMITTER, "bad_ledger", what, next_step))


def list_boards(ledger: RebuiltLedger) -> Iterator[dict[str, Any]]:
    """The board of each suite and seed: ranked rows best first, then the others by number."""
    boards: dict[tuple[str, int], list[LedgerRun]] = defaultdict(list)
    for run in ledger.runs.values():
        boards[run.suite, run.seed].append(run)
    for (suite, seed), runs in sorted(boards.items()):
        places = place_runs(ledger, [run for run in runs if may_rank(ledger, run)])
        rows = [make_row(ledger, run, places.get(run.run)) for run in runs]
        rows.sort(key=lambda row: (row["run"] not in places, -(row["ut_strict"] or 0), row["run"]))
        yield {"suite": suite, "seed": seed, "rows": rows}


def may_rank(ledger: RebuiltLedger, run: LedgerRun) -> bool:
    suite = ledger.suites[run.suite]
    withheld = {RunReview.Ruling.OPEN, RunReview.Ruling.UPHELD}
    return (
        run.status == Status.DONE
        and run.is_comparable
        and run.provenance not in NEVER_RANKED
        and run.seed in suite.seeds
        and ledger.reviews.get(run.run) not in withheld
        and len(run.means) == len(suite.tasks)
    )


def place_runs(ledger: RebuiltLedger, runs: list[LedgerRun]) -> dict[int, Place]:
    entries = {slug: number for number, slug in enumerate({run.entry: 0 for run in runs})}
    ranked = rank_entries(
        PlayedRun(run.run, entries[run.entry], rate_of(run), is_complete=True)
        for run in sorted(runs, key=lambda run: run.run)
    )
    means = {
        entry.run_id: average_rows([ledger.runs[run].means for run in entry.runs])
        for entry in ranked
    }
    attempts = {
        entry.run_id: sum(ledger.runs[run].attempts for run in entry.runs) for entry in ranked
    }
    places = place_table(means, attempts) if means else {}
    return {one.run_id: replace(places[one.run_id], runs=[*one.runs]) for one in ranked}


def rate_of(run: LedgerRun) -> float:
    return round(sum(run.means) / len(run.means), RATE_DECIMALS)


def make_row(ledger: RebuiltLedger, run: LedgerRun, place: Place | None) -> dict[str, Any]:
    """A row, with a place that of its entry. Rates are shares of 1; None for a run without a
    verdict on each attempt."""
    counted = [ledger.runs[number] for number in place.runs] if place else [run]
    outcomes = "".join(one.outcomes for one in counted)
    letters, means = outcomes.replace(" ", "").replace("-", ""), run.means
    if means:
        means = average_rows([one.means for one in counted])
    rate = sum(means) / len(means) if means else None
    low, high = pass_interval(means, len(letters)) if means else (None, None)
    is_told = place is not None and place.rank_low is not None  # few tasks have counts alone
    ranks = {name: getattr(place, name) if is_told else None for name in RANKS}
    return {
        **ranks,
        "runs": place.runs if place else None,
        "run": run.run,
        "entry": run.name,
        "organisation": run.organisation,
        "provenance": run.provenance,
        "status": run.status,
        "passed": letters.count("p"),
        "failed": letters.count("f"),
        "void": letters.count("v"),
        "ut_strict": rate,
        "ut_strict_low": low,
        "ut_strict_high": high,
    }
