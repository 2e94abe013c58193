"""Strings of a million characters in every field of a submission: refused, and nothing is lost."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.api.json_io import MAX_BODY_BYTES
from leaderboard.models import Draft, Entry, Run, Suite
from leaderboard.tests.support.callers import Caller
from leaderboard.tests.support.submit_form import KEY, filled_in, text_of

pytestmark = pytest.mark.django_db

ENDLESS = "z" * 1_000_000
TEXT_FIELDS = ("base_url", "model", "api_key", "name", "organisation", "description", "extra_body")
OTHER_FIELDS = (
    "action_format", "temperature", "top_p", "max_tokens", "suite", "attempts_per_task",
    "concurrency", "parameters_b", "weights", "visibility",
)  # fmt: skip


@pytest.mark.parametrize("field", [*TEXT_FIELDS, *OTHER_FIELDS])
def test_the_form_says_which_field_and_keeps_the_others(
    signed_in: Client, suite: Suite, field: str
) -> None:
    answer = signed_in.post("/submit/", filled_in(suite, **{field: ENDLESS}))
    assert answer.status_code == 422
    page = text_of(answer)
    assert page.count('class="field has-error"') == 1
    kept = {"model": 'value="foo-70b"', "organisation": 'value="Foo Inc"',
            "description": "Served with vLLM.", "name": 'value="Foo 70B"'}  # fmt: skip
    assert [name for name, words in kept.items() if name != field and words not in page] == []
    assert KEY not in page
    kept_keys = Draft.objects.values_list("encrypted_key", "asked_at")
    assert [asked for key, asked in kept_keys if asked or KEY.encode() in bytes(key)] == []


def test_a_form_of_many_megabytes_is_refused_before_it_is_read(
    signed_in: Client, suite: Suite
) -> None:
    said = filled_in(suite, description=ENDLESS * 3)
    assert signed_in.post("/submit/", said).status_code in (400, 413)
    assert not Draft.objects.exists()


API_BODY = {
    "suite": "starter",
    "base_url": "https://api.some-host.com/v1",
    "model": "foo",
    "name": "Foo",
    "preflight": False,
}


@pytest.mark.parametrize("field", [*TEXT_FIELDS[:-1], "suite", "action_format", "weights"])
@pytest.mark.parametrize("size", [MAX_BODY_BYTES // 2, 1_000_000])
def test_the_api_says_what_is_too_long(suite: Suite, owner: User, field: str, size: int) -> None:
    too_much = size > MAX_BODY_BYTES
    body = API_BODY | {field: "z" * size}
    error = Caller(owner).send("runs/", body, 413 if too_much else 400)["error"]
    assert error["fault"] == "submitter"
    assert error["what"]
    assert error["next_step"]
    assert list(error["fields"]) == ([] if too_much else [field])
    assert len(json.dumps(error)) < 4_000  # what was sent is not sent back
    assert not Run.objects.exists()
    assert not Entry.objects.exists()


@pytest.mark.parametrize(
    "extra", [{"a": "z" * 100_000}, {"z" * 100_000: 1}, {f"f{i}": i for i in range(9_000)}]
)
def test_the_api_says_that_an_extra_body_is_too_long(
    suite: Suite, owner: User, extra: dict[str, object]
) -> None:
    error = Caller(owner).send("runs/", API_BODY | {"extra_body": extra}, 400)["error"]
    assert list(error["fields"]) == ["extra_body"]
    assert len(json.dumps(error)) < 4_000
    assert not Run.objects.exists()
