"""The method page and what is said when something is wrong."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.rendering.text import in_sentence_case
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.rows import make_suite


@pytest.mark.parametrize(
    "word",
    [
        "Pass rate",
        "Wilson",
        "per passed task",
        "Did not count",
        "Scripted baseline",
    ],
)
def test_the_method_page_defines_what_the_board_shows(client: Client, word: str) -> None:
    response = client.get("/about/method/")
    assert response.status_code == 200
    assert word in response.content.decode()


@pytest.mark.parametrize("path", ["/nothing/", "/runs/x/", "/files/abc/x", "/runs/1/"])
@pytest.mark.django_db
def test_an_unknown_address_says_so_in_the_site_s_words(client: Client, path: str) -> None:
    response = client.get(path)
    page = response.content.decode()
    assert response.status_code == 404
    assert "There is nothing at this address" in page
    assert 'class="top"' in page
    assert "matches the given query" not in page  # no words of the framework
    assert "default-src 'none'" in response["Content-Security-Policy"]


def test_malformed_request_gets_a_page_that_says_so(client: Client) -> None:
    response = client.get("/about/method/", headers={"Host": "evil.example"})
    assert response.status_code == 400
    assert "This request could not be read" in response.content.decode()


@pytest.mark.django_db
def test_our_own_failure_is_called_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    make_suite()

    def break_down(*_: object) -> None:
        raise RuntimeError("a secret detail")

    monkeypatch.setattr("leaderboard.views.board.load_board", break_down)
    response = Client(raise_request_exception=False).get("/")
    page = response.content.decode()
    assert response.status_code == 500
    assert "The fault is ours" in page
    assert "secret detail" not in page


@pytest.mark.django_db
def test_the_tasks_of_the_newest_suite_are_one_click_away(client: Client) -> None:
    assert client.get("/tasks/").headers["Location"] == "/"
    make_suite("newest")
    assert client.get("/tasks/").headers["Location"] == "/tasks/newest/"


@pytest.mark.django_db
def test_address_of_a_form_says_that_it_is_no_page(client: Client) -> None:
    client.force_login(make_user())
    opened = client.get("/runs/1/cancel/")
    deleted = Client().delete("/account/login/")
    assert (opened.status_code, opened["Allow"]) == (405, "POST")
    assert "It only receives forms" in opened.content.decode()
    assert deleted.status_code == 405
    assert "It does not accept DELETE requests" in deleted.content.decode()


@pytest.mark.django_db
def test_forged_form_is_refused_in_the_site_s_words() -> None:
    response = Client(enforce_csrf_checks=True).post("/account/login/", {"login": "x"})
    assert response.status_code == 403
    assert "This form has expired" in response.content.decode()


@pytest.mark.django_db
def test_admin_is_closed_to_submitters_in_the_site_s_words(client: Client) -> None:
    client.force_login(make_user())
    response = client.get("/admin/", follow=True)
    assert response.status_code == 403
    assert "open to maintainers only" in response.content.decode()


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Sign In", "Sign in"),
        ("\n Two-Factor Authentication ", "\n Two-factor authentication "),
        ("New Password (again)", "New password (again)"),
        ("Extra request fields (JSON)", "Extra request fields (JSON)"),
        ("Sign In Via GitHub", "Sign in via GitHub"),
        ("Sign In Via Google", "Sign in via Google"),
        ("Done. Sign in", "Done. Sign in"),
    ],
)
def test_headings_of_sign_in_pages_are_in_sentence_case(
    settings: Settings, heading: str, expected: str
) -> None:
    settings.SOCIAL_PROVIDERS = ["google"]
    assert in_sentence_case(heading) == expected
