"""Whether what a process of the site leans on answers: database, broker, storage, sandboxes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from django.core.files.storage import FileSystemStorage, default_storage
from django.db import connection

from pybench_site.celery import app

BROKER_TIMEOUT_S = 2
WORKERS_TIMEOUT_S = 1.0  # to hear all of them
NOBODY = "no worker answers"


def check_database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return ""


def check_broker() -> str:
    with app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1, timeout=BROKER_TIMEOUT_S)
    return ""


def check_storage() -> str:
    """Asked for a file that is not there; a folder of ours is looked at for being writable."""
    default_storage.exists("blobs/00/none")
    if isinstance(default_storage, FileSystemStorage):
        folder = default_storage.location
        if os.path.isdir(folder) and not os.access(folder, os.W_OK):  # noqa: PTH112 - a str
            return "its folder cannot be written"
    return ""


def check_sandbox() -> str:
    """ "" when some worker says that it can run sandboxes, else what the first one lacks."""
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
