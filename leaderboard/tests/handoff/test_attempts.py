"""The door: who may claim, who may write, what is sealed, what comes back, what closes a run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from django.db import IntegrityError
from pytest_django.fixtures import Settings

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Artifact, Blob, Endpoint, Run, Step, StepFile, Verdict, unpack
from leaderboard.submissions import run_actions
from leaderboard.tests.support.jobs import (
    attempt_of,
    claim,
    claim_one,
    judged,
    lose,
    skip_back_off,
    step,
)
from leaderboard.tests.support.rows import register_entry, start_run
from runner.contract import (
    Fenced,
    Harvest,
    Opening,
    Output,
    OutputKind,
    RefusedFile,
    Status,
    StoredFile,
    Usage,
)

pytestmark = pytest.mark.django_db


def play_out(run: Run, passes: bool = True) -> None:
    while jobs := claim(run.pk, 16, "worker"):
        for job in jobs:
            attempts.record_result(job, judged(passes))


def stored_file(folder: Path, name: str, content: bytes) -> StoredFile:
    path = folder / name
    path.write_bytes(content)
    return StoredFile(name, len(content), hashlib.sha256(content).hexdigest(), path)


# -- claiming


def test_run_is_claimed_in_order_up_to_its_concurrency() -> None:
    run = start_run(4, concurrency=3)
    jobs = claim(run.pk, 10, "worker")
    assert [job.task_key for job in jobs] == ["task-1", "task-2", "task-3"]
    assert claim(run.pk, 10, "other") == []
    attempts.record_result(jobs[0], judged(True))
    assert [job.task_key for job in claim(run.pk, 10, "other")] == ["task-4"]


def test_a_job_says_all_that_a_runner_needs() -> None:
    run = start_run(1)
    job = claim_one(run)
    assert (job.run_id, job.suite, job.task_key, job.seed) == (run.pk, "small", "task-1", 20261121)
    assert (job.number, job.try_number, job.suite_digest) == (1, 1, "ab" * 32)
    assert job.endpoint.base_url == "http://127.0.0.1:1/v1"
    assert job.limits.max_turns == 10


def test_the_key_is_stored_encrypted_and_reaches_the_job_alone() -> None:
    entry = register_entry(api_key="sk-very-secret")
    assert b"sk-very-secret" not in bytes(Endpoint.objects.get(entry=entry).encrypted_key)
    run = start_run(1)
    run_actions.register(name="Model", base_url="http://x/v1", model="m", api_key="sk-very-secret")
    job = claim_one(run)
    assert job.endpoint.api_key == "sk-very-secret"
    assert "sk-very-secret" not in repr(job)


def test_any_run_with_room_is_claimed_when_none_is_named() -> None:
    first = start_run(2, concurrency=1)
    second = run_actions.start(first.entry, first.suite, concurrency=2)
    assert [job.run_id for job in claim(None, 3, "worker")] == [
        first.pk,
        second.pk,
        second.pk,
    ]


def test_the_first_claim_starts_the_run_and_the_diary_says_so() -> None:
    run = start_run(1)
    claim_one(run)
    run.refresh_from_db()
    assert run.status == Status.RUNNING
    assert run.started_at is not None
    changes = [(c.attempt_id, c.before, c.after) for c in run.status_changes.all()]
    assert changes[:2] == [(None, "", "queued"), (None, "queued", "running")]


def test_a_key_that_cannot_be_read_ends_the_run_with_a_sentence(settings: Settings) -> None:
    run = start_run(2)
    run_actions.register(name="Model", base_url="http://x/v1", model="m", api_key="sk-1")
    settings.FIELD_KEYS = ["Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyMTI="]
    assert claim(run.pk, 1, "worker") == []
    run.refresh_from_db()
    assert run.status == Status.DONE
    assert {a.problem_code for a in run.attempts.all()} == {"key_unreadable"}


# -- progress


def test_the_opening_keeps_messages_and_inputs(tmp_path: Path) -> None:
    job = claim_one(start_run(1))
    inputs = (stored_file(tmp_path, "sales.csv", b"a,b\n1,2\n"),)
    messages = ({"role": "system", "content": "You are …"},)
    attempts.opened(job, Opening(messages, "Sum it.", 7, {"total": 3}, inputs))
    body = unpack(attempt_of(job).opening)
    assert body["messages"] == [{"role": "system", "content": "You are …"}]
    assert body["inputs"][0]["path"] == "sales.csv"
    artifact = Artifact.objects.get(role=Artifact.Role.INPUT)
    assert artifact.path == "sales.csv"
    assert artifact.blob is not None
    assert artifact.blob.mime == "text/csv"


def test_a_step_is_kept_whole_with_its_bytes_in_blobs() -> None:
    job = claim_one(start_run(1))
    attempts.step(job, step())
    row = Step.objects.get()
    body = unpack(row.body)
    assert body["outputs"][0]["text"] == "1\n\x00\ud800"
    image = Blob.objects.get(pk=body["outputs"][1]["data"]["image/png"]["blob"])
    assert (image.mime, image.width) == ("image/png", 1)
    assert body["outputs"][1]["data"]["text/plain"] == "<Figure>"
    kept = {f.path: (f.kind, f.blob and f.blob.size_bytes) for f in StepFile.objects.all()}
    assert kept == {"output/a.csv": ("created", 3), "output/gone.csv": ("deleted", None)}
    assert attempt_of(job).turns == 1


def test_a_broken_image_is_kept_as_mere_bytes() -> None:
    job = claim_one(start_run(1))
    output = Output(OutputKind.DISPLAY, data={"image/png": "no base64!", "image/svg+xml": "<svg/>"})
    attempts.step(job, replace(step(), outputs=(output,)))
    assert set(Blob.objects.values_list("mime", flat=True)) >= {
        "application/octet-stream",
        "image/svg+xml",
    }


def test_each_change_moves_the_runs_sequence() -> None:
    run = start_run(1)
    seen = [run.sequence]
    job = claim_one(run)
    attempts.step(job, step())
    run.refresh_from_db()
    seen.append(run.sequence)
    attempts.record_result(job, judged(True))
    run.refresh_from_db()
    assert seen[0] < seen[1] < run.sequence


# -- invariant 1: a stale token writes nothing


def test_whoever_lost_an_attempt_can_write_nothing_more(tmp_path: Path) -> None:
    run = start_run(1)
    stale = claim_one(run)
    lose(stale)
    sweep_queue()
    skip_back_off(run)
    current = claim_one(run)
    assert current.token != stale.token
    files = (stored_file(tmp_path, "a.csv", b"1"),)
    writes: list[Callable[[], None]] = [
        lambda: attempts.opened(stale, Opening((), "", 7)),
        lambda: attempts.step(stale, step()),
        lambda: attempts.record_result(stale, judged(True, harvest=Harvest(files))),
    ]
    for write in writes:
        with pytest.raises(Fenced):
            write()
    attempts.release(stale)
    assert attempts.renew([stale, current]) == {current.claim}
    assert not Step.objects.exists()
    assert not Verdict.objects.exists()
    assert not Artifact.objects.exists()
    attempt = attempt_of(current)
    assert (attempt.status, str(attempt.token)) == (Status.RUNNING, current.token)
    attempts.record_result(current, judged(False))
    assert attempt_of(current).passed is False


def test_a_result_is_taken_once() -> None:
    job = claim_one(start_run(1))
    attempts.record_result(job, judged(True))
    with pytest.raises(Fenced):
        attempts.record_result(job, judged(False))
    assert attempt_of(job).passed is True
    assert Verdict.objects.count() == 1


def test_a_step_that_cannot_be_kept_renews_no_lease() -> None:
    job = claim_one(start_run(1))
    attempts.step(job, step())
    before = attempt_of(job).lease_until
    with pytest.raises(IntegrityError):
        attempts.step(job, replace(step(index=2), usage=Usage(-1, 0)))
    assert attempt_of(job).lease_until == before


def test_step_reported_twice_is_kept_once() -> None:
    job = claim_one(start_run(1))
    for _ in range(2):  # its commit was answered by silence
        attempts.step(job, step())
    assert attempt_of(job).steps.count() == 1


def test_a_lease_lives_as_long_as_it_is_renewed() -> None:
    job = claim_one(start_run(1))
    lose(job)
    assert attempts.renew([job]) == {job.claim}
    assert sweep_queue().taken_back == 0


# -- results


def test_a_result_seals_verdict_files_and_figures(tmp_path: Path) -> None:
    run = start_run(1)
    job = claim_one(run)
    files = (stored_file(tmp_path, "a.csv", b"1,2\n"),)
    harvest = Harvest(files, (RefusedFile("link", "a symbolic link"),))
    attempts.record_result(job, judged(True, harvest=harvest))
    attempt = attempt_of(job)
    assert (attempt.status, attempt.outcome, attempt.passed) == ("done", "finished", True)
    assert (attempt.sentence, attempt.turns, attempt.prompt_tokens) == ("As asked.", 3, 100)
    assert unpack(attempt.closing)["answer"] == "Done."
    verdict = Verdict.objects.get()
    assert unpack(verdict.body)[0]["name"] == "rows"
    roles = {a.path: (a.role, a.reason) for a in Artifact.objects.all()}
    assert roles == {"a.csv": ("output", ""), "link": ("refused", "a symbolic link")}
    run.refresh_from_db()
    assert run.environment == {"sandbox": "bwrap"}


def test_the_last_attempt_closes_the_run_and_leaves_its_figures() -> None:
    run = start_run(3)
    play_out(run)
    run.refresh_from_db()
    assert run.status == Status.DONE
    assert run.finished_at is not None
    overall = run.summaries.get(category="")
    assert (overall.tasks, overall.passed, overall.rate, overall.open) == (3, 3, 1.0, 0)
    assert set(run.summaries.values_list("category", flat=True)) == {"", "chart", "text", "image"}


def test_figures_stand_while_the_run_goes_on() -> None:
    run = start_run(3)
    assert run.summaries.get(category="").open == 3
    attempts.record_result(claim_one(run), judged(True))
    overall = run.summaries.get(category="")
    assert (overall.passed, overall.open) == (1, 2)
