"""Doors of the site: the admin's sign-in, visitors by address, headers, sign-up, CSV, scripts."""

from __future__ import annotations

import csv
import io
import time

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.models import Endpoint, Entry, Run
from leaderboard.rendering.csv_response import answer_csv, guard
from leaderboard.submissions.run_actions import register
from leaderboard.tests.support.accounts import EMAIL, PASSWORD
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite
from leaderboard.visitors.client_address import client_address
from runner.contract import Status

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> User:
    user = User.objects.create_superuser("ada", EMAIL, PASSWORD)
    EmailAddress.objects.create(user=user, email=EMAIL, verified=True, primary=True)
    return user


# Maintainers


def test_admin_sign_in_leads_to_the_site_sign_in(staff: User) -> None:
    for path in ("/admin/", "/admin/login/", "/admin/leaderboard/run/"):
        answer = Client().get(path, follow=True)
        assert answer.redirect_chain[-1][0].startswith("/account/login/?next="), path
    answer = Client().post("/admin/login/", {"username": "ada", "password": PASSWORD})
    assert answer["Location"].startswith("/account/login/")


def test_password_alone_does_not_open_admin_with_second_factor(staff: User) -> None:
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

    TOTP.activate(staff, generate_totp_secret())
    client = Client()
    answer = client.post("/account/login/", {"login": EMAIL, "password": PASSWORD})
    assert answer["Location"] == "/account/2fa/authenticate/"
    assert client.get("/admin/")["Location"].startswith("/admin/login/")


def test_guessing_at_the_admin_door_is_throttled(staff: User) -> None:
    client = Client()
    path = client.get("/admin/", follow=True).redirect_chain[-1][0]
    said = [
        client.post(path, {"login": EMAIL, "password": f"wrong {n}"}).content.decode()
        for n in range(14)
    ]
    assert "Too many" in said[-1]


def test_signed_in_visitor_without_rights_is_refused_by_admin(
    django_user_model: type[User],
) -> None:
    client = Client()
    client.force_login(django_user_model.objects.create_user("bob"))
    assert client.get("/admin/", follow=True).status_code == 403


# Visitors


@pytest.mark.parametrize(
    ("proxies", "forwarded", "peer", "expected"),
    [
        (0, "198.51.100.7", "192.0.2.1", "192.0.2.1"),  # nobody vouches for the header
        (1, "198.51.100.7", "10.0.0.1", "198.51.100.7"),
        (1, "1.1.1.1, 2.2.2.2,198.51.100.7", "10.0.0.1", "198.51.100.7"),  # forged in front
        (2, "1.1.1.1, 198.51.100.7, 10.0.0.2", "10.0.0.1", "198.51.100.7"),
        (2, "198.51.100.7", "10.0.0.1", "10.0.0.1"),  # came past a proxy
        (1, "", "10.0.0.1", "10.0.0.1"),
        (1, "198.51.100.7:4711", "10.0.0.1", "198.51.100.7"),
        (1, "[2001:db8:1:2:3::4]:4711", "10.0.0.1", "2001:db8:1:2::"),
        (1, "2001:db8:1:2:ffff::9", "10.0.0.1", "2001:db8:1:2::"),  # the same customer's network
        (1, "::ffff:198.51.100.7", "10.0.0.1", "198.51.100.7"),
        (1, "unknown", "10.0.0.1", "0.0.0.0"),
        (1, "fe80::1%eth0", "10.0.0.1", "fe80::"),
    ],
)
def test_visitor_is_counted_by_what_the_proxies_vouch_for(
    settings: Settings, proxies: int, forwarded: str, peer: str, expected: str
) -> None:
    settings.PROXIES = proxies
    meta = {"REMOTE_ADDR": peer} | ({"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {})
    assert client_address(meta) == expected


def guess(client: Client, visitor: str, account: str) -> bool:
    """True if one wrong password is refused for having been one too many."""
    form = {"login": f"{account}@example.org", "password": "wrong"}
    answer = client.post("/account/login/", form, headers={"X-Forwarded-For": visitor})
    return answer.status_code == 429 or b"Too many" in answer.content


def test_one_visitor_behind_a_proxy_does_not_close_sign_in_for_others(settings: Settings) -> None:
    settings.PROXIES = 1
    crowd = [guess(Client(), f"9.9.9.{n}, 198.51.100.7", f"user{n}") for n in range(40)]
    assert crowd[-1]  # however the front of the header changes
    assert not guess(Client(), "198.51.100.8", "somebody")


def test_api_counts_visitors_in_the_same_way(settings: Settings) -> None:
    settings.PROXIES = 1
    settings.API_REQUESTS_PER_MINUTE = {"stranger": 3, "token": 3, "write": 3}

    def ask(visitor: str) -> int:
        return Client().get("/api/v1/runs/", headers={"X-Forwarded-For": visitor}).status_code

    assert [ask(f"1.1.1.{n}, 2001:db8::{n}") for n in range(4)] == [200, 200, 200, 429]
    assert ask("2001:db8:0:1::1") == 200


# Headers


def test_pages_say_what_browsers_may_do(client: Client) -> None:
    answer = client.get("/about/method/")
    assert "camera=()" in answer["Permissions-Policy"]
    assert "frame-src" not in answer["Content-Security-Policy"]
    assert "media-src" not in answer["Content-Security-Policy"]
    assert "Strict-Transport-Security" not in answer


def test_replays_alone_show_frames_and_media(client: Client) -> None:
    run = finish_run(make_run(make_suite(), make_entry("One")), 3)
    answer = client.get(run.attempts.earliest("pk").get_absolute_url())
    assert "frame-src 'self'" in answer["Content-Security-Policy"]
    assert "media-src 'self'" in answer["Content-Security-Policy"]
    assert "frame-src" not in client.get(run.get_absolute_url())["Content-Security-Policy"]


def test_browsers_keep_to_tls_where_the_site_is_served_over_it(
    client: Client, settings: Settings
) -> None:
    settings.SECURE_HSTS_SECONDS = 2_592_000
    assert client.get("/about/method/")["Strict-Transport-Security"] == "max-age=2592000"


@pytest.mark.parametrize("kind", ["page", "replay", "export", "api"])
def test_private_answers_are_kept_by_no_shared_cache(kind: str) -> None:
    owner = User.objects.create_user("ada", EMAIL, PASSWORD)
    entry = make_entry("One")
    Entry.objects.filter(pk=entry.pk).update(owner=owner)
    run = finish_run(make_run(make_suite(), entry), 3)
    Run.objects.filter(pk=run.pk).update(is_public=False)
    replay = run.attempts.earliest("pk").get_absolute_url()
    path = {
        "page": run.get_absolute_url(),
        "replay": replay,
        "export": f"{replay}attempt.json",
        "api": f"/api/v1/runs/{run.pk}/",
    }[kind]
    assert Client().get(path).status_code == 404
    client = Client()
    client.force_login(owner)
    assert "private" in client.get("/submissions/")["Cache-Control"]
    if kind != "api":
        answer = client.get(path)
        assert answer.status_code == 200
        assert "private" in answer["Cache-Control"]
    else:
        answer = client.get(path, headers={"Authorization": "Bearer none"})
        assert "private" in answer["Cache-Control"]


def test_public_pages_may_be_kept_for_all(client: Client) -> None:
    run = finish_run(make_run(make_suite(), make_entry("One")), 3)
    assert "private" not in client.get(run.get_absolute_url()).get("Cache-Control", "")


# What sign-up tells


def sign_up(email: str) -> tuple[int, str, float]:
    form = {"email": email, "password1": PASSWORD, "password2": PASSWORD}
    started = time.process_time()
    answer = Client().post("/account/signup/", form)
    return answer.status_code, answer["Location"], time.process_time() - started


def test_sign_up_does_not_tell_known_addresses_where_addresses_are_verified(
    settings: Settings,
) -> None:
    """The answer is the same, and so is its work: hashing a password is most of it."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    User.objects.create_user("ada", EMAIL, PASSWORD)
    sign_up("first@example.org")  # imports and templates
    known, unknown = [], []
    for number in range(3):
        cache.clear()
        known.append(sign_up(EMAIL))
        unknown.append(sign_up(f"new{number}@example.org"))
    assert {answer[:2] for answer in known} == {answer[:2] for answer in unknown}
    ratio = min(answer[2] for answer in known) / min(answer[2] for answer in unknown)
    assert 0.5 < ratio < 2
    assert "already" in mail.outbox[-2].body or any("already" in m.body for m in mail.outbox)


# CSV


@pytest.mark.parametrize(
    "start", ["=", "+", "-", "@", "\t", "\r", "\n", "\r\n", " =", "＝", "＋", "－", "＠"]
)
def test_formulas_in_csv_are_quoted(start: str) -> None:
    assert guard(f"{start}1+1") == f"'{start}1+1"


@pytest.mark.parametrize("value", ["a=1", "", " ", None, -3, 2.5, "数＝1"])
def test_other_cells_in_csv_are_left_alone(value: object) -> None:
    assert guard(value) == value  # type: ignore[arg-type]


def test_formulas_in_a_csv_heading_are_quoted() -> None:
    answer = answer_csv("a.csv", ["task", "=1+1"], [["a", 1]])
    assert answer.content.decode().splitlines() == ["task,'=1+1", "a,1"]


def test_names_are_quoted_in_every_csv(client: Client) -> None:
    suite = make_suite()
    run = finish_run(make_run(suite, make_entry("＝cmd|' /C calc'!A0")), 3)
    other = finish_run(make_run(suite, make_entry("\n=1+1")), 3)
    paths = ["/board.csv", f"/compare.csv?a={run.pk}&b={other.pk}", "/charts/paper.csv"]
    for path in paths:
        answer = client.get(path)
        if answer.status_code == 200:
            cells = [
                cell for row in csv.reader(io.StringIO(answer.content.decode())) for cell in row
            ]
            assert not [cell for cell in cells if cell.startswith(("＝", "\n="))], path
    assert client.get("/board.csv").status_code == 200


# The scripted port


def test_scripted_means_the_scripted_port_whoever_starts_the_run(settings: Settings) -> None:
    port = settings.SCRIPTED_PORT
    scripted = register(name="A", base_url=f"http://127.0.0.1:{port}/v1", model="reference")
    assert scripted.provenance == Entry.Provenance.SCRIPTED
    local = register(name="B", base_url="http://127.0.0.1:8001/v1", model="llama")
    assert local.provenance == Entry.Provenance.RUN_HERE
    suite = make_suite()
    words = ["--suite", suite.name, "--model", "reference", "--name", "C"]
    call_command(
        "start_run", *words, "--base-url", f"http://localhost:{port}/v1", stdout=io.StringIO()
    )
    assert Entry.objects.get(name="C").provenance == Entry.Provenance.SCRIPTED


def test_baselines_are_reached_on_the_configured_port(settings: Settings) -> None:
    suite = make_suite()
    call_command("start_baselines", suite.name, stdout=io.StringIO())
    addresses = set(Endpoint.objects.values_list("base_url", flat=True))
    assert addresses == {f"http://127.0.0.1:{settings.SCRIPTED_PORT}/v1"}


def test_baselines_under_way_keep_their_address(settings: Settings) -> None:
    suite = make_suite()
    call_command("start_baselines", suite.name, stdout=io.StringIO())
    Run.objects.exclude(entry__slug="scripted-reference").update(status=Status.DONE)
    settings.SCRIPTED_PORT = 8010
    call_command("start_baselines", suite.name, stdout=io.StringIO())
    by_slug = dict(Endpoint.objects.values_list("entry__slug", "base_url"))
    assert by_slug.pop("scripted-reference") == "http://127.0.0.1:8009/v1"
    assert set(by_slug.values()) == {"http://127.0.0.1:8010/v1"}
