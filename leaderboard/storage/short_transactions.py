"""Writes and deletes many rows in short transactions, between which others write."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from time import monotonic, sleep
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

LONGEST_S = 0.25  # of a transaction, but for the write that is under way
PAUSE_S = 0.1  # who waits for SQLite's lock looks for it that often
DELETED_AT_ONCE = 500  # rows
WRITING = threading.Lock()  # of a process, or one would write in another's pause


def write_in_short_transactions(writes: Iterable[Callable[[], object]]) -> None:
    """Call the writes in their order. An error undoes only those of its own transaction."""
    left, may_be_more = iter(writes), True
    while may_be_more:
        with WRITING:
            may_be_more = write_for_a_moment(left)
            if may_be_more:
                sleep(PAUSE_S)


@transaction.atomic
def write_for_a_moment(left: Iterable[Callable[[], object]]) -> bool:
    """True if there may be more to write."""
    until_s = monotonic() + LONGEST_S
    for write in left:
        write()
        if monotonic() > until_s:
            return True
    return False


def delete_in_short_transactions(rows: QuerySet[Any]) -> None:
    """Delete the rows, and what goes with them."""
    keys, manager = list(rows.values_list("pk", flat=True)), rows.model._base_manager
    write_in_short_transactions(
        manager.filter(pk__in=keys[begin : begin + DELETED_AT_ONCE]).delete
        for begin in range(0, len(keys), DELETED_AT_ONCE)
    )
