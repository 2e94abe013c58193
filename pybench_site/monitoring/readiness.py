"""Readiness of the services that a process of the site needs: database, broker, storage,
sandboxes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.files.storage import FileSystemStorage, default_storage
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from pybench_site.celery import app, quick_connection

BROKER_TIMEOUT_S = 2
WORKERS_TIMEOUT_S = 1.0  # to hear all of them
MIGRATIONS = Path(__file__).parents[2] / "leaderboard" / "migrations"
NOBODY = "no worker answers"


def check_database() -> str:
    """Asked for its tables: it may be empty after a restore was interrupted, or not migrated.

    Each is read, too: one that somebody has locked breaks the pages that need it.
    """
    if connection.vendor == "sqlite" and (full := say_full(Path(connection.settings_dict["NAME"]))):
        return full
    found = MigrationRecorder(connection).applied_migrations()
    applied = {name for app, name in found if app == "leaderboard"}
    missing = len(own_migrations() - applied)
    if missing:
        return f"it lacks {missing} migrations of this version"
    with connection.cursor() as cursor:
        for model in apps.get_app_config("leaderboard").get_models():
            table = model._meta.db_table
            try:
                cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")
            except OperationalError:
                return f"its table {table} cannot be read"
    return ""


@cache
def own_migrations() -> frozenset[str]:
    """The names of the site's own migrations, as this process knows them."""
    return frozenset(path.stem for path in MIGRATIONS.glob("[0-9]*.py"))


def check_broker() -> str:
    with quick_connection() as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=BROKER_TIMEOUT_S)
    return ""


def check_storage() -> str:
    """Ask for a file that does not exist; a local folder can be written, and has room."""
    default_storage.exists("blobs/00/none")
    if isinstance(default_storage, FileSystemStorage):
        folder = default_storage.location
        if os.path.isdir(folder) and not os.access(folder, os.W_OK):  # noqa: PTH112 - a str
            return "its folder cannot be written"
        return say_full(Path(folder))
    return ""


def say_full(path: Path) -> str:
    """A sentence if the disk of `path`, which may be yet to be made, has too little room."""
    there = next((one for one in (path, *path.parents) if one.exists()), Path())
    free_mb = shutil.disk_usage(there).free >> 20
    return f"its disk is full: {free_mb} MB are free" if free_mb < settings.LEAST_FREE_MB else ""


def check_sandbox() -> str:
    """ "" when some worker says that it can run sandboxes, else what the first one lacks."""
    check_broker()  # which waits for no more than a second of silence
    replies = app.control.broadcast("pybench_ready", reply=True, timeout=WORKERS_TIMEOUT_S) or []
    said = [str(lack) for reply in replies for lack in reply.values()]
    if not said:
        return NOBODY
    return "" if "" in said else said[0]


CHECKS: Mapping[str, Callable[[], str]] = {
    "database": check_database,
    "broker": check_broker,
    "storage": check_storage,
}
