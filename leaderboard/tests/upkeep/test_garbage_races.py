"""Garbage in a bucket: collected beside writers of the same bytes, and where the bucket fails."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from leaderboard.handoff import attempts
from leaderboard.models import Artifact, Blob, Run
from leaderboard.storage import blobs
from leaderboard.tests.support.jobs import claim_one, judged, step
from leaderboard.tests.support.rows import start_run
from leaderboard.tests.support.s3_server import s3_server
from leaderboard.upkeep.garbage import GRACE, collect
from leaderboard.upkeep.verification import find_file_faults

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.peers]

NOW = timezone.now() + timedelta(days=1)
LATER = NOW + GRACE + timedelta(seconds=1)
COUNT = 60


@pytest.fixture
def bucket(settings: Settings) -> Iterator[None]:
    with s3_server("artifacts") as address:
        options = {
            "bucket_name": "artifacts", "endpoint_url": address, "region_name": "us-east-1",
            "access_key": "id", "secret_key": "secret", "addressing_style": "path",
        }  # fmt: skip
        backend = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
        settings.STORAGES = {**settings.STORAGES, "default": backend}
        yield


@pytest.fixture
def run(bucket: None) -> Run:
    made = start_run(2)
    job = claim_one(made)
    attempts.step(job, step(1))
    attempts.record_result(job, judged(True))
    return made


def content(number: int) -> bytes:
    return f"left over {number}".encode()


def leave_garbage() -> None:
    for number in range(COUNT):
        blobs.keep_bytes(content(number), "a.txt")
    collect(NOW)
    blobs.KNOWN.found_s.clear()  # the writers below are other processes, a day later


def write_again(run: Run, numbers: range, failed: list[BaseException]) -> None:
    attempt = run.attempts.order_by("pk")[0]
    try:
        for number in numbers:
            blob = blobs.keep_bytes(content(number), "a.txt")
            Artifact.objects.create(
                attempt=attempt, role="output", path=f"{number}", blob_id=blob.pk
            )
    except BaseException as error:
        failed.append(error)
    finally:
        connection.close()


def test_collection_beside_writers_loses_no_byte(run: Run, bucket: None) -> None:
    leave_garbage()
    failed: list[BaseException] = []
    parts = (range(0, COUNT, 2), range(COUNT - 1, 0, -2))
    writers = [threading.Thread(target=write_again, args=(run, p, failed)) for p in parts]
    for writer in writers:
        writer.start()
    collect(LATER)
    for writer in writers:
        writer.join(120)
    assert failed == []
    assert Artifact.objects.count() >= COUNT
    assert list(find_file_faults(digests=True)) == []
    for blob in Blob.objects.filter(pk__in=Artifact.objects.values("blob")):
        assert default_storage.exists(blob.storage_name)
    collect(LATER + 2 * GRACE)
    assert list(find_file_faults(digests=True)) == []


def test_image_of_an_attempt_under_way_stays(run: Run, bucket: None) -> None:
    """A marked image that a step of a running attempt shows again: no column names it."""
    job = claim_one(run)
    before = set(Blob.objects.values_list("pk", flat=True))
    attempts.step(job, step(1))
    collect(NOW)
    collect(LATER)
    assert set(Blob.objects.values_list("pk", flat=True)) >= before
    attempts.step(job, step(2))
    attempts.record_result(job, judged(True))
    assert list(find_file_faults(digests=True)) == []


def test_bucket_that_fails_loses_no_row_and_is_tried_again(
    run: Run, bucket: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_garbage()
    calls = iter(range(10))
    delete = default_storage.delete

    def fail_later(name: str) -> None:
        if next(calls, None) is None:
            raise ConnectionResetError("cut")
        delete(name)

    with monkeypatch.context() as patch:
        patch.setattr(default_storage, "delete", fail_later, raising=False)
        with pytest.raises(CommandError, match="store of artifacts.*cut"):
            collect(LATER)
    assert Blob.objects.filter(unreferenced_since__isnull=False).count() == COUNT - 10
    assert collect(LATER).removed == COUNT - 10
    assert list(find_file_faults(digests=True)) == []


@pytest.mark.parametrize("hours", ["0", "-1", "0.5", "nan", "inf", "1e300"])
def test_grace_that_races_writers_is_refused(run: Run, hours: str) -> None:
    with pytest.raises(CommandError, match="1 to 10,000 hours"):
        call_command("collect_garbage", f"--grace-hours={hours}")


def test_lost_bytes_of_a_marked_file_that_is_named_are_found(run: Run, bucket: None) -> None:
    leave_garbage()
    blob = Blob.objects.filter(unreferenced_since__isnull=False).first()
    assert blob is not None
    Artifact.objects.create(
        attempt=run.attempts.order_by("pk")[0], role="output", path="a", blob=blob
    )
    default_storage.delete(blob.storage_name)
    assert [blob.pk in fault for fault in find_file_faults(digests=True)] == [True]
