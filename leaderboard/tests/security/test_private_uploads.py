"""Nobody but its owner learns of an upload: no page, list, count, feed, card or API answer."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import get_resolver

from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Run
from leaderboard.tests.support.addresses import all_patterns
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite
from leaderboard.tests.support.uploaded import bring, chat_line, signed_in

pytestmark = pytest.mark.django_db

SECRETS = ("Sekret", "upload-")
FILE = "Sekret-file.jsonl"
LISTS = (
    "/", "/board.json", "/board.csv", "/failures/", "/failures/?state=all", "/failures.json",
    "/failures.csv", "/tasks/", "/charts/", "/charts/list/", "/changes/",
    "/changes.json", "/changes.atom", "/snapshots/", "/compare/", "/compare.json", "/published/",
    "/submit/", "/submissions/", "/account/", "/view/", "/robots.txt", "/about/method/",
    "/api/v1/", "/api/v1/suites/", "/api/v1/tasks/", "/api/v1/entries/", "/api/v1/runs/",
    "/api/v1/attempts/", "/api/v1/board/", "/api/v1/uploads/", "/api/v1/schema/",
)  # fmt: skip


@pytest.fixture
def run() -> Run:
    """An upload beside a public run whose task and category have the same keys."""
    suite = make_suite()
    finish_run(make_run(suite, make_entry("Public")), 2)
    task = suite.tasks.earliest("position")
    row = chat_line(
        task.key,
        query="Sekret query",
        category1=task.category,
        category3="Sekret and much longer than any other title of such a task",
    )
    made = bring(make_user("ada"), row, FILE, "Sekret title")
    sweep_queue()
    return made


@pytest.fixture
def maintainer() -> User:
    return User.objects.create_superuser("eve", "eve@example.org", "a long password")


def addresses_of(run: Run) -> list[str]:
    """Every address that names the upload's rows."""
    attempt = run.attempts.get()
    kept = {
        "run_id": run.pk, "key": attempt.task.key, "suite": run.suite.name,
        "slug": run.entry.slug, "form": "pybench", "index": 1, "sha256": run.suite.digest,
        "name": "a.csv", "task_id": attempt.task_id, "attempt_id": attempt.pk,
        "reference": run.suite.name, "season": 0, "day": "2026-11-22",
    }  # fmt: skip
    found = []
    for path, _ in all_patterns(get_resolver()):
        if path.startswith(("admin/", "account/", "submit/", "shared/")) or "<" not in path:
            continue
        parts = [part.partition(">") for part in path.split("<")]
        names = [head.rpartition(":")[2] for head, mark, _ in parts if mark]
        if all(name in kept for name in names):
            filled = "".join(
                f"{kept[head.rpartition(':')[2]]}{rest}" if mark else head
                for head, mark, rest in parts
            )
            found.append(f"/{filled}")
    assert len(found) > 30
    return found


def is_leaked(body: str, run: Run) -> bool:
    named = [run.entry.slug, run.suite.name, *SECRETS[:1]]
    return any(word in body for word in named)


@pytest.mark.parametrize("who", ["anonymous", "another", "maintainer"])
def test_no_address_of_an_upload_opens_for_others(run: Run, maintainer: User, who: str) -> None:
    client = visitor(who, maintainer)
    for path in addresses_of(run):
        for answer in (client.get(path), client.post(path)):
            body = answer.getvalue().decode(errors="replace")
            body = body.replace(path, "").replace(path.replace("/", "%2F"), "")
            assert answer.status_code != 200 or not is_leaked(body, run), path
            assert "Sekret" not in body, path
    assert Run.objects.filter(pk=run.pk, is_public=False).exists()


@pytest.mark.parametrize("who", ["anonymous", "another", "maintainer"])
def test_no_list_names_an_upload_to_others(run: Run, maintainer: User, who: str) -> None:
    client = visitor(who, maintainer)
    for path in LISTS:
        answer = client.get(path, follow=True)
        assert not is_leaked(answer.getvalue().decode(errors="replace"), run), path


def test_search_for_an_uploads_words_finds_nothing_for_others(run: Run) -> None:
    client = signed_in(make_user("bob"))
    for path in ("/failures.json", "/failures/"):
        found = client.get(f"{path}?state=all&q=Sekret").content.decode()
        nothing = client.get(f"{path}?state=all&q=Absent").content.decode()
        assert found.replace("Sekret", "Absent") == nothing, path


def test_no_answer_to_a_strangers_token_names_an_upload(run: Run) -> None:
    caller = Caller(make_user("bob"))
    attempt = run.attempts.get()
    for path in LISTS:
        if path.startswith("/api/"):
            answer = caller.get(path, headers=caller.headers_sent)
            assert not is_leaked(answer.content.decode(), run), path
    for path in (
        f"runs/{run.pk}/", f"attempts/{attempt.pk}/", f"attempts/{attempt.pk}/steps/",
        f"tasks/{attempt.task_id}/", f"entries/{run.entry.slug}/", f"suites/{run.suite.name}/",
    ):  # fmt: skip
        caller.ask(path, expect=404)
    for filtered in (f"runs/?suite={run.suite.name}", f"tasks/?suite={run.suite.name}"):
        caller.ask(filtered, expect=400)


def test_owner_sees_the_upload(run: Run) -> None:
    client = signed_in(owner_of(run))
    for path in (f"/runs/{run.pk}/", run.attempts.get().get_absolute_url(), "/view/"):
        assert "Sekret" in client.get(path).content.decode(), path
    assert client.get(run.attempts.get().task.get_absolute_url()).status_code == 200


def test_form_needs_its_token(run: Run) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(owner_of(run))
    for path in ("/view/", f"/runs/{run.pk}/delete/"):
        assert strict.post(path, {"title": "x"}).status_code == 403, path
    assert Run.objects.filter(pk=run.pk).exists()


def visitor(who: str, maintainer: User) -> Client:
    if who == "anonymous":
        return Client()
    return signed_in(maintainer if who == "maintainer" else make_user("bob"))


def owner_of(run: Run) -> User:
    assert run.entry.owner is not None
    return run.entry.owner
