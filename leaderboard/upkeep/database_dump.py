"""Consistent dumps of the site's database by its own tools, and their loading."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management.base import CommandError
from django.db import connection

from leaderboard.upkeep.one_moment import one_moment

TOOL_TIMEOUT_S = 6 * 3600.0
MARK = "pybench_restore_under_way"  # a table in a database that is being restored


@dataclass(frozen=True)
class DumpedFile:
    """A file that a row names."""

    sha256: str
    size_bytes: int
    is_garbage: bool  # waits for collection: it may be gone


@dataclass(frozen=True)
class Dumped:
    """Contents of a dump."""

    files: list[DumpedFile]  # that its rows name, by SHA-256
    rows: dict[str, int]  # by table of the site's own


def suffix() -> str:
    """The dump's file ending for the engine in use."""
    return ".sqlite3" if is_sqlite() else ".pgdump"


def is_sqlite() -> bool:
    return connection.vendor == "sqlite"


def dump(path: Path) -> Dumped:
    """Write the database to `path`, as it is at one moment.

    Writers are not held up. Raises CommandError if a tool is missing or fails.
    """
    return dump_sqlite(path) if is_sqlite() else dump_postgresql(path)


def dump_sqlite(path: Path) -> Dumped:
    connection.ensure_connection()
    with closing(sqlite3.connect(path)) as target:
        connection.connection.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
        return read_dumped(target.cursor())


def dump_postgresql(path: Path) -> Dumped:
    """Use one snapshot for the dump and for what is counted."""
    with one_moment(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        [snapshot] = cursor.fetchone()
        options = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}"]
        run_tool("pg_dump", [*options, f"--file={path}"])
        return read_dumped(cursor)


def read_dumped(cursor: Any) -> Dumped:
    rows = {}
    for table in own_tables():
        cursor.execute(f'SELECT count(*) FROM "{table}"')
        [rows[table]] = cursor.fetchone()
    cursor.execute(
        "SELECT sha256, size_bytes, unreferenced_since IS NOT NULL "
        "FROM leaderboard_blob ORDER BY sha256"
    )
    files = [DumpedFile(sha256, size, bool(marked)) for sha256, size, marked in cursor.fetchall()]
    return Dumped(files, rows)


def own_tables() -> list[str]:
    return sorted(model._meta.db_table for model in apps.get_app_config("leaderboard").get_models())


def load(path: Path) -> None:
    """Load a dump of this engine into the site's database, which must be empty."""
    if is_sqlite():
        connection.ensure_connection()
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source:
            source.backup(connection.connection)
    else:
        options = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"]
        database = str(connection.settings_dict["NAME"])
        run_tool("pg_restore", [*options, f"--dbname={database}", str(path)])
    connection.close()  # what this connection knew of the old content


def is_empty() -> bool:
    """Tell whether the database has no tables, but for the mark of a restore."""
    return not {*connection.introspection.table_names()} - {MARK}


def is_marked() -> bool:
    """Tell whether a restore began here and did not come to load the database."""
    return MARK in connection.introspection.table_names()


def mark() -> None:
    """Note in the empty database that a restore is under way: nobody makes a new site of it."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE IF NOT EXISTS {MARK} (since text)")


def unmark() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {MARK}")


def run_tool(name: str, arguments: list[str]) -> None:
    """Run a PostgreSQL client program against the site's database."""
    done = subprocess.run(
        [find_tool(name), *arguments],
        env={**os.environ, **connection_environment()},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TOOL_TIMEOUT_S,
        check=False,
    )
    if done.returncode:
        raise CommandError(f"{name} failed: {done.stderr.strip()}")


def find_tool(name: str) -> str:
    """The newest installed version: it must be at least as new as the server."""
    versions = Path("/usr/lib/postgresql").glob(f"*/bin/{name}")
    newest = max(versions, key=lambda path: float(path.parts[-3]), default=None)
    found = str(newest) if newest else shutil.which(name)
    if found is None:
        raise CommandError(f"{name} is missing. Install it: apt-get install postgresql-client")
    return found


def connection_environment() -> dict[str, str]:
    """libpq's variables for the site's database: a password must not appear among arguments."""
    settings = connection.settings_dict
    names = {
        "PGHOST": "HOST",
        "PGPORT": "PORT",
        "PGUSER": "USER",
        "PGPASSWORD": "PASSWORD",
        "PGDATABASE": "NAME",
    }
    values = {name: str(settings.get(key) or "") for name, key in names.items()}
    options = settings.get("OPTIONS", {})
    for option, name in (
        ("sslmode", "PGSSLMODE"),
        ("sslrootcert", "PGSSLROOTCERT"),
        ("sslcert", "PGSSLCERT"),
        ("sslkey", "PGSSLKEY"),
        ("service", "PGSERVICE"),
        ("passfile", "PGPASSFILE"),
    ):
        values[name] = str(options.get(option) or "")
    return {name: value for name, value in values.items() if value}


def how_to_empty() -> str:
    """Advice to an operator on how to move the database aside."""
    name = connection.settings_dict["NAME"]
    if is_sqlite():
        return f"move {name} away, with its -wal and -shm"
    return f"rename {name}, and create an empty one of that name"
