"""The maintainers' pages: they open, show no key, and edit no result."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from leaderboard import submissions
from leaderboard.tests.queue_rows import make_run
from runner.contract import Status

pytestmark = pytest.mark.django_db

MODELS = ("suite", "task", "entry", "endpoint", "run", "attempt", "statuschange")


@pytest.mark.parametrize("model", MODELS)
def test_every_list_opens(admin_client: Client, model: str) -> None:
    make_run(2)
    page = admin_client.get(reverse(f"admin:leaderboard_{model}_changelist"))
    assert page.status_code == 200


def test_a_key_is_shown_nowhere(admin_client: Client) -> None:
    run = make_run(1)
    submissions.register(name="Model", base_url="http://x/v1", model="m", api_key="sk-secret")
    endpoint = run.entry.endpoint
    endpoint.refresh_from_db()
    page = admin_client.get(reverse("admin:leaderboard_endpoint_change", args=[endpoint.pk]))
    assert page.status_code == 200
    assert b"http://x/v1" in page.content
    assert b"sk-secret" not in page.content
    assert bytes(endpoint.encrypted_key) not in page.content


def test_a_result_cannot_be_edited(admin_client: Client) -> None:
    attempt = make_run(1).attempts.get()
    url = reverse("admin:leaderboard_attempt_change", args=[attempt.pk])
    assert admin_client.get(url).status_code == 200
    assert admin_client.post(url, {"passed": "true"}).status_code == 403


def test_runs_are_cancelled_by_an_action(admin_client: Client) -> None:
    run = make_run(2)
    url = reverse("admin:leaderboard_run_changelist")
    admin_client.post(url, {"action": "cancel", "_selected_action": [run.pk]})
    run.refresh_from_db()
    assert run.status == Status.CANCELLED


def test_the_lists_ask_a_bounded_number_of_queries(
    admin_client: Client, django_assert_max_num_queries: object
) -> None:
    make_run(12)
    assert callable(django_assert_max_num_queries)
    with django_assert_max_num_queries(12):
        admin_client.get(reverse("admin:leaderboard_attempt_changelist"))
