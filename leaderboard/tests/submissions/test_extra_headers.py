"""Extra headers of a submission: by form and API, stored encrypted, shown by their names alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.handoff.claims import endpoint_of
from leaderboard.handoff.preflights import DraftPreflight
from leaderboard.models import Draft, Endpoint, Entry, Run, Suite
from leaderboard.storage import encryption
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.submit_form import USABLE, filled_in, text_of

pytestmark = pytest.mark.django_db

SECRET = "canary-of-a-header"
HEADERS = {"X-Team": SECRET, "api-key": "canary-of-another"}
LINES = "\n".join(f"{name}: {value}" for name, value in HEADERS.items())
SUBMISSION = {
    "suite": "starter",
    "base_url": "https://api.somewhere.net/v1",
    "model": "foo-70b",
    "name": "Foo 70B",
    "preflight": False,
    "extra_headers": HEADERS,
}
ELSEWHERE = "https://api.elsewhere.com/v1"


@pytest.fixture
def owner() -> User:
    return make_user("grace")


def headers_of(draft: Draft) -> dict[str, str]:
    draft.refresh_from_db()
    return encryption.decrypt_headers(draft.encrypted_headers)


def post(signed_in: Client, suite: Suite, draft: Draft | None = None, **changes: object) -> Any:
    address = f"/submit/?draft={draft.pk}" if draft else "/submit/"
    return signed_in.post(address, filled_in(suite, **changes))


def test_program_s_headers_go_to_the_endpoint_and_come_out_nowhere(
    suite: Suite, owner: User
) -> None:
    caller = Caller(owner)
    told = caller.send("runs/", SUBMISSION, expect=201)
    run = Run.objects.get(pk=told["id"])
    assert endpoint_of(run).extra_headers == HEADERS
    stored = bytes(Endpoint.objects.get(entry=run.entry).encrypted_headers)
    assert stored
    assert b"canary" not in stored
    entry = caller.ask(f"entries/{run.entry.slug}/")
    assert entry["extra_headers"] == ["X-Team", "api-key"]
    seen = json.dumps([told, entry, caller.ask("runs/"), caller.ask("attempts/")])
    signed_in = Client()
    signed_in.force_login(owner)
    for page in (run.get_absolute_url(), f"/models/{run.entry.slug}/", f"/runs/{run.pk}.json"):
        seen += signed_in.get(page).content.decode()
    assert "canary" not in seen
    assert "X-Team, api-key" in signed_in.get(run.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    "headers",
    [{"Authorization": "x"}, {"Host": "a"}, {"X-A": "a\r\nb: c"}, {"Cookie": "a"}, {"X A": "b"},
     {f"X-{n}": "1" for n in range(17)}, {"X-A": "x" * 4000}, {"X-A": ""}, {"X-A": None}, "X: y"],
)  # fmt: skip
def test_program_s_header_that_cannot_be_sent_is_refused_by_its_field(
    suite: Suite, owner: User, headers: object
) -> None:
    problem = Caller(owner).send("runs/", SUBMISSION | {"extra_headers": headers}, expect=400)
    assert {name.split(".")[0] for name in problem["fields"]} == {"extra_headers"}
    assert not Run.objects.exists()


def test_other_headers_make_another_entry_and_the_same_ones_the_same(
    suite: Suite, owner: User
) -> None:
    caller = Caller(owner)
    for headers in (HEADERS, HEADERS, {}, {"X-Team": "other"}):
        caller.send("runs/", SUBMISSION | {"extra_headers": headers}, expect=201)
    assert Entry.objects.count() == 3


def test_form_s_headers_reach_preflight_and_run(signed_in: Client, suite: Suite) -> None:
    assert post(signed_in, suite, extra_headers=LINES).status_code == 302
    draft = Draft.objects.get()
    assert headers_of(draft) == HEADERS
    assert "canary" not in json.dumps(draft.facts)
    spec = DraftPreflight(draft.pk).endpoint()
    assert spec is not None
    assert spec.extra_headers == HEADERS
    Draft.objects.update(report=USABLE)
    page = text_of(signed_in.get(draft.get_absolute_url()))
    assert "canary" not in page
    assert "--extra-headers @headers.txt" in page
    assert signed_in.post(f"{draft.get_absolute_url()}queue/").status_code == 302
    assert endpoint_of(Run.objects.get()).extra_headers == HEADERS


def test_reopened_form_names_headers_and_keeps_their_values(
    signed_in: Client, suite: Suite
) -> None:
    post(signed_in, suite, extra_headers=LINES)
    draft = Draft.objects.get()
    page = text_of(signed_in.get(f"/submit/?draft={draft.pk}"))
    assert "X-Team: (kept)" in page
    assert "canary" not in page
    post(signed_in, suite, draft, extra_headers="X-Team: (kept)\nX-New: 2", name="Renamed")
    assert headers_of(draft) == {"X-Team": SECRET, "X-New": "2"}
    post(signed_in, suite, draft, extra_headers="")
    assert headers_of(draft) == {}


def test_kept_value_never_goes_to_another_address(signed_in: Client, suite: Suite) -> None:
    post(signed_in, suite, extra_headers=LINES)
    draft = Draft.objects.get()
    answer = post(signed_in, suite, draft, base_url=ELSEWHERE, extra_headers="X-Team: (kept)")
    assert answer.status_code == 422
    assert "Enter its value again" in text_of(answer)
    draft.refresh_from_db()
    assert draft.facts["base_url"] != ELSEWHERE or headers_of(draft) == {}


def test_refused_form_keeps_headers_without_showing_them(signed_in: Client, suite: Suite) -> None:
    answer = post(signed_in, suite, extra_headers=LINES, temperature="hot", api_key="")
    assert answer.status_code == 422
    assert "canary" not in text_of(answer)
    assert "X-Team: (kept)" in text_of(answer)
    draft = Draft.objects.get()
    assert headers_of(draft) == HEADERS
    kept = "X-Team: (kept)\napi-key: (kept)"
    assert post(signed_in, suite, draft, extra_headers=kept, api_key="").status_code == 302
    assert headers_of(draft) == HEADERS


def test_wrong_header_of_a_form_is_named_without_its_value(signed_in: Client, suite: Suite) -> None:
    answer = post(signed_in, suite, extra_headers=f"Authorization: {SECRET}")
    assert answer.status_code == 422
    assert "cannot set “Authorization”" in text_of(answer)
    assert SECRET not in text_of(answer)


def test_headers_are_encrypted_anew_with_a_new_field_key(
    signed_in: Client, suite: Suite, settings: Settings
) -> None:
    from cryptography.fernet import Fernet

    post(signed_in, suite, extra_headers=LINES, api_key="")
    draft = Draft.objects.get()
    before = bytes(draft.encrypted_headers)
    settings.FIELD_KEYS = [Fernet.generate_key().decode(), *settings.FIELD_KEYS]
    call_command("rotate_keys")
    settings.FIELD_KEYS = settings.FIELD_KEYS[:1]
    assert headers_of(draft) == HEADERS
    assert bytes(draft.encrypted_headers) != before
