"""Uploads by programs: a body is a file, sent once under its key, and nobody else's."""

from __future__ import annotations

import io
from typing import Any
from uuid import uuid4

import pytest
from pytest_django.fixtures import Settings

from leaderboard.models import AccountUse, Run
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.foreign_files import zipped
from leaderboard.tests.support.rows import make_private_run
from leaderboard.tests.support.uploaded import chat_line

pytestmark = pytest.mark.django_db


@pytest.fixture
def caller() -> Caller:
    return Caller(make_user("ada"))


def send(caller: Caller, content: bytes | str, expect: int, query: str = "", **headers: str) -> Any:
    answer = caller.post(
        f"/api/v1/uploads/{query}",
        content,
        content_type="application/octet-stream",
        headers={**caller.headers_sent, **headers},
    )
    assert answer.status_code == expect, answer.content
    return answer.json()


def test_file_is_answered_with_its_address(caller: Caller) -> None:
    told = send(caller, chat_line() + "\n{", 201, "?name=mine.jsonl&title=Try")
    assert told["address"] == f"/runs/{told['id']}/"
    assert (told["title"], told["name"], told["attempts"]) == ("Try", "mine.jsonl", 1)
    assert (told["refused"], told["errors"][0]["line"]) == (1, 2)
    assert caller.ask(f"uploads/{told['id']}/") == told
    assert [row["id"] for row in caller.ask("uploads/")["results"]] == [told["id"]]
    assert caller.ask(f"runs/{told['id']}/")["is_public"] is False
    bytes_back = caller.get(told["address"], headers=caller.headers_sent)
    assert bytes_back.status_code == 404  # a token opens no page


def test_same_file_again_is_the_same_upload(caller: Caller) -> None:
    first = send(caller, chat_line(), 201)
    assert send(caller, chat_line(), 200)["id"] == first["id"]
    assert AccountUse.objects.count() == 1


def test_key_with_another_body_is_refused_before_it_is_read(caller: Caller) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    send(caller, chat_line(), 201, **key)
    assert send(caller, chat_line("8"), 422, **key)["code"] == "idempotency_key_reused"
    assert Run.objects.count() == AccountUse.objects.count() == 1


def test_key_gets_the_kept_answer_after_deletion(caller: Caller) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    first = send(caller, chat_line(), 201, **key)
    assert send(caller, chat_line(), 200, **key) == first


def test_wrong_files_are_problems(caller: Caller, settings: Settings) -> None:
    settings.UPLOAD_MB = 1
    assert send(caller, b"", 422)["code"] == "upload_empty"
    assert send(caller, b"\x00\x01", 422)["code"] == "upload_refused"
    assert send(caller, b"x" * ((1 << 20) + 1), 413)["code"] == "upload_too_large"
    settings.UPLOADS_PER_DAY = 1
    assert send(caller, chat_line(), 409)["code"] == "upload_quota_used_up"
    assert Run.objects.count() == 0


def test_body_that_breaks_off_is_refused(caller: Caller) -> None:
    cut: dict[str, Any] = {
        "CONTENT_LENGTH": "100000",
        "wsgi.input": io.BytesIO(chat_line().encode()),
    }
    kind, headers = "application/octet-stream", caller.headers_sent
    answer = caller.generic("POST", "/api/v1/uploads/", "x", kind, headers=headers, **cut)
    assert answer.status_code == 400
    assert answer.json()["code"] == "upload_broken_off"
    assert AccountUse.objects.count() == 0


def test_unknown_parameter_is_refused(caller: Caller) -> None:
    assert "fields" in send(caller, chat_line(), 400, "?titel=x")


def test_no_upload_without_a_token() -> None:
    assert send(Caller(), chat_line(), 401)["code"] == "not_authenticated"
    assert Caller().ask("uploads/", expect=401)


def test_uploads_of_others_are_absent(caller: Caller) -> None:
    told = send(caller, chat_line(), 201)
    other = Caller(make_user("bob"))
    assert other.ask("uploads/")["results"] == []
    for path in (f"uploads/{told['id']}/", f"uploads/{told['id']}/original/"):
        other.ask(path, expect=404)
    other.send(f"uploads/{told['id']}/delete/", expect=404)
    assert Run.objects.filter(pk=told["id"]).exists()


def test_owner_deletes_an_upload_and_no_other_run(caller: Caller) -> None:
    told = send(caller, zipped({"a.jsonl": chat_line("1"), "b.jsonl": chat_line("2")}), 201)
    played = make_private_run(make_user("cy"))
    assert caller.send(f"uploads/{told['id']}/delete/") == {"id": told["id"]}
    caller.ask(f"uploads/{told['id']}/", expect=404)
    caller.send(f"uploads/{played.pk}/delete/", expect=404)
    assert list(Run.objects.values_list("pk", flat=True)) == [played.pk]


def test_original_is_sent_inert(caller: Caller) -> None:
    content = chat_line().encode()
    told = send(caller, content, 201, "?name=a.html")
    answer = caller.get(f"/api/v1/uploads/{told['id']}/original/", headers=caller.headers_sent)
    assert answer.getvalue() == content
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment")
    assert "sandbox" in answer["Content-Security-Policy"]
