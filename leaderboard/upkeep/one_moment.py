"""A transaction that reads the database as it was at one moment, while others write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def one_moment() -> Iterator[None]:
    """Every query inside sees the same rows. Holds nobody up, however long it takes.

    Inside another transaction it is a part of that one.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            cursor.execute("SET LOCAL statement_timeout = 0")
            yield
    else:
        with deferred_sqlite(), transaction.atomic():
            yield


@contextmanager
def deferred_sqlite() -> Iterator[None]:
    """Transactions begin without SQLite's lock for writers."""
    sqlite: Any = connection
    connection.ensure_connection()
    mode, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        sqlite.transaction_mode = mode
