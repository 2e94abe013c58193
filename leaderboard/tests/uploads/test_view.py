"""Uploads on /view/: shown at once and privately, or refused by name with the form kept."""

from __future__ import annotations

import gzip
import hashlib
import json

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from leaderboard.models import AccountUse, Attempt, Blob, Entry, Import, Run, Suite, Task
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.foreign_files import zipped
from leaderboard.tests.support.rows import make_suite
from leaderboard.tests.support.uploaded import bring, chat_line, send_file, signed_in
from leaderboard.uploads.delete import delete_old

pytestmark = pytest.mark.django_db


def page_of(user: User, path: str) -> str:
    answer = signed_in(user).get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def test_one_attempt_leads_to_its_replay(ada: User) -> None:
    answer = send_file(ada, chat_line(), "mine.jsonl", "Try 7")
    run = Run.objects.get()
    assert answer["Location"] == f"/runs/{run.pk}/tasks/7/"
    page = page_of(ada, answer["Location"])
    assert "print" in page
    assert "Uploaded:" in page
    assert "mine.jsonl" in page
    assert run.entry.name == "Try 7"
    assert (run.is_public, run.suite.is_private) == (False, True)


def test_several_attempts_lead_to_their_list_with_unread_lines(ada: User) -> None:
    content = "\n".join([chat_line("1"), "{broken", chat_line("2")])
    answer = send_file(ada, content)
    run = Run.objects.get()
    assert answer["Location"] == f"/runs/{run.pk}/"
    page = page_of(ada, answer["Location"])
    assert "1 part could not be read" in page
    assert "line 2: The line is not valid JSON" in page
    assert run.attempts.count() == 2


def test_original_bytes_and_digest_are_kept(ada: User) -> None:
    content = gzip.compress(chat_line().encode())
    run = bring(ada, content, "mine.jsonl.gz")
    answer = signed_in(ada).get(f"/runs/{run.pk}/original/")
    assert answer.getvalue() == content
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"] == 'attachment; filename="mine.jsonl.gz"'
    assert hashlib.sha256(content).hexdigest() in page_of(ada, f"/runs/{run.pk}/")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.jsonl", b"", "empty"),
        ("a.json", b'{"eval": {}, "samples"', "has no attempt"),
        ("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(300), "has no attempt"),
        ("a.zip", b"PK\x03\x04" + bytes(60), "has no attempt"),
        ("deep.jsonl", b"[" * 200_000, "has no attempt"),
        ("cut.gz", gzip.compress(b"x" * 9000, mtime=0)[:20], "has no attempt"),
    ],
)
def test_wrong_file_is_named_and_the_form_kept(
    ada: User, name: str, content: bytes, words: str
) -> None:
    answer = send_file(ada, content, name, "My <title>")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert words in page
    assert name in page
    assert 'value="My &lt;title&gt;"' in page
    rows = (Run, Suite, Entry, Task, Import, Blob)
    assert [model.objects.count() for model in rows] == [0] * len(rows)


def test_form_without_a_file_says_so(ada: User) -> None:
    answer = signed_in(ada).post("/view/", {"title": "kept"})
    assert answer.status_code == 422
    assert "No file was chosen." in answer.content.decode()
    assert 'value="kept"' in answer.content.decode()


def test_file_beyond_the_limit_is_refused_with_the_form_kept(ada: User, settings: Settings) -> None:
    settings.UPLOAD_MB = 1
    answer = send_file(ada, b"x" * (1 << 20) + b"y", "large.jsonl", "kept")
    assert answer.status_code == 413
    page = answer.content.decode()
    assert "larger than 1 MiB" in page
    assert 'value="kept"' in page
    assert AccountUse.objects.count() == 0


def test_file_of_the_limits_size_is_taken(ada: User, settings: Settings) -> None:
    settings.UPLOAD_MB = 1
    content = chat_line().encode()
    run = bring(ada, content + b"\n" * ((1 << 20) - len(content)))
    assert run.imports.get().blob.size_bytes == 1 << 20


def test_hopeless_length_is_refused_unread(ada: User, settings: Settings) -> None:
    answer = signed_in(ada).generic(
        "POST", "/view/", b"x", "multipart/form-data; boundary=b", CONTENT_LENGTH=str(10 << 30)
    )
    assert answer.status_code == 413


def test_upload_that_breaks_off_is_refused(ada: User) -> None:
    body = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n{"mess'
    client = signed_in(ada)
    answer = client.generic("POST", "/view/", body, "multipart/form-data; boundary=b")
    assert answer.status_code == 422
    assert Run.objects.count() == 0


def test_same_file_twice_is_the_same_run(ada: User) -> None:
    first = bring(ada, chat_line())
    answer = send_file(ada, chat_line(), "other-name.jsonl")
    assert answer["Location"] == f"/runs/{first.pk}/tasks/7/"
    assert Run.objects.count() == AccountUse.objects.count() == 1


def test_two_accounts_with_one_file_have_a_run_each(ada: User) -> None:
    bob = make_user("bob")
    mine, theirs = bring(ada, chat_line()), bring(bob, chat_line())
    assert mine.pk != theirs.pk
    assert mine.suite_id != theirs.suite_id
    assert signed_in(bob).get(f"/runs/{mine.pk}/").status_code == 404


def test_attempt_at_an_installed_task_links_it(ada: User) -> None:
    suite = make_suite()
    task = suite.tasks.earliest("position")
    run = bring(ada, chat_line(task.key, query=task.query))
    page = page_of(ada, run.attempts.get().get_absolute_url())
    assert f"/tasks/{suite.name}/{task.key}/" in page
    assert "a task of an installed suite" in page


def test_attempt_at_another_query_links_nothing(ada: User) -> None:
    task = make_suite().tasks.earliest("position")
    run = bring(ada, chat_line(task.key, query="Something else"))
    page = page_of(ada, run.attempts.get().get_absolute_url())
    assert "a task of an installed suite" not in page


def test_archive_of_files_is_one_run(ada: User) -> None:
    files = {f"run/task-{n}.jsonl": chat_line("", query=f"Task {n}") for n in range(143)}
    run = bring(ada, zipped({**files, "run/notes.txt": "no trajectory"}), "run.zip")
    assert run.attempts.count() == 143
    assert sorted(run.suite.tasks.values_list("key", flat=True))[0] == "task-0"
    page = page_of(ada, f"/runs/{run.pk}/")
    assert "an archive of 144 files" in page
    assert "run/notes.txt" in page
    replay = page_of(ada, run.attempts.earliest("pk").get_absolute_url())
    assert "file run/task-0.jsonl" in replay


def test_deletion_takes_everything_with_it(ada: User) -> None:
    run = bring(ada, chat_line())
    answer = signed_in(ada).post(f"/runs/{run.pk}/delete/")
    assert answer["Location"] == "/view/"
    for model in (Run, Attempt, Suite, Task, Entry, Import):
        assert model.objects.count() == 0
    assert AccountUse.objects.get().run is None  # still counted today
    assert "49 of 50 uploads" in page_of(ada, "/view/")


def test_only_uploads_can_be_deleted(ada: User) -> None:
    from leaderboard.tests.support.rows import make_private_run

    run = make_private_run(ada)
    assert signed_in(ada).post(f"/runs/{run.pk}/delete/").status_code == 404
    assert Run.objects.filter(pk=run.pk).exists()


def test_old_uploads_are_swept(ada: User, settings: Settings) -> None:
    bring(ada, chat_line())
    delete_old()
    assert Run.objects.count() == 1
    settings.UPLOAD_DAYS = 0
    delete_old()
    assert Run.objects.count() == Suite.objects.count() == Entry.objects.count() == 0


def test_uploads_of_a_deleted_account_are_swept(ada: User) -> None:
    run = bring(ada, chat_line())
    ada.delete()
    assert Client().get(f"/runs/{run.pk}/").status_code == 404
    delete_old()
    assert Run.objects.count() == Suite.objects.count() == 0


def test_upload_is_never_published(ada: User) -> None:
    run = bring(ada, chat_line())
    page = signed_in(ada).post(f"/runs/{run.pk}/publish/", follow=True).content.decode()
    assert "An upload stays private" in page
    run.refresh_from_db()
    assert not run.is_public


def test_link_to_an_upload_shows_its_replay(ada: User) -> None:
    run = bring(ada, chat_line())
    page = signed_in(ada).post(f"/runs/{run.pk}/link/").content.decode()
    address = page.partition("/shared/")[2].partition("/")[0]
    path = f"/shared/{address}{run.attempts.get().get_absolute_url()}"
    shown = Client().get(path)
    assert shown.status_code == 200
    assert "original file" not in shown.content.decode()


def test_page_of_uploads_costs_the_same_for_many(
    ada: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = signed_in(ada)
    for number in range(4):
        bring(ada, chat_line(str(number)))
    with django_assert_max_num_queries(7):
        assert client.get("/view/").status_code == 200


def test_replay_costs_two_queries_for_its_upload(
    ada: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    run = bring(ada, chat_line())
    client, path = signed_in(ada), run.attempts.get().get_absolute_url()
    client.get(path)
    with django_assert_max_num_queries(16):
        assert client.get(path).status_code == 200


def test_hostile_names_are_text(ada: User) -> None:
    name = "../../etc/<img src=x onerror=alert(1)>\u202egpj.jsonl"
    run = bring(ada, chat_line(), name, "<script>alert(1)</script>\u202e")
    for path in ("/view/", f"/runs/{run.pk}/", run.attempts.get().get_absolute_url()):
        page = page_of(ada, path)
        assert "<script>alert" not in page, path
        assert "<img src=x" not in page, path
        assert "\u202e" not in page, path
    answer = signed_in(ada).get(f"/runs/{run.pk}/original/")
    assert "attachment" in answer["Content-Disposition"]
    assert "/" not in Import.objects.get().name


def test_hostile_text_of_a_file_is_text(ada: User) -> None:
    bad = "<script>alert(1)</script><img src=x onerror=alert(2)>\"' javascript:alert(3)"
    messages = [
        {"role": "user", "content": bad},
        {"role": "assistant", "content": f"{bad}\n```python\n{bad}\n```"},
        {"role": "user", "content": bad},
    ]
    row = {"messages": messages, "index": bad, "category1": bad, "category3": bad}
    run = bring(ada, json.dumps(row))
    for path in (f"/runs/{run.pk}/", run.attempts.get().get_absolute_url()):
        page = page_of(ada, path)
        assert "<script>alert" not in page, path
        assert "<img src=x" not in page, path


def test_second_file_of_a_form_is_left_aside(ada: User) -> None:
    form = {
        "file": SimpleUploadedFile("a.jsonl", chat_line("1").encode()),
        "other": SimpleUploadedFile("b.jsonl", chat_line("2").encode()),
    }
    assert signed_in(ada).post("/view/", form).status_code == 302
    assert Run.objects.count() == 1
