"""Replays of attempts and what their pages show."""

from __future__ import annotations

from django.test import Client

from leaderboard.models import Attempt, Run


def attempt_at(run: Run, key: str) -> Attempt:
    attempt: Attempt = run.attempts.select_related("task", "run").get(task__key=key)
    return attempt


def get(client: Client, attempt: Attempt, query: str = "") -> str:
    response = client.get(attempt.get_absolute_url() + query)
    assert response.status_code == 200
    return response.content.decode()


def step_of(page: str, index: int) -> str:
    """The markup of one step's card."""
    start = page.index(f'id="step-{index}"')
    return page[start : page.index("</article>", start)]
