"""Rows, users and clients for the tests of the API."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from leaderboard.models import Entry, Run, Suite
from leaderboard.summaries import summarise
from leaderboard.tests.factories import finish_run, make_entry, make_run, make_suite, tell_failure
from leaderboard.tokens import make_token


def make_user(name: str = "ada") -> User:
    return User.objects.create_user(name, f"{name}@example.org", "a long password")


class Caller(Client):
    """A program that asks the API, with a token or without."""

    def __init__(self, user: User | None = None) -> None:
        super().__init__()
        self.headers_sent = {}
        if user is not None:
            _, text = make_token(user, "test")
            self.headers_sent = {"Authorization": f"Bearer {text}"}

    def ask(self, path: str, expect: int = 200) -> Any:
        """The answer's JSON, of an answer with this status."""
        answer = self.get(f"/api/v1/{path}", headers=self.headers_sent)
        assert answer.status_code == expect, answer.content
        return answer.json()

    def send(self, path: str, body: Any = None, expect: int = 200) -> Any:
        answer = self.post(
            f"/api/v1/{path}",
            {} if body is None else body,
            content_type="application/json",
            headers=self.headers_sent,
        )
        assert answer.status_code == expect, answer.content
        return answer.json()


def make_board() -> list[Run]:
    """A public run with a replay full of things, one with void attempts, and one that waits."""
    suite = make_suite()
    told = finish_run(make_run(suite, make_entry("Foo 70B", organisation="Foo")), 5)
    tell_failure(told.attempts.order_by("pk")[0])
    summarise(told)
    void = finish_run(make_run(suite, make_entry("Bar")), 3, void=2)
    waiting = make_run(suite, make_entry("Baz"))
    return [told, void, waiting]


def make_private_run(owner: User, suite_name: str = "starter") -> Run:
    suite = Suite.objects.filter(name=suite_name).first() or make_suite(suite_name)
    entry = make_entry("Private model")
    Entry.objects.filter(pk=entry.pk).update(owner=owner)
    run = finish_run(make_run(suite, entry, is_public=False), 4, void=1)
    tell_failure(run.attempts.order_by("pk")[0])
    return run
