"""Entries of the ledger as anybody can read them: payloads of runs that are not public withheld."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from leaderboard.ledger.kinds import ActKind
from leaderboard.models import LedgerAct, LedgerEntry, LedgerPayload, Run
from runner.evidence.chain import HEAD, ChainHead, find_breaks

ROWS_AT_ONCE = 2_000
PAGE_ROWS = 50


@dataclass(frozen=True)
class PublicEntry:
    """An entry with its payload where that can be read."""

    entry: LedgerEntry
    body: str | None  # canonical JSON; None: withheld
    run_number: int | None = None  # of a run that is public

    @property
    def told(self) -> dict[str, Any]:
        """Kind, subject, actor and facts, as far as they are public."""
        stored: dict[str, Any] = json.loads(self.body) if self.body else {}
        names = ("kind", "subject", "actor")
        head = {name: stored.get(name, getattr(self.entry, name)) for name in names}
        return {**head, "facts": stored.get("facts", {})}

    @property
    def is_withheld(self) -> bool:
        return self.body is None

    @property
    def was_private(self) -> bool:
        """True if its head names nobody, because its run was private then."""
        return self.entry.kind == ActKind.WITHHELD

    def as_json(self) -> dict[str, Any]:
        """A line of the export."""
        return {
            **{name: getattr(self.entry, name) for name in HEAD},
            "chain": self.entry.chain,
            "payload": self.body,
        }


@dataclass(frozen=True)
class LedgerPage:
    """A window of the ledger, newest first."""

    entries: list[PublicEntry]
    before: int | None  # the next window is before this number; None: there is none
    faults: list[str]  # of the window's chain

    @property
    def head(self) -> LedgerEntry | None:
        return self.entries[0].entry if self.entries else None


def read_page(kind: str = "", before: int = 0, size: int = PAGE_ROWS) -> LedgerPage:
    """So many entries before a number (0: the newest), of one kind if any. Three or four queries.

    The chain of the window is verified, from the entry before it on.
    """
    rows = LedgerEntry.objects.order_by("-number")
    rows = rows.filter(kind=kind) if kind else rows
    found = list((rows.filter(number__lt=before) if before else rows)[: size + 1])
    shown = read_payloads(found[:size])
    more = found[size - 1].number if len(found) > size else None
    return LedgerPage(shown, more, verify_window(shown))


def verify_window(shown: list[PublicEntry]) -> list[str]:
    """Faults of entries that are shown, each against the one before it. One query."""
    numbers = [one.entry.number - 1 for one in shown]
    chains = dict(LedgerEntry.objects.filter(number__in=numbers).values_list("number", "chain"))
    faults = []
    for one in shown:
        before = one.entry.number - 1
        head = ChainHead(before, chains.get(before, "?")) if before else ChainHead()
        row = {**vars(one.entry), "payload": one.body}
        faults += [*find_breaks([row], head)]
    return faults


def read_payloads(entries: Iterable[LedgerEntry]) -> list[PublicEntry]:
    """The entries with their payloads. Two queries."""
    listed = list(entries)
    numbers = [entry.number for entry in listed]
    stored = {row.number: row for row in LedgerPayload.objects.filter(number__in=numbers)}
    runs = {row.run_number for row in stored.values() if row.run_number is not None}
    shown = set(Run.objects.on_board().filter(pk__in=runs).values_list("pk", flat=True))
    return [show(entry, stored.get(entry.number), shown) for entry in listed]


def show(entry: LedgerEntry, payload: LedgerPayload | None, public_runs: set[int]) -> PublicEntry:
    if payload is None or not payload.is_open:
        return PublicEntry(entry, None)
    if payload.run_number is None:
        return PublicEntry(entry, payload.body)
    if payload.run_number not in public_runs:
        return PublicEntry(entry, None)
    return PublicEntry(entry, payload.body, payload.run_number)


def list_lines(after: int = 0) -> Iterator[bytes]:
    """The export: a line of JSON for each entry after this number, many lines at a time."""
    while entries := list(read_window(after)):
        lines = (json.dumps(entry.as_json()) for entry in read_payloads(entries))
        yield "".join(f"{line}\n" for line in lines).encode("ascii")
        after = entries[-1].number


def read_window(after: int) -> Iterable[LedgerEntry]:
    return LedgerEntry.objects.filter(number__gt=after).order_by("number")[:ROWS_AT_ONCE]


def find_ledger_faults() -> Iterator[str]:
    """A sentence for each entry that is not as the chain says, payloads included."""
    head = ChainHead()
    while entries := list(read_window(head.number)):
        numbers = [entry.number for entry in entries]
        bodies = dict(
            LedgerPayload.objects.filter(number__in=numbers).values_list("number", "body")
        )
        yield from (
            f"ledger: the payload of entry {number} is missing"
            for number in numbers
            if number not in bodies
        )
        rows = ({**vars(entry), "payload": bodies.get(entry.number)} for entry in entries)
        yield from find_breaks(rows, head)
        head = ChainHead(entries[-1].number, entries[-1].chain)


def count_waiting() -> int:
    """Acts that the next sweep numbers."""
    return LedgerAct.objects.count()
