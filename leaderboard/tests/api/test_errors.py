"""Errors of the API: each of them is a problem as in RFC 9457, wherever it comes from."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.test.client import RequestFactory
from pytest_django.fixtures import Settings

from leaderboard.api.errors import list_types
from leaderboard.models import Suite
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.rows import finish_run, make_private_run, make_run, make_suite
from leaderboard.views import static_pages

pytestmark = pytest.mark.django_db

OURS = {"fault", "code", "what", "next_step", "fields"}
STANDARD = {"type", "title", "status", "detail", "instance"}


@pytest.fixture(autouse=True)
def fresh_counters() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def check_problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The problem in an answer, after every rule about its shape."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert set(problem) == STANDARD | OURS | {"error"}
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["type"] == f"/api/v1/docs/#problem-{code}"
    assert problem["title"]
    assert problem["detail"] == f"{problem['what']} {problem['next_step']}"
    assert problem["error"] == {name: problem[name] for name in OURS}
    assert "?" not in problem["instance"]
    assert problem["instance"].startswith("/api/") or not problem["instance"]
    return problem


def ask_refused(path: str, **headers: str) -> Any:
    return Client().get(f"/api/v1/{path}", headers=headers)


def send_body(body: bytes, kind: str = "application/json", path: str = "runs/") -> Any:
    caller = Caller(make_user())
    return caller.post(f"/api/v1/{path}", body, content_type=kind, headers=caller.headers_sent)


def act_on_another_s_run() -> Any:
    run = finish_run(make_run(Suite.objects.get()), 3)
    caller = Caller(make_user())
    return caller.post(f"/api/v1/runs/{run.pk}/publish/", headers=caller.headers_sent)


def retry_without_void() -> Any:
    owner = make_user()
    run = make_private_run(owner)
    caller = Caller(owner)
    path = f"/api/v1/runs/{run.pk}/retry/"
    caller.post(path, headers=caller.headers_sent)
    return caller.post(path, headers=caller.headers_sent)


REFUSED: dict[str, tuple[Callable[[], Any], int, str]] = {
    "wrong parameter": (lambda: ask_refused("runs/?page=2"), 400, "invalid"),
    "NUL in the query": (lambda: ask_refused("entries/?mine=%00"), 400, "unreadable"),
    "NUL in the path": (lambda: ask_refused("suites/a%00b/"), 400, "unreadable"),
    "long query": (lambda: ask_refused("runs/?suite=" + "x" * 9000), 400, "unreadable"),
    "broken JSON": (lambda: send_body(b"{"), 400, "parse_error"),
    "wrong fields": (lambda: send_body(b"{}"), 400, "invalid"),
    "unknown token": (
        lambda: ask_refused("runs/", Authorization="Bearer x"), 401, "authentication_failed",
    ),
    "no token": (lambda: Client().post("/api/v1/runs/"), 401, "not_authenticated"),
    "another's run": (act_on_another_s_run, 403, "permission_denied"),
    "no such run": (lambda: ask_refused("runs/7/"), 404, "not_found"),
    "endless number": (lambda: ask_refused("runs/99999999999999999999999/"), 404, "not_found"),
    "no such address": (lambda: ask_refused("nothing/"), 404, "not_found"),
    "no slash": (lambda: ask_refused("runs"), 404, "not_found"),
    "no such version": (lambda: Client().get("/api/v2/runs/"), 404, "not_found"),
    "no version": (lambda: Client().get("/api/runs/"), 404, "not_found"),
    "page too far": (lambda: ask_refused("tasks/?page=9999"), 404, "not_found"),
    "wrong method": (lambda: Client().delete("/api/v1/suites/"), 405, "method_not_allowed"),
    "wrong method at the page": (
        lambda: Client(enforce_csrf_checks=True).post("/api/v1/docs/"), 405, "method_not_allowed",
    ),
    "wrong method at the root": (
        lambda: Client(enforce_csrf_checks=True).post("/api/v1/"), 405, "method_not_allowed",
    ),
    "wrong type asked for": (
        lambda: ask_refused("suites/", Accept="text/csv"), 406, "not_acceptable",
    ),
    "nothing void": (retry_without_void, 409, "nothing_void"),
    "large body": (lambda: send_body(b'"' + b"x" * 300_000 + b'"'), 413, "too_large"),
    "huge body": (lambda: send_body(b'"' + b"x" * (3 << 20) + b'"'), 413, "too_large"),
    "wrong type sent": (
        lambda: send_body(b"name=x", "application/x-www-form-urlencoded"),
        415,
        "unsupported_media_type",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_every_refusal_is_a_problem_with_the_old_shape_beside(name: str) -> None:
    make_suite()
    ask, status, code = REFUSED[name]
    check_problem(ask(), status, code)


def test_wrong_fields_are_named_beside_and_in_the_old_shape() -> None:
    make_suite()
    problem = check_problem(ask_refused("runs/?page=2"), 400, "invalid")
    assert list(problem["fields"]) == ["page"]
    assert problem["error"]["fields"] == problem["fields"]


@pytest.mark.django_db
def test_refused_base_url_is_named_beside_other_wrong_fields() -> None:
    make_suite()
    body = b'{"suite": "strater", "base_url": "ftp://x", "model": "m", "name": "n"}'
    problem = check_problem(send_body(body), 400, "invalid")
    assert set(problem["fields"]) == {"suite", "base_url"}


@pytest.mark.django_db
def test_all_that_is_wrong_is_named_at_once() -> None:
    make_suite()
    body = b'{"suite": "strater", "foo": 1, "sampling": {"temperature": 9, "topp": 1}}'
    problem = check_problem(send_body(body), 400, "invalid")
    wrong = {"foo", "suite", "base_url", "model", "name", "sampling"}
    assert {name.split(".")[0] for name in problem["fields"]} == wrong
    assert "topp" in str(problem["fields"])
    assert "temperature" in str(problem["fields"])
    problem = check_problem(ask_refused("runs/?page=2&before=x"), 400, "invalid")
    assert set(problem["fields"]) == {"page", "before"}


def test_throttled_request_is_a_problem_with_the_time_to_wait(settings: Settings) -> None:
    make_suite()
    settings.API_REQUESTS_PER_MINUTE = {"stranger": 1, "token": 4, "write": 1}
    assert ask_refused("suites/").status_code == 200
    answer = ask_refused("suites/")
    check_problem(answer, 429, "too_many_requests")
    assert int(answer["Retry-After"]) >= 1


def test_failure_of_ours_is_a_problem_without_a_trace(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr("leaderboard.api.suites.find_suite", break_down)
    with caplog.at_level(logging.ERROR):
        problem = check_problem(ask_refused("suites/starter/"), 500, "our_failure")
    assert "secret" not in str(problem)
    assert "ZeroDivisionError" in caplog.text


def test_failure_before_a_view_is_a_problem_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("leaderboard.api.docs_page.list_operations", break_down)
    client = Client(raise_request_exception=False)
    check_problem(client.get("/api/v1/docs/"), 500, "our_failure")


def test_wrong_host_is_a_problem(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["board.example.org"]
    answer = Client().get("/api/v1/docs/", headers={"Host": "evil.example.net"})
    check_problem(answer, 400, "unreadable")


def test_pages_beside_the_api_stay_pages() -> None:
    request = RequestFactory().get("/runs/7/")
    for answer in (
        static_pages.bad_request(request, ValueError()),
        static_pages.not_found(request, ValueError()),
        static_pages.server_error(request),
    ):
        assert answer["Content-Type"].startswith("text/html")


def test_address_with_markup_is_quoted_and_bounded_as_instance() -> None:
    problem = check_problem(ask_refused("nothing/%22%3Cb%3E/" + "x" * 3000), 404, "not_found")
    assert "%22%3Cb%3E" in problem["instance"]
    assert len(problem["instance"]) <= 1000


def test_types_lead_to_anchors_of_the_docs_page() -> None:
    page = Client().get("/api/v1/docs/").content.decode()
    for code, _ in list_types():
        assert f'id="problem-{code}"' in page
