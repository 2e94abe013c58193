"""The squashed migration makes what those before it made one by one, and counts for them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leaderboard.tests.support.backups import make_environment
from leaderboard.tests.support.site import Site

SQUASHED = "0001_squashed_0070_celery_queue"
RECORDED = f"SELECT count(*) FROM django_migrations WHERE name = '{SQUASHED}'"
ONE_BY_ONE = f"""
SQUASHED = "{SQUASHED}"
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
executor = MigrationExecutor(connection)
executor.loader = MigrationLoader(connection, replace_migrations=False)
newest = executor.loader.graph.leaf_nodes()
executor.migrate([node for node in newest if node != ("leaderboard", SQUASHED)])
connection.cursor().execute("DELETE FROM django_migrations WHERE name = '{SQUASHED}'")
"""
SQLITE = """
SELECT name, sql FROM sqlite_master
WHERE tbl_name LIKE 'leaderboard_%' AND name NOT LIKE '%_index_%' AND sql IS NOT NULL
"""
SQLITE_TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
POSTGRESQL = r"""
SELECT table_name || '.' || column_name, concat_ws(' ', data_type, character_maximum_length,
       numeric_precision, numeric_scale, is_nullable, column_default, is_identity)
FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL SELECT conrelid::regclass::text, pg_get_constraintdef(oid)
FROM pg_constraint WHERE conrelid > 0
UNION ALL SELECT tablename, regexp_replace(indexdef, ' INDEX \S+ ', ' ')
FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
"""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.peers)])
def new_site(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], Site]:
    """Makes a site with an empty database under a name."""

    def make(name: str) -> Site:
        folder = tmp_path / name
        folder.mkdir()
        is_served = request.param == "postgresql"
        url = request.getfixturevalue("new_postgres_database")() if is_served else ""
        return Site(folder, make_environment(folder, url))

    return make


def tables(site: Site) -> set[tuple[Any, ...]]:
    """Columns, constraints, indexes and triggers, in whatever order they were made."""
    if "postgres" in site.environment["DATABASE_URL"]:
        return set(site.rows(POSTGRESQL))
    found = site.rows(SQLITE) + site.rows(SQLITE_TRIGGERS)
    return {
        (name, part.strip("(), "))
        for name, sql in found
        for part in re.split(r", (?=\"|CONSTRAINT)", sql.partition("(")[2])
    }


def test_a_database_of_before_has_what_a_new_one_has(new_site: Callable[[str], Site]) -> None:
    new, before = new_site("new"), new_site("before")
    new.manage("migrate", "--verbosity", "0")
    assert new.one(RECORDED) == 1
    before.manage("shell", "-v", "0", "-c", ONE_BY_ONE)
    assert before.one(RECORDED) == 0
    assert tables(before) ^ tables(new) == set()
    assert len(tables(new)) > 100
    assert "No migrations to apply" in before.manage("migrate")
    assert before.one(RECORDED) == 1
