"""The Celery application: a transport for wake-ups, with no result of its own."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pybench_site.settings")

app = Celery("pybench")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["runner"])
