"""Roles and acts: who sees, disputes, rules on, cancels and publishes a private run."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.models import Dispute, Run
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.rows import make_private_run

pytestmark = pytest.mark.django_db

ROLES = ("stranger", "reader", "owner", "maintainer")
# Status by role, in that order. 302 of an act leads a stranger to the sign-in.
ACTS: dict[str, tuple[str, str, tuple[int, ...]]] = {
    "see": ("get", "{run}", (404, 404, 200, 404)),
    "see json": ("get", "/runs/{pk}.json", (404, 404, 200, 404)),
    "replay": ("get", "{attempt}", (404, 404, 200, 404)),
    "dispute seen": ("get", "{dispute}", (404, 404, 200, 200)),
    "dispute": ("get", "{attempt}dispute/", (302, 404, 200, 404)),
    "rule": ("post", "{dispute}rule/", (302, 404, 404, 422)),
    "cancel": ("post", "{run}cancel/", (302, 404, 302, 404)),
    "publish": ("post", "{run}publish/", (302, 404, 302, 404)),
}


@pytest.fixture
def users() -> dict[str, User]:
    made = {name: make_user(name) for name in ROLES[1:]}
    User.objects.filter(username="maintainer").update(is_staff=True)
    return made


@pytest.fixture
def run(users: dict[str, User]) -> Run:
    return make_private_run(users["owner"])


def sign_in(user: User | None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


@pytest.mark.parametrize("act", ACTS)
def test_each_role_does_what_it_may_and_nothing_else(
    run: Run, users: dict[str, User], act: str
) -> None:
    attempt = run.attempts.select_related("task", "run").order_by("pk")[0]
    verdict = attempt.verdicts.get()
    doubt = Dispute.objects.create(attempt=attempt, verdict=verdict, words="No.", name="x")
    places: dict[str, Any] = {
        "pk": run.pk, "run": run.get_absolute_url(), "attempt": attempt.get_absolute_url(),
        "dispute": doubt.get_absolute_url(),
    }  # fmt: skip
    method, path, expected = ACTS[act]
    clients = {role: sign_in(users.get(role)) for role in ROLES}
    order = sorted(ROLES, key="owner".__eq__)  # whose acts change the run
    found = {r: getattr(clients[r], method)(path.format(**places)).status_code for r in order}
    assert found == dict(zip(ROLES, expected, strict=True))
