"""Verification tells of every kind of damage, and of nothing on a sound site."""

from __future__ import annotations

import io
import threading
from pathlib import Path

import pytest
import zstandard
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import (
    Attempt,
    Blob,
    Entry,
    Run,
    RunSummary,
    Standing,
    Step,
    Suite,
    Verdict,
    pack,
)
from leaderboard.scoring import standings
from leaderboard.scoring.filing import unfile_entry
from leaderboard.submissions.run_actions import retry, start, withdraw
from leaderboard.tests.support.jobs import UNAUTHORISED, claim_one, judged, step, void
from leaderboard.tests.support.rows import make_suite, register_entry, start_run
from leaderboard.upkeep import recomputation
from leaderboard.upkeep.verification import find_faults

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def attempt() -> Attempt:
    run = start_run(1)
    job = claim_one(run)
    attempts.step(job, step(1))
    attempts.record_result(job, judged(True))
    standings.refresh_changed()
    return Attempt.objects.get(pk=job.attempt_id)


def replace_bytes(blob: Blob, content: bytes) -> None:
    default_storage.delete(blob.storage_name)
    default_storage.save(blob.storage_name, ContentFile(content))


def test_sound_site_has_no_faults(attempt: Attempt) -> None:
    assert Blob.objects.exists()
    assert list(find_faults()) == []
    said = io.StringIO()
    call_command("verify", stdout=said)
    assert said.getvalue() == "no faults found\n"


def test_missing_bytes_are_found(attempt: Attempt) -> None:
    blob = Blob.objects.earliest("pk")
    default_storage.delete(blob.storage_name)
    [fault] = find_faults(digests=False)
    assert blob.sha256 in fault
    assert "missing" in fault
    with pytest.raises(CommandError, match="1 faults found"):
        call_command("verify", stdout=io.StringIO())


def test_cut_bytes_are_found_by_size(attempt: Attempt) -> None:
    blob = Blob.objects.filter(size_bytes__gt=1).earliest("pk")
    replace_bytes(blob, b"x")
    [fault] = find_faults(digests=False)
    assert f"1 bytes are stored, its row says {blob.size_bytes}" in fault


def test_changed_bytes_are_found_by_digest_alone(attempt: Attempt) -> None:
    blob = Blob.objects.earliest("pk")
    replace_bytes(blob, b"x" * blob.size_bytes)
    assert list(find_faults(digests=False)) == []
    [fault] = find_faults()
    assert "another SHA-256" in fault


def test_missing_bytes_of_garbage_are_no_fault(attempt: Attempt) -> None:
    blob = Blob.objects.create(sha256="0" * 64, size_bytes=1, mime="text/plain")
    assert len(list(find_faults())) == 1
    Blob.objects.filter(pk=blob.pk).update(unreferenced_since=timezone.now())
    assert list(find_faults()) == []


@pytest.mark.parametrize(
    ("rows", "column", "body"),
    [
        (Step, "body", b"no zstd"),
        (Verdict, "body", b"\x28\xb5\x2f\xfd\x04"),
        (Attempt, "opening", b"cut"),
        (Attempt, "closing", pack({"answer": "x" * 500})[:-9]),
    ],
)
def test_unreadable_body_is_found(attempt: Attempt, rows: type, column: str, body: bytes) -> None:
    rows.objects.update(**{column: body})  # type: ignore[attr-defined]
    [fault] = find_faults()
    assert f"its {column} cannot be read" in fault


def test_image_without_a_row_is_found(attempt: Attempt) -> None:
    bundle = {"outputs": [{"data": {"image/png": {"blob": "1" * 64}}}]}
    Step.objects.update(body=pack(bundle))
    [fault] = find_faults()
    assert f"its image {'1' * 64} has no row" in fault


def test_text_that_looks_like_an_image_is_no_image(attempt: Attempt) -> None:
    text = '{"blob":"%s"}' % ("1" * 64)
    Step.objects.update(body=pack({"outputs": [{"text": text}], "reply": text}))
    assert list(find_faults()) == []


def test_wrong_figures_are_found(attempt: Attempt) -> None:
    RunSummary.objects.filter(category="").update(passed=7)
    [fault] = find_faults()
    assert "passed was 7, is 1" in fault


def test_rows_that_cannot_be_read_are_faults_and_end_nothing(attempt: Attempt) -> None:
    sweep_queue()
    RunSummary.objects.filter(category="").update(usage={"nonsense": 1})
    Step.objects.update(body=zstandard.compress(b"[" * 50_000))
    Suite.objects.update(categories=[{}])
    found = "\n".join(find_faults())
    assert f"run {attempt.run_id} overall: counts or usage cannot be read" in found
    assert "its body cannot be read (RecursionError)" in found
    assert "it cannot be compared: KeyError: 'key'" in found
    Suite.objects.update(categories=[])
    call_command("recompute", stdout=io.StringIO())
    assert "counts or usage" not in "\n".join(find_faults())


def test_what_waits_for_the_sweep_is_no_fault() -> None:
    """A place that is not computed, a run that is not filed, one deleted, withdrawn or retried."""
    suite = make_suite("small", 1)
    runs = [start(register_entry(f"Model {n}"), suite) for n in range(5)]
    for run in runs[:4]:
        attempts.record_result(claim_one(run), judged(True))
    attempts.record_result(claim_one(runs[4]), void(problem=UNAUTHORISED))
    assert list(find_faults()) == []
    sweep_queue()
    assert Standing.objects.count() == 4
    runs[0].delete()
    withdraw(runs[1].pk)
    Entry.objects.filter(pk=runs[2].entry_id).update(provenance=Entry.Provenance.QUOTED)
    unfile_entry(runs[2].entry)
    retry(runs[4].pk)
    assert list(find_faults()) == []
    sweep_queue()
    assert list(find_faults()) == []
    assert Standing.objects.count() == 1


def test_figures_that_move_meanwhile_are_no_faults(
    attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another worker ends a run, and a sweep files and places it, between any two steps."""
    suite = attempt.run.suite
    sweep_queue()

    def play_another() -> None:
        run = start(register_entry(f"Model {Run.objects.count()}"), suite)
        attempts.record_result(claim_one(run), judged(True))
        sweep_queue()
        connection.close()

    def disturb(module: object, name: str) -> None:
        real = getattr(module, name)

        def disturbed(*arguments: object) -> object:
            if threading.current_thread() is threading.main_thread():
                thread = threading.Thread(target=play_another)
                thread.start()
                thread.join(60)
            return real(*arguments)

        monkeypatch.setattr(module, name, disturbed)

    disturb(recomputation, "counts_of")
    disturb(standings, "count_verdicts")
    disturb(standings, "load_means")
    before = Run.objects.count()
    assert list(recomputation.find_differences()) == []
    assert Run.objects.count() > before + 2


def test_dry_run_of_recompute_exits_with_one_if_anything_differs(attempt: Attempt) -> None:
    call_command("recompute", "--dry-run", stdout=io.StringIO())
    RunSummary.objects.filter(category="").update(passed=7)
    with pytest.raises(CommandError, match="1 figures differ"):
        call_command("recompute", "--dry-run", stdout=io.StringIO())
    call_command("recompute", stdout=io.StringIO())
    call_command("recompute", "--dry-run", stdout=io.StringIO())


def test_file_is_on_the_disk_before_its_row(
    settings: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Resolve the synced descriptors to paths: file, folder, and the folder above."""
    import os

    from leaderboard.storage.synced_storage import SyncedFileSystemStorage

    synced: list[str] = []
    fsync = os.fsync

    def note(descriptor: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{descriptor}").resolve()))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    storage = SyncedFileSystemStorage(location=tmp_path / "new")
    storage.save("blobs/ab/one", ContentFile(b"1"))
    folders = [tmp_path / "new" / "blobs" / "ab", tmp_path / "new" / "blobs", tmp_path / "new"]
    assert str(tmp_path / "new" / "blobs" / "ab" / "one") in synced
    assert {str(folder) for folder in folders} | {str(tmp_path)} <= set(synced)
