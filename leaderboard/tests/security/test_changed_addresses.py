"""Addresses that change after they were accepted: drafts, the API, rows of older versions."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.handoff.claims import endpoint_of
from leaderboard.handoff.preflights import RunPreflight
from leaderboard.models import Draft, Endpoint, Entry, Run, Suite
from leaderboard.storage import encryption
from leaderboard.submissions.run_actions import register, retry, start
from leaderboard.tests.support.callers import Caller
from leaderboard.tests.support.jobs import claim, claim_one
from leaderboard.tests.support.submit_form import KEY, filled_in, make_draft
from runner.contract import Outcome, ProblemError, Status

pytestmark = pytest.mark.django_db

BAD = [
    "http://127.0.0.1:{scripted}/v1", "http://LocalHost:{scripted}/v1/", "http://127.0.0.1:22/v1",
    "https://127.0.0.1/v1", "https://[::1]/v1", "https://[::ffff:127.0.0.1]/v1",
    "http://169.254.169.254/latest/meta-data", "https://169.254.169.254/v1",
    "https://metadata.google.internal/v1", "https://0/v1", "https://0x7f000001/v1",
    "https://017700000001/v1", "https://2130706433/v1", "https://127.1/v1",
    "https://localhost.localdomain/v1", "https://api.you.com@127.0.0.1/v1",
    "https://api.you.com:22/v1", "gopher://api.you.com/", "file:///etc/passwd",
    "https://api.you.com\t/v1", "https://api.you.com/v1#@127.0.0.1", "https://ⓛⓞⓒⓐⓛhost/v1",
    "https://[fd00:ec2::254]/v1", "https://[fe80::1%25lo]/v1", "https://10.0.0.1:8443/v1",
]  # fmt: skip


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("ada", "ada@example.org")


@pytest.fixture(params=BAD)
def bad(request: pytest.FixtureRequest, settings: Settings) -> str:
    return str(request.param).format(scripted=settings.SCRIPTED_PORT)


def test_draft_changed_to_a_bad_address_is_refused(
    signed_in: Client, suite: Suite, bad: str
) -> None:
    draft = make_draft(signed_in, suite)
    before = draft.facts
    answer = signed_in.post(f"/submit/?draft={draft.pk}", filled_in(suite, base_url=bad))
    assert answer.status_code == 422
    draft.refresh_from_db()
    assert draft.facts == before
    assert encryption.decrypt(draft.encrypted_key) == KEY
    for other in Draft.objects.exclude(pk=draft.pk):
        assert not other.is_complete
        assert "base_url" not in other.facts


def test_draft_row_with_a_bad_address_is_not_queued(
    signed_in: Client, suite: Suite, bad: str
) -> None:
    """Its row may be older than the rule, or than the setting that admitted the port."""
    draft = make_draft(signed_in, suite)
    Draft.objects.filter(pk=draft.pk).update(facts=draft.facts | {"base_url": bad})
    signed_in.post(f"/submit/{draft.pk}/queue/")
    assert not Run.objects.exists()
    assert not Endpoint.objects.exists()


def test_api_takes_no_bad_address(owner: User, suite: Suite, bad: str) -> None:
    sent = {"base_url": bad, "model": "foo-70b", "name": "Foo 70B", "suite": suite.name}
    answer = Caller(owner).send("runs/", sent, 400)
    assert answer["error"]["code"].startswith(("url_", "address_"))
    assert not Entry.objects.exists()


def make_owned_run(owner: User, suite: Suite, base_url: str) -> Run:
    """As rows of an older version or of other settings hold it."""
    entry = register(
        name="Old", base_url="https://api.you.com/v1", model="m", provenance="run_here"
    )
    Entry.objects.filter(pk=entry.pk).update(owner=owner)
    Endpoint.objects.filter(entry=entry).update(base_url=base_url)
    return start(Entry.objects.get(pk=entry.pk), suite)


def test_old_run_at_a_bad_address_is_given_up(owner: User, suite: Suite, bad: str) -> None:
    run = make_owned_run(owner, suite, bad)
    assert claim(run.pk, 4, "w") == []
    run.refresh_from_db()
    assert run.is_over
    assert set(run.attempts.values_list("outcome", flat=True)) == {Outcome.ENDPOINT_FAILED}
    retry(run.pk)
    assert claim(run.pk, 4, "w") == []
    Run.objects.filter(pk=run.pk).update(status=Status.CHECKING)
    with pytest.raises(ProblemError):
        RunPreflight(run.pk).endpoint()


def test_operators_own_run_reaches_the_scripted_port(suite: Suite, settings: Settings) -> None:
    scripted = f"http://127.0.0.1:{settings.SCRIPTED_PORT}/v1"
    run = start(register(name="Baseline", base_url=scripted, model="m"), suite)
    assert claim_one(run).endpoint.base_url == scripted


def test_port_admitted_no_longer_ends_runs_there(
    owner: User, suite: Suite, settings: Settings
) -> None:
    run = make_owned_run(owner, suite, "http://127.0.0.1:9100/v1")
    settings.ENDPOINT_LOOPBACK_PORTS = ["9100"]
    assert endpoint_of(run).base_url.endswith(":9100/v1")
    settings.ENDPOINT_LOOPBACK_PORTS = []
    assert claim(run.pk, 4, "w") == []
