"""Doors as a stranger tries them: ways into the admin, other spellings, caches, formulas in CSV."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable
from itertools import accumulate, chain
from xml.etree import ElementTree

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.board.charts import DRAWINGS
from leaderboard.board.queries import BOARDS
from leaderboard.models import Entry, PublicChange, Run
from leaderboard.rendering.csv_response import UNSEEN
from leaderboard.submissions.endpoint_policy import (
    is_scripted_address,
    run_policy,
    submission_policy,
)
from leaderboard.tests.support.accounts import EMAIL, PASSWORD
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite
from leaderboard.visitors.page_limits import ALLOWANCE
from runner.contract import ProblemError
from runner.endpoint.address_policy import check_url

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    user = User.objects.create_superuser("ada", EMAIL, PASSWORD)
    EmailAddress.objects.create(user=user, email=EMAIL, verified=True, primary=True)
    return user


# The admin

WAYS_IN = [
    "/admin/login/", "/admin/login/?next=/admin/", "/admin/login/?next=//evil.example/",
    "/admin/login/?next=https:evil.example", "/admin/password_change/", "/admin/logout/",
    "/admin/jsi18n/", "/admin/auth/user/add/", "/admin/r/1/1/", "/admin/autocomplete/",
]  # fmt: skip


@pytest.mark.parametrize("path", WAYS_IN)
@pytest.mark.parametrize("method", ["get", "post"])
def test_no_way_into_admin_takes_a_password(ada: User, path: str, method: str) -> None:
    client = Client()
    form = {"username": "ada", "password": PASSWORD, "login": EMAIL}
    answer = getattr(client, method)(path, form)
    assert answer.status_code in (302, 403, 404, 405), answer.status_code
    assert "evil.example" not in answer.get("Location", "").partition("?")[0]
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize(
    "target", ["//evil.example/", "https://evil.example", "/\\evil.example", "https:evil.example",
               "\thttps://evil.example", "javascript:alert(1)", "///evil.example"]
)  # fmt: skip
def test_sign_in_leads_to_no_other_site(ada: User, target: str) -> None:
    form = {"login": EMAIL, "password": PASSWORD, "next": target}
    answer = Client().post("/account/login/", form)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/")
    assert not answer["Location"].startswith(("//", "/\\"))


def test_new_password_ends_other_sessions(ada: User) -> None:
    other = Client()
    other.force_login(ada)
    ada.set_password("another long passphrase")
    ada.save()
    assert other.get("/admin/").status_code == 302


# What answers tell of accounts


@pytest.mark.parametrize("verification", ["optional", "mandatory"])
def test_reset_of_a_password_tells_nothing(
    settings: Settings, ada: User, verification: str
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = verification
    answers = []
    for email in (EMAIL, "nobody@example.org"):
        cache.clear()
        answer = Client().post("/account/password/reset/", {"email": email})
        answers.append((answer.status_code, answer.get("Location")))
    assert answers[0] == answers[1]


def test_change_of_address_tells_nothing_where_addresses_are_verified(
    settings: Settings, ada: User
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    bob = User.objects.create_user("bob", "bob@example.org", PASSWORD)
    EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
    answers = []
    for email in (EMAIL, "nobody@example.org"):
        cache.clear()
        client = Client()
        client.force_login(bob)
        answer = client.post("/account/email/", {"action_add": "", "email": email})
        answers.append((answer.status_code, answer.get("Location")))
    assert answers[0] == answers[1]


# Headers on every kind of answer

KINDS = [
    "/", "/no-such-page/", "/static/css/site.css", "/static/none.css", "/board.csv", "/board.json",
    "/api/v1/", "/api/v1/none/", "/api/v1/runs/", "/account/login/", "/admin/", "/about/method/",
    "/%00", "/files/" + "0" * 64 + "/a.html",
    "/frames/" + "0" * 64 + "/a.html", "/board.csv?suite=none", "/?page=9" + "9" * 60,
]  # fmt: skip


@pytest.mark.parametrize("path", KINDS)
def test_every_kind_of_answer_has_the_headers(settings: Settings, path: str) -> None:
    settings.SECURE_HSTS_SECONDS = 60
    make_suite()
    answer = Client(raise_request_exception=False).get(path)
    assert answer.status_code < 500
    assert answer["X-Content-Type-Options"] == "nosniff", path
    assert "Strict-Transport-Security" in answer, path
    assert "Permissions-Policy" in answer, path


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_probe_is_kept_by_nobody_and_guessed_at_by_no_browser(path: str) -> None:
    answer = Client().get(path)
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("path", ["/board.json", "/board.csv", "/api/v1/board/", "/api/v1/runs/"])
def test_data_that_a_program_has_are_not_sent_again(path: str) -> None:
    run = finish_run(make_run(make_suite(), make_entry("One")), 3)
    first = Client().get(path)
    known = {"If-None-Match": f'"x", W/{first["ETag"]}'}
    again = Client().get(path, headers=known)
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    assert again["Cache-Control"] == first["Cache-Control"] == "no-cache"
    assert set(again["Vary"].split(", ")) >= set(first.get("Vary", "Accept-Encoding").split(", "))
    assert "Permissions-Policy" in again
    Run.objects.filter(pk=run.pk).update(is_public=False)
    BOARDS.clear()
    assert Client().get(path, headers=known).status_code == 200


def test_errors_and_private_data_have_their_own_caching(ada: User) -> None:
    assert "ETag" not in Client().get("/api/v1/none/")
    answer = Client().get("/api/v1/runs/", headers={"Authorization": "Bearer none"})
    assert "ETag" not in answer
    client = Client()
    client.force_login(ada)
    make_suite()
    assert "private" in client.get("/board.json")["Cache-Control"]


def test_page_that_is_put_off_has_the_headers(settings: Settings) -> None:
    settings.PROXIES = 1
    ALLOWANCE.charge("198.51.100.9", 10_000.0)
    answer = Client().get("/", headers={"X-Forwarded-For": "198.51.100.9"})
    assert answer.status_code == 429
    assert "default-src" in answer["Content-Security-Policy"]
    assert "Permissions-Policy" in answer
    assert "no-store" in answer["Cache-Control"]


# The scripted port in other spellings

SPELLINGS = [
    "http://127.1:{port}/v1", "http://0x7f000001:{port}/v1", "http://2130706433:{port}/v1",
    "http://0177.0.0.1:{port}/v1", "http://[::1]:{port}/v1", "http://[::ffff:127.0.0.1]:{port}/v1",
    "http://localhost.:{port}/v1", "http://LOCALHOST:{port}/v1", "http://127.0.0.1.:{port}/v1",
    "http://127.0.0.2:{port}/v1", "http://0.0.0.0:{port}/v1", "http://[::]:{port}/v1",
    "http://127.0.0.1:0{port}/v1", "http://①②⑦.⓪.⓪.①:{port}/v1", "http://user@127.0.0.1:{port}/v1",
    "http://localhost:{port}#@example.org/v1", "http://example.org\\@127.0.0.1:{port}/v1",
    "http://loc%61lhost:{port}/v1", "http://127。0。0。1:{port}/v1",
    "http://[::ffff:7f00:1]:{port}/v1", "http://[0:0:0:0:0:0:0:1]:{port}/v1",
    "http://ⓛocalhost:{port}/v1",
]  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_spelling_of_the_scripted_port_is_submitted(settings: Settings, spelling: str) -> None:
    settings.ENDPOINT_HTTP = True
    settings.ENDPOINT_PORTS = [443, settings.SCRIPTED_PORT]
    url = spelling.format(port=settings.SCRIPTED_PORT)
    with pytest.raises(ProblemError):
        check_url(url, submission_policy())


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_spelling_that_operators_give_is_scripted_or_no_loopback(
    settings: Settings, spelling: str
) -> None:
    """A command's address is checked too: what reaches the scripted port is labelled as that."""
    settings.ENDPOINT_HTTP = True
    url = spelling.format(port=settings.SCRIPTED_PORT)
    try:
        checked = check_url(url, run_policy())
    except ProblemError:
        return
    assert is_scripted_address(checked), checked


# Pages that are kept


def test_kept_page_is_shown_to_nobody_once_it_is_withdrawn() -> None:
    owner, other = (User.objects.create_user(name) for name in ("ann", "ben"))
    entry = make_entry("One")
    Entry.objects.filter(pk=entry.pk).update(owner=owner)
    run = finish_run(make_run(make_suite(), entry), 3)
    path = run.attempts.earliest("pk").get_absolute_url()
    paths = [path, f"{path}?from=1", f"{path}?try=1", f"{path}?attempt=1"]
    mine, theirs = Client(), Client()
    mine.force_login(owner)
    theirs.force_login(other)
    assert {c.get(p).status_code for c in (mine, theirs, Client()) for p in paths} == {200}
    Run.objects.filter(pk=run.pk).update(is_public=False)
    BOARDS.clear()
    assert {mine.get(p).status_code for p in paths} == {200}
    assert {c.get(p).status_code for c in (theirs, Client()) for p in paths} == {404}
    assert all("private" in mine.get(p)["Cache-Control"] for p in paths)


@pytest.mark.parametrize(
    "query", ["from=0", "from=-1", "from=99999999999999999999", "from=1e3", "from=", "from=٣",
              "try=0", "try=-1", "attempt=0", "attempt=99", "from=1&from=2", "from=%00",
              "in=" + "a" * 5000]
)  # fmt: skip
def test_missing_windows_are_no_server_error(query: str) -> None:
    run = finish_run(make_run(make_suite(), make_entry("One")), 3)
    path = run.attempts.earliest("pk").get_absolute_url()
    answer = Client(raise_request_exception=False).get(f"{path}?{query}")
    assert answer.status_code in (200, 400, 404)


# CSV

NASTY = ["=1+1", "＝1", "\r=1", "\n@x", "\t+1", "-1+1", "\ufeff=1+1", "\u200b=1", "\u00a0=1",
         "\x0b=1", "\u2028=1", "'=1", "−1", "﹦1", "\x00=1", "a;=1", 'a;"=1', "a\t@x", "a\n=1",
         'a"; =1', "a;\u200b+1", ";;=1", "\u180e=1", "\U000e0001=1", "﹢1", "⁺1", "₌1",
         "\u00ad=1", "a\x0c=1", "\r\n=1", "'\t=1"]  # fmt: skip
EVERY_CSV = ["/board.csv", "/failures.csv", "/tasks/{suite}.csv", "/compare.csv?runs={runs}",
             *(f"/charts/{key}.csv" for key in DRAWINGS)]  # fmt: skip


@pytest.mark.parametrize("first", range(0, len(NASTY), 4))
def test_no_name_starts_a_formula_in_any_csv(first: int) -> None:
    """Four at once, which every chart has room for."""
    suite, names = make_suite(), NASTY[first : first + 4]
    runs = [finish_run(make_run(suite, make_entry("A")), 3) for _ in range(4)]
    for run, name in zip(runs, names, strict=False):
        Entry.objects.filter(pk=run.entry_id).update(name=name, organisation=name, model_name=name)
        run.attempts.update(sentence=name)
    chosen = ",".join(str(run.pk) for run in runs)
    for path in EVERY_CSV:
        answer = Client().get(path.format(suite=suite.name, runs=chosen))
        assert answer.status_code == 200, path
        text = b"".join(answer) if answer.streaming else answer.content
        for delimiter in ",;\t":
            assert_no_formula(
                csv.reader(io.StringIO(text.decode(), newline=""), delimiter=delimiter)
            )


def assert_no_formula(rows: Iterable[list[str]]) -> None:
    for cell in chain.from_iterable(rows):
        bare = "".join(char for char in cell if unicodedata.category(char) not in UNSEEN)
        first = unicodedata.normalize("NFKC", bare.lstrip('"')[:1])
        assert first not in ("=", "+", "@"), cell


# What programs read: one name leaves feeds, badges, tables and citations whole.

BREAKING = ["\ufffe\uffff", "\x0b\x1f", "\x85", "\U0001fffe", "]]>", "--><x>", "&amp;", "\u202e",
            "\u2028\u2029", "\u0301" * 200, "%s%n{}", "\\input{/etc/passwd}}}}",
            "}\n@string{x"]  # fmt: skip


@pytest.mark.parametrize("name", BREAKING)
def test_name_of_any_kind_leaves_machine_formats_whole(name: str) -> None:
    suite = make_suite()
    one, two = (finish_run(make_run(suite, make_entry(each)), 3) for each in ("One", "Two"))
    Entry.objects.filter(pk=one.entry_id).update(name=name, organisation=name, model_name=name)
    one.attempts.update(sentence=name)
    row = {"kind": PublicChange.Kind.WITHDRAWN, "suite": str(suite), "reason": name, "facts": {}}
    PublicChange.objects.create(run_number=one.pk, **row)
    BOARDS.clear()
    for path in ("/changes.atom", f"/runs/{one.pk}/badge.svg", "/charts/pass-rates.svg"):
        ElementTree.fromstring(Client().get(path).content)
    pair = f"/compare.json?runs={one.pk},{two.pk}"
    for path in ("/changes.json", "/board.json", "/failures.json", pair):
        assert Client().get(path).json()
    cited = re.sub(r"\\[{}]", "", Client().get(f"/runs/{one.pk}/cite.bib").content.decode())
    depths = list(accumulate((char == "{") - (char == "}") for char in cited))
    assert min(depths) >= 0
    assert depths[-1] == 0
    assert f"\n{cited}".count("\n@misc") == f"\n{cited}".count("\n@")
