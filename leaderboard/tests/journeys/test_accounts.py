"""Accounts: signing up, in and out, a lost password, a second factor, and what the pages show."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.test import Client

from leaderboard.tests.support.accounts import EMAIL, PASSWORD, code_for, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    """Attempts to sign in are counted in the cache, over all tests."""
    cache.clear()


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("ada", EMAIL, PASSWORD)


def test_signing_up_leads_to_ones_submissions() -> None:
    client = Client()
    form = {"email": EMAIL, "password1": PASSWORD, "password2": PASSWORD}
    answer = client.post("/account/signup/", form, follow=True)
    assert answer.redirect_chain[-1][0] == "/submissions/"
    page = answer.content.decode()
    assert "Your submissions" in page
    assert "10 of 10 runs left today" in page
    assert User.objects.get().email == EMAIL
    assert mail.outbox[0].to == [EMAIL]
    assert mail.outbox[0].subject.startswith("PyBench: ")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"email": "nobody"}, "valid email address"),
        ({"password1": "short", "password2": "short"}, "too short"),
        ({"password2": "another passphrase"}, "same password"),
        ({"password1": "12345678901", "password2": "12345678901"}, "entirely numeric"),
        ({"email": "a" * 1_000_000}, "at most"),
        ({"email": "a\x00@example.org"}, "Null characters"),
    ],
)
def test_what_is_wrong_with_a_sign_up_is_said_beside_it(changes: dict[str, str], said: str) -> None:
    form = {"email": EMAIL, "password1": PASSWORD, "password2": PASSWORD, **changes}
    page = Client().post("/account/signup/", form).content.decode()
    assert said in page
    assert 'class="field has-error"' in page
    assert not User.objects.exists()


def test_signing_in_shows_in_the_header_and_signing_out_ends_it(owner: User) -> None:
    client = Client()
    assert ">sign in</a>" in client.get("/about/method/").content.decode()
    assert "Your submissions" in sign_in(client)
    header = client.get("/about/method/").content.decode()
    assert ">sign in</a>" not in header
    assert ">submissions</a>" in header
    client.post("/account/logout/")
    assert ">sign in</a>" in client.get("/about/method/").content.decode()


def test_a_wrong_password_is_said_without_telling_which_accounts_exist(owner: User) -> None:
    wrong = sign_in(Client(), "not the passphrase")
    owner.delete()
    unknown = sign_in(Client(), "not the passphrase")
    errors = [
        re.findall(r'<ul class="errors".*?</ul>', page, re.DOTALL) for page in (wrong, unknown)
    ]
    assert errors[0] == errors[1]
    assert errors[0]


def test_a_lost_password_is_set_anew_by_mail(owner: User) -> None:
    client = Client()
    client.post("/account/password/reset/", {"email": EMAIL})
    link = re.search(
        r"http://testserver(/account/password/reset/key/\S+)", str(mail.outbox[0].body)
    )
    assert link is not None
    page = client.get(link[1], follow=True)
    changed = {"password1": "another long passphrase", "password2": "another long passphrase"}
    client.post(page.redirect_chain[-1][0], changed)
    assert "Your submissions" in sign_in(Client(), "another long passphrase")
    assert "Your submissions" not in sign_in(Client(), PASSWORD)


def test_a_second_factor_is_asked_for_once_it_is_set_up(owner: User) -> None:
    EmailAddress.objects.create(user=owner, email=EMAIL, verified=True, primary=True)
    client = Client()
    sign_in(client)
    asked = client.get("/account/2fa/totp/activate/")  # who sets one up proves again who it is
    answer = client.post(asked["Location"], {"password": PASSWORD}, follow=True)
    page = answer.content.decode()
    secret = re.search(r'id="authenticator_secret"[^>]*value="(\w+)"', page)
    assert secret is not None
    assert 'src="data:image/svg+xml' in page
    client.post("/account/2fa/totp/activate/", {"code": code_for(secret[1])})
    other = Client()
    page = sign_in(other)
    assert "Your submissions" not in page
    assert other.get("/submissions/").status_code == 302


@pytest.mark.parametrize(
    "path",
    ["login/", "signup/", "password/reset/", "", "email/", "password/change/", "2fa/", "logout/"],
)
def test_every_account_page_is_in_our_look_and_under_our_policy(owner: User, path: str) -> None:
    client = Client()
    if path not in ("login/", "signup/", "password/reset/"):
        client.force_login(owner)
    answer = client.get(f"/account/{path}", follow=True)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert 'class="mark"' in page
    assert "css/forms.css" in page
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert not re.search(r"<script(?![^>]*(src=|application/json))", page)
    assert " style=" not in page


def test_endless_guessing_is_slowed_down(owner: User) -> None:
    client = Client()
    for _ in range(12):
        page = sign_in(client, "guess")
    assert "Too many failed login attempts" in page
    assert "Your submissions" not in sign_in(client)


def test_a_crowd_of_addresses_does_not_make_a_counter_forget(owner: User) -> None:
    """The cache in memory holds them all: a full one forgets some of those that it has."""
    client = Client()
    for _ in range(12):
        sign_in(client, "guess")
    for number in range(10_000):
        cache.set(f"stranger-{number}", [0.0], 60)
    assert "Too many failed login attempts" in sign_in(client)
