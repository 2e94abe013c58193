"""Transactions of one process on SQLite: one after another, in their order, and nobody starves."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.db.utils import ConnectionHandler, OperationalError
from django.test.utils import CaptureQueriesContext
from pytest_django.plugin import DjangoDbBlocker

from pybench_site.sqlite3.base import DatabaseWrapper, WriteTurns, _turns

ADD = "INSERT INTO noted (word) VALUES (%s)"


@pytest.fixture
def handler(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[ConnectionHandler]:
    """Connections to a file with one table, one for each thread that asks."""
    settings = {"ENGINE": "pybench_site.sqlite3", "NAME": str(tmp_path / "turns.sqlite3")}
    options = {"transaction_mode": "IMMEDIATE", "timeout": 5}
    made = ConnectionHandler({"default": {**settings, "OPTIONS": options}})
    with django_db_blocker.unblock():
        with made["default"].cursor() as cursor:
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("CREATE TABLE noted (word TEXT NOT NULL)")
        yield made
        made["default"].close()


def begin(connection: Any) -> None:
    connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)


def end(connection: Any) -> None:
    connection.commit()
    connection.set_autocommit(True)


def turns_of(connection: Any) -> WriteTurns:
    return _turns[connection.settings_dict["NAME"]]


def await_waiting(turns: WriteTurns, count: int) -> None:
    for _ in range(500):
        if len(turns.waiting) == count:
            return
        time.sleep(0.01)
    pytest.fail(f"{len(turns.waiting)} wait, not {count}")


@pytest.mark.parametrize("as_statement", [False, True], ids=["transactions", "statements"])
def test_whoever_came_first_writes_first(handler: ConnectionHandler, as_statement: bool) -> None:
    def note(number: int) -> None:
        connection = handler["default"]
        try:
            if not as_statement or number % 2:
                begin(connection)
            with connection.cursor() as cursor:
                cursor.execute(ADD, [str(number)])
            if not connection.get_autocommit():
                end(connection)
        finally:
            connection.close()

    mine = handler["default"]
    begin(mine)
    with ThreadPoolExecutor(8) as pool:
        waiting = []
        for number in range(8):
            waiting.append(pool.submit(note, number))
            await_waiting(turns_of(mine), number + 1)
        end(mine)
        for one in waiting:
            one.result(timeout=10)
    with mine.cursor() as cursor:
        cursor.execute("SELECT word FROM noted ORDER BY rowid")
        assert [int(word) for (word,) in cursor.fetchall()] == list(range(8))


def test_whoever_waits_too_long_is_refused_and_leaves_the_queue(handler: ConnectionHandler) -> None:
    mine = handler["default"]

    def hurried() -> None:
        connection = handler["default"]
        connection.settings_dict = {**connection.settings_dict, "OPTIONS": {"timeout": 0.05}}
        try:
            with pytest.raises(OperationalError, match="database is locked"):
                begin(connection)
            with connection.cursor() as cursor, pytest.raises(OperationalError, match="locked"):
                cursor.execute(ADD, ["hurried"])
        finally:
            connection.close()

    begin(mine)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(hurried).result(timeout=10)
    assert not turns_of(mine).waiting
    end(mine)
    assert not turns_of(mine).is_taken


def test_no_failure_keeps_the_turn(handler: ConnectionHandler) -> None:
    mine = handler["default"]
    turns = turns_of(mine)
    with sqlite3.connect(mine.settings_dict["NAME"], timeout=0) as other:
        other.execute("INSERT INTO noted VALUES ('another process')")
        mine.close()
        mine.settings_dict["OPTIONS"]["timeout"] = 0.05
        with pytest.raises(OperationalError):
            begin(mine)  # SQLite itself refuses it
        assert not turns.is_taken
        with mine.cursor() as cursor, pytest.raises(OperationalError):
            cursor.execute(ADD, ["refused"])
        assert not turns.is_taken
    other.close()
    begin(mine)
    with mine.cursor() as cursor, pytest.raises(Exception, match="NOT NULL"):
        cursor.execute(ADD, [None])
    assert turns_of(mine).is_taken
    mine.rollback()
    mine.set_autocommit(True)
    assert not turns.is_taken
    begin(mine)
    mine.close()  # as after an error that nobody expected
    assert not turns.is_taken


def test_readers_wait_for_nobody(handler: ConnectionHandler) -> None:
    begin(handler["default"])

    def read() -> Any:
        with handler["default"].cursor() as cursor:
            cursor.execute("SELECT count(*) FROM noted")
            found = cursor.fetchone()
        handler["default"].close()
        return found

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(read).result(timeout=5) == (0,)
    end(handler["default"])


def test_turn_given_in_the_last_moment_is_not_lost() -> None:
    turns = WriteTurns()

    class Late(threading.Event):
        """Given to us between the end of the wait and the look at it."""

        def wait(self, timeout: float | None = None) -> bool:
            turns.give_back()
            return False

    assert turns.take(0)
    event, threading.Event = threading.Event, Late  # type: ignore[misc]
    try:
        assert turns.take(0.01)
    finally:
        threading.Event = event  # type: ignore[misc]
    turns.give_back()
    assert turns.take(0)


def test_child_of_a_process_at_work_has_a_turn_of_its_own(handler: ConnectionHandler) -> None:
    mine = handler["default"]
    assert isinstance(mine, DatabaseWrapper)
    begin(mine)
    child = os.fork()
    if child == 0:  # nothing of the parent's connections is used here
        os._exit(0 if turns_of(mine).take(0) else 1)
    assert os.waitpid(child, 0)[1] == 0
    end(mine)


def test_what_sqlite_can_is_stated_and_never_asked(handler: ConnectionHandler) -> None:
    """Whoever asks a database that is locked at that moment keeps the wrong answer for ever."""
    connection = handler["default"]
    with sqlite3.connect(connection.settings_dict["NAME"]) as other:
        other.execute("BEGIN EXCLUSIVE")
        with CaptureQueriesContext(connection) as asked:
            told = {name: getattr(connection.features, name) for name in dir(connection.features)}
        other.rollback()
    assert asked.captured_queries == []
    assert told["supports_json_field"]
    assert told["has_json_object_function"]
