"""The maintainers' pages: they open, show no key, and edit no result."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from leaderboard.admin import RunAdmin
from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import PublicChange, Run, RunReview, StatusChange, Task
from leaderboard.submissions import run_actions
from leaderboard.tests.support.jobs import claim_one, judged
from leaderboard.tests.support.rows import set_price, start_run
from runner.contract import Status

pytestmark = pytest.mark.django_db

MODELS = ("suite", "task", "entry", "endpoint", "run", "attempt", "statuschange")


@pytest.mark.parametrize("model", MODELS)
def test_every_list_opens(admin_client: Client, model: str) -> None:
    start_run(2)
    page = admin_client.get(reverse(f"admin:leaderboard_{model}_changelist"))
    assert page.status_code == 200


def test_a_key_is_shown_nowhere(admin_client: Client) -> None:
    run = start_run(1)
    run_actions.register(name="Model", base_url="http://x/v1", model="m", api_key="sk-secret")
    endpoint = run.entry.endpoint
    endpoint.refresh_from_db()
    page = admin_client.get(reverse("admin:leaderboard_endpoint_change", args=[endpoint.pk]))
    assert page.status_code == 200
    assert b"http://x/v1" in page.content
    assert b"sk-secret" not in page.content
    assert bytes(endpoint.encrypted_key) not in page.content


def test_a_result_cannot_be_edited(admin_client: Client) -> None:
    attempt = start_run(1).attempts.get()
    url = reverse("admin:leaderboard_attempt_change", args=[attempt.pk])
    assert admin_client.get(url).status_code == 200
    assert admin_client.post(url, {"passed": "true"}).status_code == 403


def test_runs_are_cancelled_by_an_action(admin_client: Client) -> None:
    run = start_run(2)
    url = reverse("admin:leaderboard_run_changelist")
    admin_client.post(url, {"action": "cancel", "_selected_action": [run.pk]})
    run.refresh_from_db()
    assert run.status == Status.CANCELLED


def hide_by_hand(client: Client, run: Run) -> None:
    form = {"form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1, "form-0-id": run.pk, "_save": "Save"}
    client.post(reverse("admin:leaderboard_run_changelist"), form)


def test_run_hidden_by_hand_counts_no_longer(admin_client: Client) -> None:
    run = start_run(1)
    attempts.record_result(claim_one(run), judged(True))
    sweep_queue()
    assert Task.objects.get().solved == 1
    hide_by_hand(admin_client, run)
    run.refresh_from_db()
    assert not run.is_public
    assert run.withdrawn_at
    assert run.status_changes.latest("pk").reason.startswith("withdrawn by account ")
    sweep_queue()
    assert Task.objects.get().solved == 0


def test_hiding_a_run_by_hand_undoes_no_move_of_the_queue(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = start_run(2)
    save_form = RunAdmin.save_form

    def move_meanwhile(*arguments: Any, **more: Any) -> Any:
        claim_one(run)
        return save_form(*arguments, **more)

    monkeypatch.setattr(RunAdmin, "save_form", move_meanwhile)
    hide_by_hand(admin_client, run)
    before = run.sequence
    run.refresh_from_db()
    assert not run.is_public
    assert run.status == Status.RUNNING
    assert run.started_at
    assert run.sequence == before + 2


def test_the_lists_ask_a_bounded_number_of_queries(
    admin_client: Client, django_assert_max_num_queries: object
) -> None:
    start_run(12)
    assert callable(django_assert_max_num_queries)
    with django_assert_max_num_queries(12):
        admin_client.get(reverse("admin:leaderboard_attempt_changelist"))


ALL_MODELS = (*MODELS, "modelprice", "publicchange")


@pytest.mark.parametrize("model", ALL_MODELS)
def test_every_form_opens_with_iso_dates_and_the_sites_name(
    admin_client: Client, model: str
) -> None:
    run = start_run(1)
    set_price()
    RunReview.objects.create(run=run, reasons=["alike"])
    PublicChange.objects.create(kind=PublicChange.Kind.PRICES)
    StatusChange.objects.create(run=run, after="queued")
    rows = apps.get_model("leaderboard", model).objects.order_by("pk")
    for address in (
        reverse(f"admin:leaderboard_{model}_changelist"),
        reverse(f"admin:leaderboard_{model}_change", args=[rows[0].pk]),
    ):
        page = admin_client.get(address).content.decode()
        assert "PyBench maintenance" in page
        assert "Django administration" not in page
        assert not re.search(r"\b[ap]\.m\.", page)


def test_price_form_names_units_and_what_empty_means(admin_client: Client) -> None:
    page = admin_client.get(reverse("admin:leaderboard_modelprice_add")).content.decode()
    for words in ("Prompt, $ per million tokens", "Leave it empty if reasoning costs as much"):
        assert words in page


def test_entries_cannot_be_added_by_hand(admin_client: Client) -> None:
    """They would have neither an address nor an endpoint."""
    assert admin_client.get(reverse("admin:leaderboard_entry_add")).status_code == 403


def test_actions_count_runs_in_english(admin_client: Client) -> None:
    run = start_run(1)
    chosen = {"_selected_action": [run.pk]}
    url = reverse("admin:leaderboard_run_changelist")
    page = admin_client.post(url, {"action": "cancel", **chosen}, follow=True).content.decode()
    assert "Cancelled 1 run." in page
