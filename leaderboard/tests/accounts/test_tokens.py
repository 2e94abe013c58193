"""Tokens for the API: made and shown once, revoked, nobody else's business."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.accounts.tokens import MAX_TOKENS, digest_of, find_token, make_token
from leaderboard.models import ApiToken
from leaderboard.tests.support.callers import make_user

pytestmark = pytest.mark.django_db


def sign_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_token_is_shown_once_and_only_its_digest_is_kept() -> None:
    client = sign_in(make_user())
    answer = client.post("/account/tokens/", {"name": "laptop"})
    [text] = re.findall(r"pyb_[\w-]{43}", answer.content.decode())
    assert "no-store" in answer["Cache-Control"]
    row = ApiToken.objects.get()
    assert (row.name, row.digest, row.prefix) == ("laptop", digest_of(text), text[:12])
    page = client.get("/account/tokens/").content.decode()
    assert text not in page
    assert text[:12] in page
    assert find_token(text) == row


def test_a_revoked_token_opens_nothing() -> None:
    user = make_user()
    row, text = make_token(user, "old")
    answer = sign_in(user).post(f"/account/tokens/{row.pk}/revoke/", follow=True)
    assert "The token was revoked" in answer.content.decode()
    assert find_token(text) is None


def test_somebody_else_s_token_is_not_there() -> None:
    row, text = make_token(make_user("owner"), "theirs")
    client = sign_in(make_user("other"))
    assert client.post(f"/account/tokens/{row.pk}/revoke/").status_code == 404
    assert client.get(f"/account/tokens/{row.pk}/revoke/").status_code == 405
    assert text[:12] not in client.get("/account/tokens/").content.decode()
    assert find_token(text) == row


def test_the_token_of_an_account_that_was_closed_opens_nothing() -> None:
    user = make_user()
    _, text = make_token(user, "laptop")
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert find_token(text) is None


@pytest.mark.parametrize("name", ["", "x" * 81, "a\x00b"])
def test_a_name_that_cannot_be_kept_is_refused_beside_the_field(name: str) -> None:
    answer = sign_in(make_user()).post("/account/tokens/", {"name": name})
    assert answer.status_code == 400
    assert 'class="errors"' in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_there_are_so_many_tokens_and_no_more() -> None:
    user = make_user()
    for number in range(MAX_TOKENS):
        make_token(user, f"token {number}")
    answer = sign_in(user).post("/account/tokens/", {"name": "one more"})
    assert answer.status_code == 400
    assert f"You have {MAX_TOKENS} tokens, which is the limit." in answer.content.decode()
    assert ApiToken.objects.count() == MAX_TOKENS


def test_strangers_are_asked_to_sign_in() -> None:
    answer = Client().get("/account/tokens/")
    assert answer.status_code == 302
    assert answer["Location"] == "/account/login/?next=/account/tokens/"


def test_reading_writes_once_a_minute_at_most() -> None:
    _, text = make_token(make_user(), "laptop")
    find_token(text)
    first = ApiToken.objects.get().last_used_at
    find_token(text)
    assert ApiToken.objects.get().last_used_at == first is not None
