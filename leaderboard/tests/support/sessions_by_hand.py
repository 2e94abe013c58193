"""A task typed by hand, as a browser sends it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from leaderboard.handoff import attempts
from leaderboard.models import Attempt, Task
from leaderboard.tests.support.jobs import claim
from leaderboard.tests.support.uploaded import signed_in
from runner.contract import Job, Opening


def begin(user: User, task: Task) -> Attempt:
    answer = signed_in(user).post(f"/tasks/{task.suite.name}/{task.key}/by-hand/")
    attempt: Attempt = Attempt.objects.select_related("task", "run__entry").latest("pk")
    assert answer["Location"] == attempt.get_absolute_url()
    return attempt


def address_of(attempt: Attempt) -> str:
    return f"/runs/{attempt.run_id}/tasks/{attempt.task.key}/type/"


def send(user: User, attempt: Attempt, index: int, text: str, act: str = "run") -> Any:
    said = {"index": index, "text": text, "act": act}
    return signed_in(user).post(address_of(attempt), said)


def take(attempt: Attempt) -> Job:
    [job] = claim(attempt.run_id, 1, "w")
    attempts.opened(job, Opening((), "q", 7, {}, ()))
    return job
