"""Appends acts to the ledger: written with the act, numbered and chained by the sweep.

A chain has one end. Whoever extends it in the transaction of the act would hold that end until
the commit, and every other act, each result of an attempt among them, would wait. So an act only
inserts a row, which commits with it or not at all; `number_acts` gives the rows their numbers in
short transactions of its own.
"""

from __future__ import annotations

from datetime import UTC

from django.db import IntegrityError, connection, transaction

from leaderboard.models import LedgerAct, LedgerEntry, LedgerPayload
from runner.evidence.chain import START, ChainHead, digest_of, link

MAX_AT_ONCE = 500  # entries of one transaction


def number_acts() -> int:
    """Number and chain the acts that wait; how many. One query where none does.

    Of two that number at once, one gives up and leaves its acts to the next sweep.
    """
    numbered = 0
    while count := number_some():
        numbered += count
        if count < MAX_AT_ONCE:
            break
    return numbered


def number_some() -> int:
    try:
        with transaction.atomic():
            can_skip = connection.features.has_select_for_update_skip_locked
            waiting = LedgerAct.objects.select_for_update(skip_locked=can_skip).order_by("pk")
            acts = list(waiting[:MAX_AT_ONCE])
            if acts:
                write_entries(acts, read_head())
                LedgerAct.objects.filter(pk__in=[act.pk for act in acts]).delete()
            return len(acts)
    except IntegrityError:  # another sweep took the same numbers
        return 0


def write_entries(acts: list[LedgerAct], head: ChainHead) -> None:
    entries, payloads = [], []
    for act in acts:
        entry = LedgerEntry(
            number=head.number + 1,
            kind=act.kind,
            subject=act.subject,
            actor=act.actor,
            at=act.at.astimezone(UTC).isoformat(timespec="milliseconds"),
            payload_sha256=digest_of(act.payload.encode("ascii")),
        )
        entry.chain = link(head.digest, vars(entry))
        entries.append(entry)
        payloads.append(
            LedgerPayload(
                number=entry.number,
                run_number=act.run_number,
                is_open=act.is_open,
                body=act.payload,
            )
        )
        head = ChainHead(entry.number, entry.chain)
    LedgerEntry.objects.bulk_create(entries)
    LedgerPayload.objects.bulk_create(payloads)


def read_head() -> ChainHead:
    """The end of the chain. One query."""
    last = LedgerEntry.objects.order_by("-number").values_list("number", "chain").first()
    return ChainHead(*last) if last else ChainHead(0, START)
