"""Kinds of entries of the ledger, in the words of its page."""

from __future__ import annotations

from enum import StrEnum


class ActKind(StrEnum):
    """Kind of an act. A word that is in use never changes: it is in the chain."""

    SUITE = "suite changed"
    SEASON = "season opened"
    ENTRY = "entry made"
    STARTED = "run started"
    SEALED = "run sealed"
    PUBLISHED = "run published"
    WITHDRAWN = "run withdrawn"
    RULING = "ruling"
    ERRATUM = "erratum"
    RESCORED = "re-scored"  # of earlier versions
    JUDGED = "run judged"  # of earlier versions, as the next
    JUDGED_ANEW = "judged anew"
    VERIFIED = "run verified"
    AUDIT = "audit allowed"  # of earlier versions, as the next
    AUDIT_END = "audit ended"
    PRICES = "prices changed"
    SNAPSHOT = "snapshot"
    WITHHELD = "withheld"  # of a run that was private then: its own kind is in the payload


KINDS = tuple(str(kind) for kind in ActKind)
