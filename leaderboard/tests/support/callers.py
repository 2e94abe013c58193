"""Users, and programs that ask the API."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from leaderboard.accounts.tokens import make_token


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
