"""The database's settings: its address, and for how long whoever uses it may keep others waiting.

Pages and workers end what takes too long; commands, migrations among them, may take their time.
What `DATABASE_URL` says of itself (`?connect_timeout=3&conn_max_age=0`) wins.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import InterfaceError, OperationalError
from environ import Env

SQLITE = "pybench_site.sqlite3"
COMMANDS_IDLE_S = 600.0  # for a command that works between two statements of a transaction

# Dead peers are noticed below the protocol: after 20 s without an acknowledgement, in use or idle.
TCP = {
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 20_000,
}

# A commit is on the disk before it is reported: `NORMAL` with WAL may lose the last with power.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}
# Of files that are locked, full, read-only or away; others say that a statement is wrong.
SQLITE_UNAVAILABLE = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)

CONNECT_S = 5
KEPT_S = 60  # of a connection that waits for its thread's next use; tested before that
SQLITE_WAIT_S = 20  # for others' writes, of whoever has nobody waiting

_is_serving = _is_web = False


def serve(is_web: bool = False) -> None:
    """Say that this process serves pages or plays attempts; before the settings are read."""
    global _is_serving, _is_web
    _is_serving, _is_web = True, is_web


@dataclass(frozen=True)
class Patience:
    """Seconds after which PostgreSQL, or we, give up; 0 for never."""

    statement_s: float
    lock_s: float
    idle_s: float  # between two statements of a transaction

    def as_options(self) -> str:
        """The session's settings, as libpq passes them on."""
        given = {
            "statement_timeout": self.statement_s,
            "lock_timeout": self.lock_s,
            "idle_in_transaction_session_timeout": self.idle_s,
        }
        return " ".join(f"-c {name}={int(limit_s * 1000)}" for name, limit_s in given.items())


def patience(env: Env) -> Patience:
    """The patience that fits this process."""
    if not _is_serving:
        return Patience(0.0, 0.0, COMMANDS_IDLE_S)
    return Patience(
        statement_s=env.float("PYBENCH_DB_STATEMENT_S", default=20.0),
        lock_s=env.float("PYBENCH_DB_LOCK_S", default=5.0),
        idle_s=env.float("PYBENCH_DB_IDLE_S", default=15.0),
    )


def read_database(env: Env, var: Path) -> dict[str, Any]:
    """Django's settings of the one database."""
    of_this_machine = f"sqlite:///{var / 'site.sqlite3'}"
    database: dict[str, Any] = env.db_url("DATABASE_URL", default=of_this_machine)
    if database["ENGINE"].endswith("sqlite3"):
        wait_s = patience(env).lock_s if _is_web else SQLITE_WAIT_S
        return {**database, "ENGINE": SQLITE, "OPTIONS": {**SQLITE_OPTIONS, "timeout": wait_s}}
    if not database["ENGINE"].endswith("postgresql"):
        return database
    said = database.get("OPTIONS", {})
    bounds = f"{patience(env).as_options()} {said.get('options', '')}"  # the last one counts
    options = {"connect_timeout": CONNECT_S, **TCP, **said, "options": bounds.strip()}
    if "pool" in said:
        options["pool"] = True  # Django takes no word for it
    kept_s = 0 if "pool" in said else KEPT_S
    keeping = {"CONN_MAX_AGE": kept_s, "CONN_HEALTH_CHECKS": True}
    return {**keeping, **database, "OPTIONS": options}


def is_unavailable(error: BaseException | None) -> bool:
    """True if the database did not serve a statement that it may serve in a moment."""
    cause = getattr(error, "__cause__", None)
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in SQLITE_UNAVAILABLE
    return isinstance(error, OperationalError | InterfaceError)
