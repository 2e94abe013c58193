"""Quotas of uploads: files and bytes a day, and what an account keeps."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django.fixtures import Settings

from leaderboard.accounts import quotas as run_quotas
from leaderboard.models import AccountUse, Run
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.uploaded import bring, chat_line, send_file, signed_in

pytestmark = pytest.mark.django_db


def test_uploads_beyond_the_quota_are_refused_unread(ada: User, settings: Settings) -> None:
    settings.UPLOADS_PER_DAY = 3
    for number in range(3):
        bring(ada, chat_line(str(number)))
    client = signed_in(ada)
    for number in range(3, 60):
        file = SimpleUploadedFile("a.jsonl", chat_line(str(number)).encode())
        answer = client.post("/view/", {"file": file})
        assert answer.status_code == 409
    assert "0 of 3 uploads" in answer.content.decode()
    assert Run.objects.count() == AccountUse.objects.count() == 3


def test_refused_and_deleted_files_are_counted(ada: User, settings: Settings) -> None:
    settings.UPLOADS_PER_DAY = 2
    assert send_file(ada, b"nothing").status_code == 422
    run = bring(ada, chat_line())
    signed_in(ada).post(f"/runs/{run.pk}/delete/")
    assert send_file(ada, chat_line("8")).status_code == 409


def test_bytes_of_a_day_are_bounded(ada: User, settings: Settings) -> None:
    settings.UPLOAD_MB_PER_DAY = 1
    bring(ada, chat_line() + "\n" * 700_000)
    assert send_file(ada, chat_line("8") + "\n" * 700_000).status_code == 409
    bring(ada, chat_line("9"))


def test_bytes_that_are_kept_are_bounded(ada: User, settings: Settings) -> None:
    settings.UPLOAD_KEPT_MB = 1
    run = bring(ada, chat_line() + "\n" * 700_000)
    answer = send_file(ada, chat_line("8") + "\n" * 700_000)
    assert answer.status_code == 409
    assert "keeps 1 MiB" in answer.content.decode()
    signed_in(ada).post(f"/runs/{run.pk}/delete/")
    bring(ada, chat_line("8") + "\n" * 700_000)


def test_quota_of_one_account_is_not_anothers(ada: User, settings: Settings) -> None:
    settings.UPLOADS_PER_DAY = 1
    bring(ada, chat_line())
    bring(make_user("bob"), chat_line("8"))


def test_uploads_leave_the_quota_of_runs_alone(ada: User) -> None:
    bring(ada, chat_line())
    assert run_quotas.count(ada).used == 0
