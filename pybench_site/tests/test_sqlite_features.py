"""SQLite's features are the same whatever another process does at that moment."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from django.db.utils import ConnectionHandler
from django.test.utils import CaptureQueriesContext
from pytest_django.plugin import DjangoDbBlocker


def test_what_sqlite_can_is_stated_and_never_asked(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    """Whoever asks a database that is locked at that moment keeps the wrong answer for ever."""
    settings = {"ENGINE": "pybench_site.sqlite3", "NAME": str(tmp_path / "site.sqlite3")}
    connection = ConnectionHandler({"default": settings})["default"]
    with django_db_blocker.unblock():
        with sqlite3.connect(settings["NAME"]) as other:
            other.execute("BEGIN EXCLUSIVE")
            with CaptureQueriesContext(connection) as asked:
                names = dir(connection.features)
                told = {name: getattr(connection.features, name) for name in names}
            other.rollback()
        connection.close()
    assert asked.captured_queries == []
    assert told["supports_json_field"]
    assert told["has_json_object_function"]
