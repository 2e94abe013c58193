"""Sign-in and the admin as a stranger tries them: other people's sessions, forms, guesses."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.tests.support.accounts import EMAIL, PASSWORD

pytestmark = pytest.mark.django_db


def make_user(name: str, email: str, **rights: bool) -> User:
    user = User.objects.create_user(name, email, PASSWORD, **rights)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    cache.clear()


@pytest.fixture
def chief() -> User:
    """Everything may be done by her, after a second factor."""
    user = make_user("ada", EMAIL, is_staff=True, is_superuser=True)
    TOTP.activate(user, generate_totp_secret())
    return user


@pytest.fixture
def helper() -> User:
    """May enter the admin and has no rights there."""
    return make_user("bob", "bob@example.org", is_staff=True)


@pytest.mark.parametrize(
    "path", ["/admin/login/", "/admin/login/?next=/admin/", "/admin/", "/admin/logout/"]
)
def test_maintainer_becomes_no_other_by_password_alone(
    chief: User, helper: User, path: str
) -> None:
    client = Client()
    client.force_login(helper)
    form = {"username": "ada", "password": PASSWORD, "next": "/admin/"}
    client.post(path, form)
    assert client.session.get("_auth_user_id") != str(chief.pk)


@pytest.mark.parametrize("has_second_factor", [False, True])
def test_required_second_factor_is_asked_of_every_maintainer(
    settings: Settings, helper: User, has_second_factor: bool
) -> None:
    settings.IS_HTTPS = True
    if has_second_factor:
        TOTP.activate(helper, generate_totp_secret())
    client = Client()
    client.force_login(helper)
    for path in ("/admin/", "/admin/leaderboard/run/", "/admin/password_change/"):
        answer = client.get(path, follow=True)
        if has_second_factor:
            assert answer.status_code in (200, 403)
            assert "/account/2fa/" not in str(answer.redirect_chain)
        else:
            assert answer.redirect_chain[-1][0] == "/account/2fa/"
            assert "The admin needs a second factor" in answer.content.decode()


@pytest.mark.parametrize(
    "target", ["//evil.example/", "https://evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_admin_sign_in_leads_a_maintainer_to_no_other_site(helper: User, target: str) -> None:
    client = Client()
    client.force_login(helper)
    assert client.get("/admin/login/", {"next": target})["Location"] == "/admin/"
    anonymous = Client().get("/admin/login/", {"next": target})["Location"]
    assert "evil" not in anonymous
    assert "javascript" not in anonymous


def test_codes_cannot_be_guessed_without_end(chief: User) -> None:
    client = Client()
    client.post("/account/login/", {"login": EMAIL, "password": PASSWORD})
    said = []
    for guess in range(15):
        answer = client.post("/account/2fa/authenticate/", {"code": f"{guess:06}"}, follow=True)
        said.append(answer.status_code == 429 or b"Too many" in answer.content)
    assert said[-1]


def test_codes_cannot_be_guessed_from_many_sessions(chief: User) -> None:
    said = []
    for guess in range(30):
        client = Client(REMOTE_ADDR=f"198.51.100.{guess}")
        client.post("/account/login/", {"login": EMAIL, "password": PASSWORD})
        answer = client.post("/account/2fa/authenticate/", {"code": f"{guess:06}"}, follow=True)
        said.append(answer.status_code == 429 or b"Too many" in answer.content)
    assert said[-1]


@pytest.mark.parametrize("spelling", [str.upper, str.title, " {} ".format, "{}\t".format])
def test_other_spellings_of_an_address_share_its_limit(chief: User, spelling: object) -> None:
    assert callable(spelling)
    for guess in range(12):
        login = EMAIL if guess % 2 else spelling(EMAIL)
        form = {"login": login, "password": f"guess {guess}"}
        said = Client(REMOTE_ADDR=f"198.51.100.{guess}").post("/account/login/", form)
    assert "Too many" in said.content.decode()


def test_session_of_before_is_worth_nothing_after_sign_in(helper: User) -> None:
    client = Client()
    client.get("/account/login/")
    session = client.session
    session["planted"] = True
    session.save()
    client.cookies["sessionid"] = planted = str(session.session_key)
    form = {"login": "bob@example.org", "password": PASSWORD}
    assert client.post("/account/login/", form).status_code == 302
    assert client.session.session_key != planted
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert "_auth_user_id" not in thief.session


FORMS = [
    "/account/login/", "/account/signup/", "/account/password/reset/", "/account/logout/",
    "/account/2fa/authenticate/", "/account/reauthenticate/", "/account/email/",
    "/account/password/change/", "/account/tokens/", "/account/2fa/totp/deactivate/",
    "/account/2fa/recovery-codes/generate/", "/submit/", "/admin/login/",
]  # fmt: skip


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize("origin", ["https://evil.example", "null", ""])
def test_no_form_is_taken_from_another_site(helper: User, path: str, origin: str) -> None:
    client = Client(enforce_csrf_checks=True)
    if path not in ("/account/login/", "/account/signup/", "/account/password/reset/"):
        client.force_login(helper)
    form = {"login": "bob@example.org", "email": "bob@example.org", "password": PASSWORD}
    headers = {"Origin": origin} if origin else {}
    answer = client.post(path, form, headers=headers)
    assert answer.status_code in (403, 302), answer.status_code
    if answer.status_code == 302:  # it asked to sign in again; nothing was done
        assert answer["Location"].startswith(("/account/", "/admin/"))
    assert not mail.outbox
    assert User.objects.count() == 1


def test_unknown_address_is_answered_like_a_wrong_password(helper: User) -> None:
    pages = []
    for email in ("bob@example.org", "nobody@example.org"):
        page = Client().post("/account/login/", {"login": email, "password": "wrong"})
        pages.append(page.content.decode().replace(email, ""))
    start = [page.index("<main") for page in pages]
    found = [page[at:].count("are not correct") for page, at in zip(pages, start, strict=True)]
    assert found == [1, 1]
