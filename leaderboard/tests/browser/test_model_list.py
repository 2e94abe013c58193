"""The form of a submission in a browser: the endpoint's own models, a kept key, the keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect

from leaderboard.models import Draft
from leaderboard.tests.support.rows import make_suite

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def form(live_server: Any, page: Page, monkeypatch: pytest.MonkeyPatch) -> Page:
    """The empty form; a worker answers each question at once with a list."""

    def answer(draft_id: int) -> None:
        listed = ["large", "small", HOSTILE]
        Draft.objects.filter(pk=draft_id).update(
            report={"checks": [], "measures": {}, "listed": listed, "is_usable": True}
        )

    monkeypatch.setattr("leaderboard.submissions.drafts.send_preflight_draft", answer)
    make_suite()
    client = Client()
    client.force_login(User.objects.create_user("ada", "ada@example.org"))
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.goto(f"{live_server.url}/submit/")
    return page


def test_models_of_the_endpoint_are_offered_and_picked(form: Page) -> None:
    problems: list[str] = []
    form.on("dialog", lambda dialog: problems.append(dialog.message))
    form.get_by_label("Base URL").fill("http://127.0.0.1:8001/v1")
    form.get_by_label("API key").fill("sk-kept")
    form.get_by_label("Model", exact=True).focus()
    assert not Draft.objects.exists()  # nothing was asked without a click
    form.get_by_role("button", name="List its models").click()
    expect(form.get_by_text(HOSTILE)).to_be_visible()
    assert form.locator("#listed-models option").count() == 3
    form.get_by_role("button", name="small", exact=True).click()
    expect(form.get_by_label("Model", exact=True)).to_have_value("small")
    assert not problems
    form.get_by_role("button", name="Check the endpoint").click()
    expect(form.get_by_role("heading", name="small")).to_be_visible()
    expect(form.get_by_text("stored, encrypted")).to_be_visible()
    expect(form.get_by_role("button", name="Queue 8 attempts")).to_be_visible()


def test_only_model_is_filled_in(form: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(draft_id: int) -> None:
        report = {"checks": [], "measures": {}, "listed": ["only-one"], "is_usable": True}
        Draft.objects.filter(pk=draft_id).update(report=report)

    monkeypatch.setattr("leaderboard.submissions.drafts.send_preflight_draft", answer)
    form.get_by_label("Base URL").fill("http://127.0.0.1:8001/v1")
    form.get_by_role("button", name="List its models").click()
    expect(form.get_by_label("Model", exact=True)).to_have_value("only-one")


def test_enter_checks_the_endpoint_and_does_not_list(form: Page) -> None:
    form.get_by_label("Base URL").fill("http://127.0.0.1:8001/v1")
    form.evaluate("document.getElementById('id_model').value = 'small'")
    form.get_by_label("Base URL").press("Enter")
    expect(form.get_by_role("heading", name="small")).to_be_visible()


def test_refused_address_is_said_under_the_model(form: Page) -> None:
    form.get_by_label("Base URL").fill("http://10.0.0.1/v1")
    form.get_by_role("button", name="List its models").click()
    expect(form.get_by_text("not called from here")).to_be_visible()
