"""Garbage goes a day after it was marked; what any row names stays, also what a body names."""

from __future__ import annotations

import os
import threading
from datetime import datetime, timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.utils import timezone

from leaderboard.handoff import attempts
from leaderboard.models import Artifact, Blob, Import, Run
from leaderboard.rendering.kinds import OTHER
from leaderboard.scoring import standings
from leaderboard.storage import blobs
from leaderboard.tests.support.jobs import claim_one, judged, step
from leaderboard.tests.support.rows import start_run
from leaderboard.upkeep import garbage
from leaderboard.upkeep.garbage import GRACE, collect
from leaderboard.upkeep.verification import find_faults

pytestmark = pytest.mark.django_db(transaction=True)

NOW = timezone.now() + timedelta(days=1)  # files of the test are young
LATER = NOW + GRACE + timedelta(seconds=1)


@pytest.fixture
def run() -> Run:
    made = start_run(1)
    job = claim_one(made)
    attempts.step(job, step(1))
    attempts.record_result(job, judged(True))
    standings.refresh_changed()
    return made


def collect_twice() -> None:
    collect(NOW)
    collect(LATER)


def test_nothing_that_is_named_goes(run: Run) -> None:
    preview = blobs.keep_bytes(b"preview", "p.png")
    pdf = blobs.keep_bytes(b"%PDF-1.7", "a.pdf")
    Blob.objects.filter(pk=pdf.pk).update(preview=preview)
    Import.objects.create(blob=pdf, name="a.pdf")
    Artifact.objects.create(
        attempt=run.attempts.get(), role="output", path="a", blob=blobs.keep_bytes(b"a", "a.txt")
    )
    before = set(Blob.objects.values_list("pk", flat=True))
    images = Blob.objects.filter(mime="image/png")
    assert images.exists()  # named by the body of a step alone
    collect_twice()
    assert set(Blob.objects.values_list("pk", flat=True)) == before
    assert list(find_faults()) == []


def test_unnamed_file_goes_a_day_after_it_was_marked() -> None:
    blob = blobs.keep_bytes(b"left over", "a.txt")
    assert collect(NOW).marked == 1
    assert collect(LATER - timedelta(minutes=1)).removed == 0
    assert default_storage.exists(blob.storage_name)
    found = collect(LATER)
    assert (found.removed, found.removed_bytes) == (1, 9)
    assert not default_storage.exists(blob.storage_name)
    assert not Blob.objects.exists()


def test_deleted_run_leaves_no_files_behind(run: Run) -> None:
    run.delete()
    assert Blob.objects.exists()
    collect_twice()
    assert not Blob.objects.exists()
    assert [
        f for folder in garbage.list_folders() for f in default_storage.listdir(folder)[1]
    ] == []


def test_dry_run_changes_nothing() -> None:
    blobs.keep_bytes(b"left over", "a.txt")
    collect(NOW)
    found = collect(LATER, is_dry=True)
    assert found.removed == 1
    assert collect(LATER).removed == 1


def test_bytes_kept_again_are_garbage_no_longer() -> None:
    blob = blobs.keep_bytes(b"again", "a.txt")
    collect(NOW)
    assert blobs.keep_bytes(b"again", "a.txt").unreferenced_since is None
    assert collect(LATER).removed == 0
    assert default_storage.exists(blob.storage_name)


def test_marked_file_that_is_named_again_is_unmarked(run: Run) -> None:
    blob = blobs.keep_bytes(b"again", "a.txt")
    collect(NOW)
    Artifact.objects.create(attempt=run.attempts.get(), role="output", path="a", blob=blob)
    assert collect(LATER).kept == 1
    blob.refresh_from_db()
    assert blob.unreferenced_since is None


def age(name: str, moment: datetime) -> None:
    path = default_storage.path(name)
    os.utime(path, (moment.timestamp(), moment.timestamp()))


def test_bytes_without_a_row_go_once_they_are_old() -> None:
    name = f"blobs/aa/{'a' * 64}"
    default_storage.save(name, ContentFile(b"12"))
    age(name, NOW)
    assert collect(NOW).strays == 0  # a writer may be about to add its row
    age(name, NOW - 2 * GRACE)
    assert collect(NOW).strays == 1
    collect(LATER)
    assert not default_storage.exists(name)


def test_bytes_without_a_row_get_their_type_when_they_are_kept() -> None:
    blob = blobs.keep_bytes(b"a,b", "a.csv")
    Blob.objects.all().delete()
    age(blob.storage_name, NOW - 2 * GRACE)
    collect(NOW)
    assert Blob.objects.get().mime == OTHER
    assert blobs.keep_bytes(b"a,b", "a.csv").mime == "text/csv"


def test_leftovers_of_interrupted_writers_go() -> None:
    name = f"blobs/aa/{'a' * 64}_x7Gh2.tmp"
    default_storage.save(name, ContentFile(b"12"))
    age(name, NOW - 2 * GRACE)
    collect(NOW)
    assert default_storage.listdir("blobs/aa")[1] == []


def test_writer_of_bytes_being_removed_stores_them_again(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer meets the collector between the bytes' removal and the row's."""
    blob = blobs.keep_bytes(b"raced", "a.txt")
    collect(NOW)
    is_removed, writer = threading.Event(), None
    delete = default_storage.delete

    def delete_slowly(name: str) -> None:
        nonlocal writer
        delete(name)
        if not is_removed.is_set():
            is_removed.set()
            writer = threading.Thread(target=keep_in_thread)
            writer.start()
            writer.join(1.0)  # it waits for our row's lock

    def keep_in_thread() -> None:
        try:
            kept = blobs.keep_bytes(b"raced", "a.txt")
            Artifact.objects.create(attempt=run.attempts.get(), role="output", path="r", blob=kept)
        finally:
            connection.close()

    monkeypatch.setattr(default_storage, "delete", delete_slowly, raising=False)
    collect(LATER)
    assert writer is not None
    writer.join(30)
    monkeypatch.undo()
    with default_storage.open(blob.storage_name) as file:
        assert file.read() == b"raced"
    assert Blob.objects.get(pk=blob.pk).unreferenced_since is None
    assert list(find_faults()) == []
