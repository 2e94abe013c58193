"""A second factor through the pages: set up, asked for, entered, and replaced by recovery codes."""

from __future__ import annotations

import re
import time
from types import SimpleNamespace

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from leaderboard.tests.support.accounts import EMAIL, PASSWORD, code_for, sign_in

pytestmark = pytest.mark.django_db

ASKED = "/account/2fa/authenticate/"
NOW_S = time.time()


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    """Attempts to sign in, and codes that were used, are remembered over all tests."""
    cache.clear()


@pytest.fixture(autouse=True)
def same_half_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """A code counts for thirty seconds: none runs out between being read and being entered."""
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.time", SimpleNamespace(time=lambda: NOW_S))


@pytest.fixture
def owner() -> User:
    user = User.objects.create_user("ada", EMAIL, PASSWORD)
    EmailAddress.objects.create(user=user, email=EMAIL, verified=True, primary=True)
    return user


@pytest.fixture
def secret(owner: User) -> str:
    """Set up by its owner on a page of the account, with a code of the authenticator."""
    client = Client()
    sign_in(client)
    proof = client.get("/account/2fa/totp/activate/")["Location"]
    page = client.post(proof, {"password": PASSWORD}, follow=True).content.decode()
    found = re.search(r'id="authenticator_secret"[^>]*value="(\w+)"', page)
    assert found is not None
    client.post("/account/2fa/totp/activate/", {"code": code_for(found[1])})
    cache.clear()  # a code counts once; the tests are faster than the next one
    return found[1]


def codes_of(client: Client) -> list[str]:
    """The recovery codes, as their page shows them after the password was given again."""
    answer = client.get("/account/2fa/recovery-codes/")
    if answer.status_code == 302:
        answer = client.post(answer["Location"], {"password": PASSWORD}, follow=True)
    page = answer.content.decode()
    found = re.search(r'<textarea id="recovery_codes"[^>]*>([^<]*)</textarea>', page)
    assert found is not None
    return found[1].split()


def enter(client: Client, code: str) -> str:
    return client.post(ASKED, {"code": code}, follow=True).content.decode()


def is_in(client: Client) -> bool:
    return client.get("/submissions/").status_code == 200


def test_a_code_opens_the_door_and_the_password_alone_does_not(secret: str) -> None:
    client = Client()
    assert "Your submissions" not in sign_in(client)
    assert not is_in(client)
    asked = client.get(ASKED)
    assert asked.status_code == 200
    assert 'name="code"' in asked.content.decode()
    assert "Your submissions" in enter(client, code_for(secret))
    assert is_in(client)


@pytest.mark.parametrize("code", ["000000", "", "abcdef", "١٢٣٤٥٦", "9" * 100_000, "12\x0034"])
def test_a_wrong_code_is_said_and_lets_nobody_in(secret: str, code: str) -> None:
    client = Client()
    sign_in(client)
    page = enter(client, code)
    assert 'class="field has-error"' in page
    assert not is_in(client)
    assert "Your submissions" in enter(client, code_for(secret))  # the next try is not spoiled


def test_a_code_counts_once(secret: str) -> None:
    code = code_for(secret)
    first, second = Client(), Client()
    for client in (first, second):
        sign_in(client)
        enter(client, code)
    assert is_in(first)
    assert not is_in(second)


@pytest.mark.parametrize("later_s", [0, 1, 15, 29, 29.9, 30, 31, 60])
def test_a_code_counts_once_for_as_long_as_it_is_valid(
    secret: str, monkeypatch: pytest.MonkeyPatch, later_s: float
) -> None:
    """It is remembered for a period from its use, and valid for no longer than to its own's end."""
    half_minute_s = NOW_S // 30 * 30
    clock = SimpleNamespace(now_s=half_minute_s)
    told = SimpleNamespace(time=lambda: clock.now_s)
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.time", told)
    monkeypatch.setattr("django.core.cache.backends.locmem.time", told)
    monkeypatch.setattr("django.core.cache.backends.base.time", told)
    code = code_for(secret)
    first, second = Client(), Client()
    for client, now_s in ((first, half_minute_s), (second, half_minute_s + later_s)):
        sign_in(client)
        clock.now_s = now_s
        enter(client, code)
    assert is_in(first)
    assert not is_in(second)


def test_each_recovery_code_opens_the_door_once(secret: str) -> None:
    client = Client()
    sign_in(client)
    enter(client, code_for(secret))
    codes = codes_of(client)
    assert len(codes) == len(set(codes)) == 10
    lost, again = Client(), Client()
    for without_phone in (lost, again):
        sign_in(without_phone)
        enter(without_phone, codes[0])
    assert is_in(lost)
    assert not is_in(again)
    assert len(codes_of(client)) == 9
    assert "Your submissions" in enter(again, codes[1])


def test_new_recovery_codes_make_the_old_ones_worthless(secret: str) -> None:
    client = Client()
    sign_in(client)
    enter(client, code_for(secret))
    old = codes_of(client)
    client.post("/account/2fa/recovery-codes/generate/")
    assert not set(old) & set(codes_of(client))
    other = Client()
    sign_in(other)
    enter(other, old[0])
    assert not is_in(other)


def test_without_the_password_nobody_comes_to_the_second_question(secret: str) -> None:
    client = Client()
    sign_in(client, "not the passphrase")
    assert client.get(ASKED).status_code == 302
    client.post(ASKED, {"code": code_for(secret)})
    assert not is_in(client)
