"""A database that lacks a migration of this version is not ready."""

from __future__ import annotations

import pytest
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

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
