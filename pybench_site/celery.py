"""The Celery application: a transport for wake-ups, with no result of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from celery import Celery
from kombu import Connection
from kombu.transport.redis import QoS

from pybench_site import database

if "celery" in Path(sys.argv[0]).parts[-2:]:  # others import this only to send messages
    database.serve()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pybench_site.settings")

SILENCE_S = 1.0  # of a broker; then whoever sends or asks goes on without it

# A worker whose broker went would put back what it held over the connection that is gone, and end
# of the error (kombu 5.7). The sweep sends again what nobody took.
QoS.restore_at_shutdown = False

app = Celery("pybench")
app.config_from_object("django.conf:settings", namespace="CELERY")
# `runner.worker.process` closes connections that are old.
app.conf.CELERY_DB_REUSE_MAX = sys.maxsize
app.autodiscover_tasks(["runner.worker"])


def quick_connection(of: Celery = app) -> Connection:
    """A connection to the broker that gives up after a second of silence.

    Workers wait longer for messages. Nobody needs to wait that long to send one: the database is
    the truth, and the sweep sends again.
    """
    usual = of.connection_for_write()
    bounds = {"socket_timeout": SILENCE_S, "socket_connect_timeout": SILENCE_S}
    return usual.clone(transport_options={**(usual.transport_options or {}), **bounds})
