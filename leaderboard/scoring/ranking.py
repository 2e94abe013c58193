"""The order of the board: pure, the same for page, API and export."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

RATE_DECIMALS = 9  # rates that differ by less are the same sum in another order
LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class PlayedRun:
    """Facts about one run of a model on all tasks of a suite version that ranking needs."""

    run_id: int
    entry_id: int
    rate: float  # share of tasks passed under strict checks
    is_complete: bool  # every attempt has a verdict
    is_public: bool = True
    created_at: datetime = LONG_AGO
    withdrawn_at: datetime | None = None
    model: Hashable = None  # `name_model`; None: the entry alone

    @property
    def is_shown(self) -> bool:
        return self.is_public and self.withdrawn_at is None


@dataclass(frozen=True)
class RankedEntry:
    """An entry with its place among others: it ranks by the mean of its runs that count."""

    runs: tuple[int, ...]  # their numbers, newest first
    rate: float
    not_shown: int  # other runs of this model by its owner, over or paused, that are not public
    incomplete: int = 0  # public ones without a verdict on every attempt

    @property
    def run_id(self) -> int:
        """The newest of its runs, which stands for the entry on the board."""
        return self.runs[0]


def name_model(owner: int | None, name: str) -> Hashable:
    """Whose model it is and what it is called, as it may be written; None without an owner.

    Wherever it is asked and with whatever settings. Another name may be another model, and one of
    another owner is another person's: neither can be decided from here.
    """
    written = write_model(name)
    return (owner, written) if owner and written else None


def write_model(name: str) -> str:
    """A model's name without the differences that capitals and blanks make."""
    return " ".join(name.split()).casefold()


def competition_ranks(rates: Sequence[float]) -> list[int]:
    """The place of each rate, best first: equal rates share a place, and the next is skipped."""
    ordered = sorted(rates, reverse=True)
    first = {rate: place for place, rate in reversed([*enumerate(ordered, 1)])}
    return [first[rate] for rate in rates]


def rank_entries(runs: Iterable[PlayedRun]) -> list[RankedEntry]:
    """The entries that rank, each by the mean of its complete public runs, in order of appearance.

    Neither the best nor the latest: a choice among several runs would gain. Withdrawing one takes
    all earlier runs of its entry out as well, until it is published again: those that are left
    would be a choice. Runs that are not shown or not complete count in no rate, but are counted.
    """
    played = [*runs]
    hidden = Counter(model_of(run) for run in played if not run.is_shown)
    broken = Counter(model_of(run) for run in played if run.is_shown and not run.is_complete)
    began: dict[int, datetime] = {}
    for run in played:
        if run.withdrawn_at and run.is_complete:
            began[run.entry_id] = max(run.withdrawn_at, began.get(run.entry_id, LONG_AGO))
    counted: dict[int, list[PlayedRun]] = defaultdict(list)
    for run in played:
        is_later = run.entry_id not in began or run.created_at > began[run.entry_id]
        if run.is_shown and run.is_complete and is_later:
            counted[run.entry_id].append(run)
    return [
        RankedEntry(
            tuple(sorted((run.run_id for run in each), reverse=True)),
            round(sum(run.rate for run in each) / len(each), RATE_DECIMALS),
            hidden[model_of(each[0])],
            broken[model_of(each[0])],
        )
        for each in counted.values()
    ]


def model_of(run: PlayedRun) -> Hashable:
    return run.entry_id if run.model is None else run.model
