"""Streaming switched off, and an extra body: from the form and the API to the request itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from leaderboard.handoff.preflights import DraftPreflight
from leaderboard.models import Draft, Endpoint, Entry, Run, Suite
from leaderboard.storage import encryption
from leaderboard.tests.support.callers import Caller
from leaderboard.tests.support.jobs import claim
from leaderboard.tests.support.rows import make_suite
from leaderboard.tests.support.submit_form import filled_in, make_draft, text_of
from runner.contract import EndpointSpec
from runner.endpoint import errors

pytestmark = pytest.mark.django_db

SECRET = "tenant-canary-41c7d2"
EXTRA: dict[str, Any] = {"reasoning_effort": "low", "metadata": {"tenant": SECRET}}
OVER_API = {
    "suite": "starter",
    "base_url": "https://api.some-host.com/v1",
    "model": "foo-70b",
    "name": "Foo 70B",
    "preflight": False,
}


def spec_of(run: Run) -> EndpointSpec:
    job = claim(run.pk, 1, "worker")[0]
    return job.endpoint


def queued(signed_in: Client, **said: object) -> Run:
    """The run of a draft, which the preflight found usable."""
    suite = make_suite()
    draft = make_draft(signed_in, suite, **said)
    assert signed_in.post(f"/submit/{draft.pk}/queue/").status_code == 302
    return Run.objects.get()


def test_the_form_hands_both_to_the_request(signed_in: Client) -> None:
    run = queued(signed_in, extra_body=json.dumps(EXTRA), stream="")
    spec = spec_of(run)
    assert spec.stream is False
    assert spec.extra_body == EXTRA
    assert run.entry.sampling["stream"] is False
    assert run.entry.extra_fields == ["metadata", "reasoning_effort"]


def test_left_alone_replies_are_streamed_and_nothing_is_added(signed_in: Client) -> None:
    run = queued(signed_in)
    spec = spec_of(run)
    assert (spec.stream, spec.extra_body) == (True, {})
    assert "stream" not in run.entry.sampling
    assert bytes(run.entry.endpoint.encrypted_extra) == b""


def test_the_preflight_asks_as_the_run_will(signed_in: Client) -> None:
    draft = make_draft(signed_in, make_suite(), {}, extra_body=json.dumps(EXTRA), stream="")
    asked = DraftPreflight(draft.pk).endpoint()
    assert asked is not None
    assert (asked.stream, asked.extra_body) == (False, EXTRA)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("{", "are not JSON"),
        ("[1]", "not a JSON object"),
        ('{"model": "x"}', "cannot set “model”"),
        ('{"temperature": 2}', "cannot set “temperature”"),
        ('{"a\\u0000": 1}', "is not a valid name of a request field"),
        ('{"a": "\x00"}', "Null characters are not allowed"),
        ('{"a": "' + "x" * 1_000_000 + '"}', "at most 4000 characters"),
        ("🙂", "are not JSON"),
    ],
)
def test_what_cannot_be_merged_is_said_and_the_form_keeps_it(
    signed_in: Client, said: str, why: str
) -> None:
    answer = signed_in.post("/submit/", filled_in(make_suite(), extra_body=said))
    assert answer.status_code == 422
    page = text_of(answer)
    assert why in page
    assert page.count('class="field has-error"') == 1
    assert 'value="foo-70b"' in page
    assert said[:1] in page
    assert not any(draft.is_complete for draft in Draft.objects.all())


def test_a_draft_keeps_it_encrypted_and_its_owner_may_change_it(signed_in: Client) -> None:
    draft = make_draft(signed_in, make_suite(), extra_body=json.dumps(EXTRA))
    assert SECRET not in json.dumps(draft.facts)
    assert SECRET.encode() not in bytes(draft.encrypted_extra)
    assert SECRET not in text_of(signed_in.get(draft.get_absolute_url()))
    assert SECRET in text_of(signed_in.get(f"/submit/?draft={draft.pk}"))
    assert Client().get(f"/submit/?draft={draft.pk}").status_code == 302
    signed_in.post(f"/submit/?draft={draft.pk}", filled_in(draft_suite(draft), extra_body=""))
    draft.refresh_from_db()
    assert bytes(draft.encrypted_extra) == b""


def draft_suite(draft: Draft) -> Any:
    return Suite.objects.get(pk=draft.facts["suite"])


def test_names_are_public_and_values_are_nowhere(signed_in: Client, owner: User) -> None:
    run = queued(signed_in, extra_body=json.dumps(EXTRA), visibility="public")
    entry = Entry.objects.get()
    stranger, mine = Client(), Caller(owner)
    told = [
        text_of(reader.get(path))
        for reader in (stranger, signed_in)
        for path in (
            "/",
            run.get_absolute_url(),
            f"/models/{entry.slug}/",
            f"/models/{entry.slug}.json",
            f"/runs/{run.pk}.json",
            "/submissions/",
        )
    ]
    told += [
        json.dumps(caller.ask(path))
        for caller in (Caller(), mine)
        for path in (f"runs/{run.pk}/", f"entries/{entry.slug}/", "entries/", "runs/")
    ]
    assert not [page for page in told if SECRET in page]
    assert "metadata, reasoning_effort" in told[1]
    assert "metadata, reasoning_effort" in told[2]
    assert mine.ask(f"entries/{entry.slug}/")["extra_fields"] == ["metadata", "reasoning_effort"]


def test_over_the_api_it_goes_the_same_way(owner: User) -> None:
    make_suite()
    said = Caller(owner).send("runs/", {**OVER_API, "stream": False, "extra_body": EXTRA}, 201)
    assert SECRET not in json.dumps(said)
    spec = spec_of(Run.objects.get())
    assert (spec.stream, spec.extra_body) == (False, EXTRA)


def test_another_extra_body_is_another_entry(owner: User) -> None:
    make_suite()
    caller = Caller(owner)
    for extra in (EXTRA, dict(reversed(EXTRA.items())), {**EXTRA, "reasoning_effort": "high"}, {}):
        caller.send("runs/", {**OVER_API, "extra_body": extra}, 201)
    assert [entry.runs.count() for entry in Entry.objects.order_by("pk")] == [2, 1, 1]


def test_what_an_endpoint_repeats_of_it_is_left_out() -> None:
    spec = EndpointSpec("https://api.some-host.com/v1", "m", extra_body=EXTRA)
    said = errors.quote(f"unknown field metadata: tenant {SECRET}, effort low", spec)
    assert said == "unknown field metadata: tenant [extra body], effort low"


def test_rotation_covers_it(signed_in: Client, settings: Any) -> None:
    new = Fernet.generate_key().decode()
    run = queued(signed_in, extra_body=json.dumps(EXTRA), api_key="")
    settings.FIELD_KEYS = [new, *settings.FIELD_KEYS]
    call_command("rotate_keys")
    settings.FIELD_KEYS = [new]
    assert encryption.decrypt_object(Endpoint.objects.get(entry=run.entry).encrypted_extra) == EXTRA
