"""Readiness of the services that a process of the site needs: database, broker, storage,
sandboxes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.core.files.storage import FileSystemStorage, default_storage
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from pybench_site.celery import app, quick_connection

BROKER_TIMEOUT_S = 2
WORKERS_TIMEOUT_S = 1.0  # to hear all of them
MIGRATIONS = Path(__file__).parents[2] / "leaderboard" / "migrations"
NOBODY = "no worker answers"


def check_database() -> str:
    """Asked for its tables: it may be empty after a restore was interrupted, or not migrated."""
    found = MigrationRecorder(connection).applied_migrations()
    applied = {name for app, name in found if app == "leaderboard"}
    missing = len(own_migrations() - applied)
    return f"it lacks {missing} migrations of this version" if missing else ""


@cache
def own_migrations() -> frozenset[str]:
    """The names of the site's own migrations, as this process knows them."""
    return frozenset(path.stem for path in MIGRATIONS.glob("[0-9]*.py"))


def check_broker() -> str:
    with quick_connection() as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=BROKER_TIMEOUT_S)
    return ""


def count_messages() -> int:
    """Messages that no worker has taken. Raises an error if the broker does not answer."""
    with quick_connection() as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=BROKER_TIMEOUT_S)
        queue = app.conf.task_default_queue
        channel: Any = broker.default_channel
        return int(channel.queue_declare(queue=queue, passive=True).message_count)


def check_storage() -> str:
    """Ask for a file that does not exist; check that a local folder is writable."""
    default_storage.exists("blobs/00/none")
    if isinstance(default_storage, FileSystemStorage):
        folder = default_storage.location
        if os.path.isdir(folder) and not os.access(folder, os.W_OK):  # noqa: PTH112 - a str
            return "its folder cannot be written"
    return ""


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
