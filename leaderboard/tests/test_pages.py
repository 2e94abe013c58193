"""The method page and what is said when something is wrong."""

from __future__ import annotations

import pytest
from django.test import Client

from leaderboard.tests.factories import make_suite


@pytest.mark.parametrize("word", ["UT strict", "Wilson", "Turns", "Void", "Scripted baseline"])
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


def test_a_malformed_request_is_told_so(client: Client) -> None:
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
    assert "It is our fault" in page
    assert "secret detail" not in page


@pytest.mark.django_db
def test_the_tasks_of_the_newest_suite_are_one_click_away(client: Client) -> None:
    assert client.get("/tasks/").headers["Location"] == "/"
    make_suite("newest")
    assert client.get("/tasks/").headers["Location"] == "/tasks/newest/"
