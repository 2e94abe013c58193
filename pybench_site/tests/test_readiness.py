"""A database without a migration or with a locked table is not ready, nor is a full disk."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.files.storage import FileSystemStorage
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from leaderboard.tests.support.servers import fill_with_tables
from pybench_site.local.install import ROOT
from pybench_site.monitoring import readiness


def test_the_migrations_looked_for_are_those_that_django_applies() -> None:
    known = MigrationLoader(None).disk_migrations
    assert readiness.own_migrations() == {name for app, name in known if app == "leaderboard"}


@pytest.mark.django_db
def test_a_database_without_the_last_migration_is_not_ready() -> None:
    assert readiness.check_database() == ""
    last = max(readiness.own_migrations())
    MigrationRecorder.Migration.objects.filter(app="leaderboard", name=last).delete()
    assert readiness.check_database() == "it lacks 1 migrations of this version"


@pytest.mark.parametrize(("least_mb", "said"), [(0, ""), (1 << 40, "its disk is full: ")])
def test_a_full_disk_is_told(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, least_mb: int, said: str
) -> None:
    storage = FileSystemStorage(tmp_path / "yet" / "to be made")
    monkeypatch.setattr(readiness, "default_storage", storage)
    settings.LEAST_FREE_MB = least_mb
    assert readiness.check_storage().startswith(said)
    assert bool(readiness.check_storage()) == bool(said)


@pytest.mark.django_db
def test_full_disk_of_sqlite_is_told_before_it_fails(settings: Any) -> None:
    settings.LEAST_FREE_MB = 1 << 40
    assert readiness.check_database().startswith("its disk is full: ")


LOOK = (
    "from pybench_site import database; database.serve(); import django; django.setup(); "
    "from pybench_site.monitoring.readiness import check_database; print(check_database())"
)


@pytest.mark.services
@pytest.mark.peers
@pytest.mark.parametrize("table", ["leaderboard_run", "leaderboard_suite"])
def test_a_locked_table_is_told(new_postgres_database: Callable[[], str], table: str) -> None:
    address = new_postgres_database()
    fill_with_tables(address)
    named = {"DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": "pybench_site.settings"}

    def look() -> str:
        done = subprocess.run(
            [sys.executable, "-c", LOOK],
            cwd=ROOT,
            env={**os.environ, **named, "PYBENCH_DB_LOCK_S": "0.2"},
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        return done.stdout.strip()

    folder, _, name = address.removeprefix("postgres://postgres@/").rpartition("/")
    with psycopg.connect(host=folder, user="postgres", dbname=name) as holder:
        holder.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        assert look() == f"its table {table} cannot be read"
    assert look() == ""
