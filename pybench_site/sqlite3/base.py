"""Django's backend with one transaction of this process at a time on a database.

SQLite has one writer. Whoever finds it at work sleeps, looks again and sleeps longer, so that a
thread that came first may come last. Threads of a process wait here instead, in their order, and
the next one begins when the one before has ended. Other processes still meet in SQLite.
"""

from __future__ import annotations

import os
import re
import threading
from collections import defaultdict, deque
from typing import Any

from django.db.backends.sqlite3 import base, features
from django.db.utils import OperationalError

WRITES = re.compile(r"INSERT|UPDATE|DELETE|REPLACE", re.IGNORECASE)
UNTOLD_S = 5.0  # of SQLite's own driver, where the settings say nothing


class WriteTurns:
    """A lock that is given in the order in which it was asked for."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.is_taken = False
        self.waiting: deque[threading.Event] = deque()

    def take(self, timeout_s: float) -> bool:
        """True once it is ours, False after `timeout_s`."""
        with self.lock:
            if not self.is_taken:
                self.is_taken = True
                return True
            mine = threading.Event()
            self.waiting.append(mine)
        if mine.wait(timeout_s):
            return True
        with self.lock:
            if mine.is_set():  # given in the last moment
                return True
            self.waiting.remove(mine)
        return False

    def give_back(self) -> None:
        with self.lock:
            if self.waiting:
                self.waiting.popleft().set()
            else:
                self.is_taken = False


_turns: defaultdict[str, WriteTurns] = defaultdict(WriteTurns)  # by the database's name
os.register_at_fork(after_in_child=_turns.clear)  # whoever had one there is not here


class Features(features.DatabaseFeatures):
    """SQLite's abilities, stated: Django asks for JSON in a transaction of a connection's own, and
    takes a database that is locked at that moment for one without, as long as the connection is
    kept."""

    supports_json_field = True  # since 3.38, and in Debian's and Ubuntu's builds before
    can_introspect_json_field = True
    has_json_object_function = True


Backend: Any = base.DatabaseWrapper  # the stubs leave out the methods that begin and end


class DatabaseWrapper(Backend):  # type: ignore[misc]
    """Its transactions have a turn from their beginning to their end, but for those that begin
    without SQLite's lock for writers."""

    features_class = Features
    turns: WriteTurns | None = None  # while this connection has one

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.execute_wrappers.append(self.execute_in_turn)

    def _start_transaction_under_autocommit(self) -> None:
        if self.transaction_mode == "DEFERRED":  # it reads one moment, and holds nobody up
            super()._start_transaction_under_autocommit()
            return
        self.begin_turn()
        try:
            super()._start_transaction_under_autocommit()
        except BaseException:
            self.end_turn()
            raise

    def execute_in_turn(
        self, execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]
    ) -> Any:
        """A statement that writes without a transaction has a turn of its own."""
        if self.turns or self.in_atomic_block or not WRITES.match(sql):
            return execute(sql, params, many, context)
        self.begin_turn()
        try:
            return execute(sql, params, many, context)
        finally:
            self.end_turn()

    def begin_turn(self) -> None:
        turns = _turns[str(self.settings_dict["NAME"])]
        if not turns.take(self.settings_dict["OPTIONS"].get("timeout", UNTOLD_S)):
            raise OperationalError("database is locked")
        self.turns = turns

    def _commit(self) -> Any:
        super()._commit()  # after a failure it is still to be rolled back
        self.end_turn()

    def _rollback(self) -> Any:
        try:
            return super()._rollback()
        finally:
            self.end_turn()

    def _close(self) -> Any:
        try:
            return super()._close()
        finally:
            self.end_turn()

    def end_turn(self) -> None:
        turns, self.turns = self.turns, None
        if turns is not None:
            turns.give_back()
