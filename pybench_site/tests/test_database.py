"""Bounds on the sessions of each kind of process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from environ import Env

from pybench_site import database
from pybench_site.local.install import ROOT

ADDRESS = "postgres://somebody@host/name"
SHOW = """
import json
from django.db import connection
with connection.cursor() as cursor:
    shown = {}
    for name in ("statement", "lock", "idle_in_transaction_session"):
        cursor.execute(f"SHOW {name}_timeout")
        shown[name] = cursor.fetchone()[0]
print(json.dumps([*shown.values()]))
"""
AS_WEB = f"import pybench_site.asgi\n{SHOW}"
AS_WORKER = (
    "import sys; sys.argv[0] = 'celery'\n"
    f"import pybench_site.celery, django; django.setup()\n{SHOW}"
)


@pytest.fixture
def is_serving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_is_serving", True)


@pytest.fixture(autouse=True)
def as_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever other tests of this process have made of it."""
    monkeypatch.setattr(database, "_is_serving", False)
    monkeypatch.setattr(database, "_is_web", False)


def read(monkeypatch: pytest.MonkeyPatch, address: str = ADDRESS, **said: str) -> dict[str, Any]:
    for name, value in {**said, "DATABASE_URL": address}.items():
        monkeypatch.setenv(name, value)
    return database.read_database(Env(), Path("/nowhere"))


@pytest.mark.usefixtures("is_serving")
def test_pages_and_workers_are_bounded_and_keep_their_connections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = read(monkeypatch)
    options = settings["OPTIONS"]
    assert options["options"].split(" -c ") == [
        "-c statement_timeout=20000",
        "lock_timeout=5000",
        "idle_in_transaction_session_timeout=15000",
    ]
    assert options["connect_timeout"] == 5
    assert options["tcp_user_timeout"] == 20_000
    assert (options["keepalives_idle"], options["keepalives_count"]) == (10, 2)
    assert (settings["CONN_MAX_AGE"], settings["CONN_HEALTH_CHECKS"]) == (60, True)


def test_commands_may_take_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_is_serving", False)
    options = read(monkeypatch)["OPTIONS"]
    assert "statement_timeout=0" in options["options"]
    assert "lock_timeout=0" in options["options"]


@pytest.mark.usefixtures("is_serving")
def test_what_the_address_says_of_itself_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"{ADDRESS}?connect_timeout=2&conn_max_age=0&options=-c%20statement_timeout%3D7"
    settings = read(monkeypatch, address, PYBENCH_DB_LOCK_S="0.5")
    assert settings["OPTIONS"]["connect_timeout"] == 2
    assert settings["CONN_MAX_AGE"] == 0
    said = settings["OPTIONS"]["options"]
    assert said.endswith("-c statement_timeout=7")
    assert "lock_timeout=500 " in said


def test_a_pool_is_not_kept_open_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch, f"{ADDRESS}?pool=true")["CONN_MAX_AGE"] == 0


def test_sqlite_writes_each_commit_to_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read(monkeypatch, "sqlite:////tmp/site.sqlite3")
    assert "synchronous=FULL" in settings["OPTIONS"]["init_command"]
    assert "CONN_MAX_AGE" not in settings
    assert settings["OPTIONS"]["timeout"] == 20


def test_pages_wait_shortly_for_the_file_of_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each that waits holds one of the threads that make pages."""
    monkeypatch.setattr(database, "_is_serving", False)
    monkeypatch.setattr(database, "_is_web", False)
    database.serve(is_web=True)
    assert read(monkeypatch, "sqlite:////tmp/site.sqlite3")["OPTIONS"]["timeout"] == 5


@pytest.mark.services
@pytest.mark.peers
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (AS_WEB, ["20s", "5s", "15s"]),
        (AS_WORKER, ["20s", "5s", "15s"]),
        (None, ["0", "0", "10min"]),
    ],
    ids=["web", "worker", "command"],
)
def test_sessions_are_bounded_as_their_process_needs(
    code: str | None, expected: list[object], new_postgres_database: Callable[[], str]
) -> None:
    shell = ["manage.py", "shell", "-v", "0", "-c", SHOW]
    done = subprocess.run(
        [sys.executable, *(shell if code is None else ["-c", code])],
        cwd=ROOT,
        env={
            **os.environ,
            "DATABASE_URL": new_postgres_database(),
            "DJANGO_SETTINGS_MODULE": "pybench_site.settings",
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == expected
