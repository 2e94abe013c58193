"""The API as programs get it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from leaderboard.accounts.tokens import make_token, revoke_token
from leaderboard.models import Artifact, Endpoint, Run
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.rows import (
    add_step,
    finish_run,
    make_board,
    make_entry,
    make_private_run,
    make_run,
    make_step,
    make_suite,
    printed,
)
from runner.contract import Status

pytestmark = pytest.mark.django_db

SUBMISSION = {
    "suite": "starter",
    "base_url": "https://api.somewhere.net/v1",
    "model": "foo-70b",
    "name": "Foo 70B",
    "api_key": "sk-canary-93xk",
    "sampling": {"temperature": 0.2, "max_tokens": 2000},
    "attempts_per_task": 2,
}


@pytest.fixture(autouse=True)
def fresh_counters() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def test_a_stranger_reads_the_way_from_the_board_to_an_assertion() -> None:
    told, *_ = make_board()
    caller = Caller()
    board = caller.ask("board/")
    assert board["suite"] == "starter@1"
    assert told.pk in [row["run"] for row in board["rows"]]
    run = caller.ask(f"runs/{told.pk}/")
    assert (run["figures"]["passed"], run["figures"]["tasks"]) == (4, 8)
    assert {c["category"] for c in run["categories"]} > {"chart", "maths"}
    failed = caller.ask(f"attempts/?run={told.pk}&passed=false&task=quarterly-sales")["results"]
    attempt = caller.ask(f"attempts/{failed[0]['id']}/")
    assertions = {a["name"]: a for a in attempt["verdicts"][0]["assertions"]}
    assert (assertions["rows"]["expected"], assertions["rows"]["actual"]) == ("4", "5")
    steps = caller.ask(f"attempts/{attempt['id']}/steps/")["results"]
    assert [step["index"] for step in steps] == [1, 2, 3, 4, 5, 6]
    assert steps[1]["error_name"] == "KeyError"
    picture = steps[4]["outputs"][1]["parts"][0]
    assert (picture["type"], len(picture["sha256"])) == ("image/png", 64)
    files = caller.ask(f"attempts/{attempt['id']}/artifacts/")["results"]
    table = next(f for f in files if f["path"] == "quarters.csv")
    content = caller.get(table["content"])
    assert b"".join(content).startswith(b"quarter,amount")
    assert content["Content-Type"] == "application/octet-stream"
    assert content["Content-Disposition"] == 'attachment; filename="quarters.csv"'


def test_suites_tasks_and_entries_are_listed_and_described() -> None:
    make_board()
    caller = Caller()
    assert [s["reference"] for s in caller.ask("suites/")["results"]] == ["starter@1"]
    assert caller.ask("suites/starter/") == caller.ask("suites/starter@1/")
    tasks = caller.ask("tasks/?suite=starter&category=chart")["results"]
    assert [t["key"] for t in tasks] == ["quarterly-sales", "station-temperatures"]
    assert caller.ask(f"tasks/{tasks[0]['id']}/")["outputs"] == ["quarters.csv"]
    entries = caller.ask("entries/")["results"]
    assert [e["name"] for e in entries] == ["Foo 70B", "Bar", "Baz"]
    assert caller.ask(f"entries/{entries[0]['slug']}/") == entries[0]
    assert "base_url" not in json.dumps(entries)


def test_lists_come_in_pages_that_lead_on_to_the_last() -> None:
    make_board()
    caller = Caller()
    for path in ("attempts/?page_size=7", "tasks/?page_size=3", "runs/?page_size=1"):
        seen, following = [], f"/api/v1/{path}"
        while following:
            page = caller.get(following).json()
            seen += [row["id"] for row in page["results"]]
            following = page["next"]
        assert len(seen) == len(set(seen)) == {"a": 24, "t": 8, "r": 3}[path[0]]


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("runs/?suite=absent", "suite"),
        ("runs/?status=sleeping", "status"),
        ("runs/?page=2", "page"),
        ("runs/?page_size=201", "page_size"),
        ("runs/?before=0", "before"),
        ("attempts/?run=99999999999999999999", "run"),
        ("attempts/?passed=perhaps", "passed"),
        ("tasks/?page=0", "page"),
        ("entries/?weigths=open", "weigths"),
        ("board/?suite=%F0%9F%98%80", "suite"),
    ],
)
def test_invalid_query_is_answered_with_the_wrong_parameter(path: str, field: str) -> None:
    make_suite()
    error = Caller().ask(path, expect=400)["error"]
    assert (error["fault"], error["code"], list(error["fields"])) == (
        "submitter",
        "invalid",
        [field],
    )
    assert error["fields"][field][0]


@pytest.mark.parametrize(
    "path",
    [
        "runs/7/", "runs/99999999999999999999999/", "suites/absent/", "entries/absent/", "nothing/",
        "runs", "tasks/?page=9999", "attempts/1/steps/", "artifacts/1/content/", "board/",
    ],
)  # fmt: skip
def test_what_is_not_there_is_not_found_in_the_one_shape(path: str) -> None:
    error = Caller().ask(path, expect=404)["error"]
    assert set(error) == {"fault", "code", "what", "next_step", "fields"}
    assert error["code"] == "not_found"


def test_a_nul_in_an_address_is_refused_in_the_one_shape() -> None:
    assert Caller().ask("entries/?mine=%00", expect=400)["error"]["code"] == "unreadable"
    assert Caller().ask("suites/a%00b/", expect=400)["error"]["code"] == "unreadable"


def test_another_user_s_private_run_is_nowhere() -> None:
    make_board()
    owner, other = make_user("owner"), make_user("other")
    run = make_private_run(owner)
    attempt = run.attempts.order_by("pk")[0]
    artifact = Artifact.objects.filter(attempt=attempt).exclude(blob=None)[0]
    hidden = [
        f"runs/{run.pk}/",
        f"entries/{run.entry.slug}/",
        f"attempts/{attempt.pk}/",
        f"attempts/{attempt.pk}/steps/",
        f"attempts/{attempt.pk}/artifacts/",
        f"artifacts/{artifact.pk}/content/",
    ]
    for caller in (Caller(), Caller(other)):
        for path in hidden:
            caller.ask(path, expect=404)
        assert run.pk not in [r["id"] for r in caller.ask("runs/")["results"]]
        assert caller.ask(f"attempts/?run={run.pk}")["results"] == []
        assert run.entry.slug not in [e["slug"] for e in caller.ask("entries/")["results"]]
        assert run.pk not in [r["run"] for r in caller.ask("board/")["rows"]]
    for act in ("cancel", "resume", "retry", "publish", "withdraw"):
        Caller(other).send(f"runs/{run.pk}/{act}/", expect=404)
    mine = Caller(owner)
    for path in hidden[:-1]:
        mine.ask(path)
    answer = mine.get(f"/api/v1/{hidden[-1]}", headers=mine.headers_sent)
    assert answer.status_code == 200
    assert "private" in answer["Cache-Control"]
    assert [r["id"] for r in mine.ask("runs/?mine=true")["results"]] == [run.pk]


def test_an_owner_publishes_and_withdraws_a_run() -> None:
    owner = make_user()
    run = make_private_run(owner)
    mine = Caller(owner)
    assert mine.send(f"runs/{run.pk}/publish/")["published_at"]
    assert Caller().ask(f"runs/{run.pk}/")["is_public"] is True
    assert Caller(make_user("other")).send(f"runs/{run.pk}/withdraw/", expect=403)
    assert mine.send(f"runs/{run.pk}/withdraw/")["withdrawn_at"]
    Caller().ask(f"runs/{run.pk}/", expect=404)


def test_an_owner_tries_void_attempts_again_and_only_those() -> None:
    owner = make_user()
    run = make_private_run(owner)
    before = {a.pk: a.state for a in run.attempts.all()}
    answer = Caller(owner).send(f"runs/{run.pk}/retry/")
    assert (answer["status"], answer["finished_at"]) == ("queued", None)
    after = {a.pk: a.state for a in run.attempts.all()}
    again = {pk for pk in after if after[pk] != before[pk]}
    assert {before[pk] for pk in again} == {"void"}
    assert {after[pk] for pk in again} == {"queued"}
    error = Caller(owner).send(f"runs/{run.pk}/retry/", expect=409)["error"]
    assert error["what"] == "Every attempt of this run counted."


def test_an_owner_cancels_a_run_and_then_it_is_over() -> None:
    owner = make_user()
    entry = make_entry("Mine")
    entry.owner = owner
    entry.save()
    run = make_run(make_suite(), entry)
    assert Caller(owner).send(f"runs/{run.pk}/cancel/")["status"] == Status.CANCELLED
    error = Caller(owner).send(f"runs/{run.pk}/retry/", expect=409)["error"]
    assert error["code"] == "run_cancelled"


def test_a_submission_queues_a_private_run_and_tells_no_key() -> None:
    suite, owner = make_suite(), make_user()
    mine = Caller(owner)
    run = mine.send("runs/", SUBMISSION | {"preflight": False}, expect=201)
    assert (run["status"], run["is_public"], run["attempts_per_task"]) == ("queued", False, 2)
    stored = Run.objects.get(pk=run["id"])
    assert mine.ask(f"runs/{run['id']}/") == run
    assert stored.attempts.count() == 2 * suite.tasks.count()
    assert stored.entry.owner == owner
    endpoint = Endpoint.objects.get(entry=stored.entry)
    assert endpoint.encrypted_key
    assert b"canary" not in bytes(endpoint.encrypted_key)
    told = [run, mine.ask(f"runs/{run['id']}/"), mine.ask("entries/?mine=true"), mine.ask("runs/")]
    assert "canary" not in json.dumps(told)
    Caller().ask(f"runs/{run['id']}/", expect=404)


def test_a_day_s_submissions_are_counted_in_words(settings: Settings) -> None:
    make_suite()
    settings.SUBMISSIONS_PER_DAY = 1
    mine = Caller(make_user())
    mine.send("runs/", SUBMISSION, expect=201)
    error = mine.send("runs/", SUBMISSION, expect=409)["error"]
    assert error["code"] == "quota_used_up"
    assert "the next is free in 24 hours" in error["what"]
    assert Run.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"suite": "absent"}, "suite"),
        ({"suite": ["starter"]}, "suite"),
        ({"name": ""}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"model": "\ud800"}, "model"),
        ({"model": None}, "model"),
        ({"attempts_per_task": 17}, "attempts_per_task"),
        ({"attempts_per_task": "many"}, "attempts_per_task"),
        ({"concurrency": 0}, "concurrency"),
        ({"sampling": {"temperature": 3}}, "sampling.temperature"),
        ({"sampling": {"temprature": 1}}, "sampling.temprature"),
        ({"sampling": [1]}, "sampling.request"),
        ({"action_format": "smoke"}, "action_format"),
        ({"parameters_b": -1}, "parameters_b"),
        ({"api_key": "k" * 4001}, "api_key"),
        ({"is_publik": True}, "is_publik"),
        ({"stream": "perhaps"}, "stream"),
        ({"extra_body": [1]}, "extra_body"),
        ({"extra_body": {"messages": []}}, "extra_body"),
        ({"extra_body": {"a b": 1}}, "extra_body"),
        ({"extra_body": {"a": "x" * 5_000}}, "extra_body"),
        ({"preflight": "perhaps"}, "preflight"),
    ],
)
def test_invalid_submission_is_answered_with_the_wrong_field(
    change: dict[str, Any], field: str
) -> None:
    make_suite()
    error = Caller(make_user()).send("runs/", SUBMISSION | change, expect=400)["error"]
    assert list(error["fields"]) == [field]
    assert "canary" not in json.dumps(error)
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("base_url", "code"),
    [
        ("http://127.0.0.1:5432/v1", "url_port"),
        ("http://169.254.169.254/latest", "url_scheme"),
        ("file:///etc/passwd", "url_scheme"),
        ("not a url", "url_"),
    ],
)
def test_an_address_that_is_not_public_is_refused_in_words(base_url: str, code: str) -> None:
    make_suite()
    body = SUBMISSION | {"base_url": base_url}
    error = Caller(make_user()).send("runs/", body, expect=400)["error"]
    assert error["fault"] == "submitter"
    assert error["what"]
    assert error["next_step"]
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("body", "kind", "status", "code"),
    [
        (b"{", "application/json", 400, "parse_error"),
        (b"\xff\xfe", "application/json", 400, "parse_error"),
        (b"[" * 50_000, "application/json", 400, "parse_error"),
        (b'{"name": NaN}', "application/json", 400, "parse_error"),
        (b"[1, 2]", "application/json", 400, "invalid"),
        (b"null", "application/json", 400, "invalid"),
        (b'"' + b"x" * 300_000 + b'"', "application/json", 413, "too_large"),
        (b"name=x", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
    ],
)
def test_a_body_that_cannot_be_read_is_a_clear_refusal(
    body: bytes, kind: str, status: int, code: str
) -> None:
    make_suite()
    caller = Caller(make_user())
    answer = caller.post("/api/v1/runs/", body, content_type=kind, headers=caller.headers_sent)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_unknown_methods_and_types_are_refused_in_one_shape() -> None:
    make_suite()
    answer = Client().delete("/api/v1/suites/")
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "method_not_allowed")
    assert answer["Allow"] == "GET, HEAD"
    answer = Client().get("/api/v1/suites/", headers={"Accept": "text/csv"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (406, "not_acceptable")


def test_writing_needs_a_token_that_is_known_and_not_revoked() -> None:
    run = finish_run(make_run(make_suite()), 3)
    for path in ("runs/", f"runs/{run.pk}/cancel/"):
        answer = Client().post(f"/api/v1/{path}", {}, content_type="application/json")
        assert (answer.status_code, answer["WWW-Authenticate"]) == (401, 'Bearer realm="PyBench"')
        assert answer.json()["error"]["code"] == "not_authenticated"
    owner = make_user()
    token, text = make_token(owner, "old")
    sent = {"Authorization": f"bearer {text}"}
    assert Client().get("/api/v1/runs/", headers=sent).status_code == 200
    token.refresh_from_db()
    assert token.last_used_at is not None
    assert revoke_token(owner, token.pk)
    for header in (f"Bearer {text}", "Bearer", f"Basic {text}", "Bearer \udcff", "x" * 5000):
        answer = Client().get("/api/v1/runs/", headers={"Authorization": header})
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "authentication_failed"


def test_tokens_that_nobody_has_are_counted_as_strangers(settings: Settings) -> None:
    make_suite()
    settings.API_REQUESTS_PER_MINUTE = {"stranger": 5, "token": 9, "write": 9}
    caller, wrong = Caller(make_user()), {"Authorization": "Bearer pyb_wrong"}
    answers = [Client().get("/api/v1/suites/", headers=wrong) for _ in range(8)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429] * 3
    assert 1 <= int(answers[-1]["Retry-After"]) <= 60
    assert Client().get("/api/v1/suites/").status_code == 429
    caller.ask("suites/")  # from the same address


def test_a_cookie_opens_nothing() -> None:
    owner = make_user()
    run = make_private_run(owner)
    client = Client()
    client.force_login(owner)
    assert client.get(f"/api/v1/runs/{run.pk}/").status_code == 404
    assert client.post(f"/api/v1/runs/{run.pk}/publish/").status_code == 401


def test_too_many_requests_get_a_time_to_wait(settings: Settings) -> None:
    make_suite()
    settings.API_REQUESTS_PER_MINUTE = {"stranger": 2, "token": 4, "write": 1}
    client = Client()
    spoofed = [{"X-Forwarded-For": f"10.0.0.{n}"} for n in range(3)]
    statuses = [client.get("/api/v1/suites/", headers=h).status_code for h in spoofed]
    assert statuses == [200, 200, 429]
    answer = client.get("/api/v1/suites/")
    assert 1 <= int(answer["Retry-After"]) <= 60
    assert answer.json()["error"]["code"] == "too_many_requests"
    assert f"Wait {answer['Retry-After']} s." in answer.json()["error"]["next_step"]
    caller = Caller(make_user())
    caller.send("runs/", {}, expect=400)
    caller.send("runs/", {}, expect=429)
    caller.ask("suites/")


def test_our_own_failure_is_called_ours_and_tells_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    make_suite()

    def break_down(*_: object) -> None:
        raise RuntimeError("a secret detail")

    monkeypatch.setattr("leaderboard.api.suites.Suites.get_queryset", break_down)
    answer = Client().get("/api/v1/suites/")
    assert answer.status_code == 500
    assert answer.json()["error"]["fault"] == "us"
    assert b"secret detail" not in answer.content
    assert "secret detail" in caplog.text


def test_the_number_of_queries_does_not_grow() -> None:
    make_board()
    caller = Caller(make_user())

    def count(path: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            caller.ask(path)
        return len(queries)

    paths = ["suites/", "tasks/", "entries/", "runs/", "attempts/", "board/"]
    run = Run.objects.order_by("pk")[0]
    attempt = run.attempts.order_by("pk")[0]
    paths += [f"runs/{run.pk}/", f"attempts/{attempt.pk}/", f"attempts/{attempt.pk}/steps/"]
    caller.ask("suites/")  # notes that the token was used
    suite = run.suite
    for solved in range(2):
        finish_run(make_run(suite, make_entry(f"Model {solved}")), solved)
    few = {path: count(path) for path in paths}
    for solved in range(2, 7):
        finish_run(make_run(suite, make_entry(f"Model {solved}")), solved)
    assert {path: count(path) for path in paths} == few
    assert few.pop("board/") <= 12
    assert max(few.values()) <= 10


def test_model_text_is_returned_whole_whatever_it_is() -> None:
    run = finish_run(make_run(make_suite()), 3)
    attempt = run.attempts.order_by("pk")[0]
    hostile = "a\x00b \ud800 \u202e <script> 中文 \x1b[31m"
    add_step(attempt, make_step(1, thought=hostile, code=hostile, outputs=[printed(hostile)]))
    [step] = Caller().ask(f"attempts/{attempt.pk}/steps/")["results"]
    assert (step["thought"], step["code"], step["outputs"][0]["text"]) == (hostile,) * 3
