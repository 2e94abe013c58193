"""Runs of an account: made, played out, shown."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from leaderboard.handoff import attempts
from leaderboard.models import Endpoint, Run
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.jobs import claim, judged
from leaderboard.tests.support.rows import start_run


def play_out(run: Run, passes: bool = True) -> None:
    while jobs := claim(run.pk, 16, "worker"):
        for job in jobs:
            attempts.record_result(job, judged(passes))


def own_run(tasks: int = 3) -> tuple[User, Run]:
    run = start_run(tasks, concurrency=2)
    run.entry.owner = make_user()
    run.entry.save()
    Endpoint.objects.filter(entry=run.entry).update(base_url="http://127.0.0.1:8001/v1")
    return run.entry.owner, run


def page_of(owner: User, run: Run) -> str:
    client = Client()
    client.force_login(owner)
    return client.get(run.get_absolute_url()).content.decode()
