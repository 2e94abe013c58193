"""Every file that this site gives out of an attempt is read by `/view/` again."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from leaderboard.evidence.bundle import write_bundle
from leaderboard.models import Attempt, pack
from leaderboard.tests.support.rows import (
    add_file,
    add_step,
    finish_run,
    make_entry,
    make_run,
    make_step,
    make_suite,
    printed,
    raised,
)
from leaderboard.tests.support.uploaded import bring, chat_line, signed_in
from leaderboard.trajectories.export import FORMATS
from leaderboard.trajectories.readers.any_format import read_any
from leaderboard.uploads.reading import read_upload
from runner.contract import StepStatus

pytestmark = pytest.mark.django_db

HOSTILE: dict[str, Any] = {
    "opening": [{"role": "user", "content": 7}, "x"],
    "steps": [
        {
            "index": -1, "status": "ok", "reply": ["no text"], "code": 5, "usage": 3,
            "outputs": [{"kind": "rocket", "data": {"image/png": {"blob": "0" * 64}}}, 4],
            "changes": [{"path": 9, "kind": "moved", "sha256": "0" * 64, "size_bytes": 1 << 80}],
            "notes": [None, "kept"], "model_s": True, "cell_s": -3, "messages": [{"role": 4}],
        }
    ],
}  # fmt: skip


@pytest.fixture
def attempt(ada: User) -> Attempt:
    run = bring(ada, chat_line("sums"), "mine.jsonl")
    found: Attempt = run.attempts.select_related("task").get()
    return found


def read(folder: Path, content: bytes, name: str) -> tuple[str, list[tuple[str, str | None, str]]]:
    """What the file is called, and each step's status, code and reply."""
    path = folder / "file"
    path.write_bytes(content)
    brought = read_upload(path, name)
    assert brought.refused_count == 0, brought.refused
    [one] = brought.attempts
    steps = [(str(step.status), step.code, step.reply) for step in one.row.steps]
    return brought.description, steps


@pytest.mark.parametrize("kind", [*(form.key for form in FORMATS), "raw", "page", "run"])
def test_own_file_is_read_again(attempt: Attempt, ada: User, tmp_path: Path, kind: str) -> None:
    place = [attempt.run_id, attempt.task.key]
    addresses = {
        "raw": attempt.raw_address,
        "page": reverse("self-contained", args=place),
        "run": reverse("run-file", args=[attempt.run_id, "pybench"]),
    }
    address = addresses.get(kind) or reverse("attempt-file", args=[*place, kind])
    answer = signed_in(ada).get(address)
    _, steps = read(tmp_path, answer.getvalue(), f"{kind}.bin")
    status, code, _ = steps[0]
    assert (status, (code or "").strip()) == ("ok", "print(1)")
    assert len(steps) == 2 or kind == "notebook"  # whose answer is no cell


def test_single_step_is_read_with_what_was_sent(
    attempt: Attempt, ada: User, tmp_path: Path
) -> None:
    address = reverse("step-json", args=[attempt.run_id, attempt.task.key, 1])
    kind, [step] = read(tmp_path, signed_in(ada).get(address).content, "step.json")
    assert kind == "a stored record of PyBench"
    assert step[:2] == ("ok", "print(1)")


def test_bundle_gives_its_trajectories_and_leaves_the_evidence_aside(tmp_path: Path) -> None:
    run = finish_run(make_run(make_suite(tasks=2), make_entry("Foo")), 1)
    for attempt in run.attempts.all():
        attempt.opening = pack(
            {"query": "Sum it.", "messages": [{"role": "user", "content": "Go"}]}
        )
        attempt.save()
        add_step(attempt, make_step(1, outputs=[printed("3")]))
        add_step(attempt, make_step(2, outputs=[raised()], status=StepStatus.ERROR))
        add_file(attempt, "a.csv", b"a,b\n1,2\n")
    path = tmp_path / "bundle.zip"
    path.write_bytes(b"".join(write_bundle(run, {"payloadType": "x", "payload": ""})))
    names = zipfile.ZipFile(path).namelist()
    assert len([name for name in names if name.startswith(("files/", "manifest"))]) == 2
    brought = read_upload(path, "run-1-bundle.zip")
    assert brought.refused_count == 0
    assert [(one.row.index, one.row.query) for one in brought.attempts] == [
        ("task-1", "Sum it."), ("task-2", "Sum it."),
    ]  # fmt: skip
    [_, raised_here] = brought.attempts[0].row.steps
    assert raised_here.outputs[0].error_name == "KeyError"
    assert brought.attempts[0].row.opening == ({"role": "user", "content": "Go"},)


def test_values_of_a_record_that_are_not_ours_are_left_out() -> None:
    [row] = read_any(json.dumps(HOSTILE).encode()).rows
    [step] = row.steps
    assert (row.opening, step.index, step.reply, step.code) == ((), 1, "", None)
    assert [dict(output.data) for output in step.outputs] == [{}, {}]
    assert [(c.sha256, c.size_bytes, c.path) for c in step.changes] == [("", 0, "9")]
    assert (step.notes, step.messages) == (("", "kept"), ())
    assert (step.model_s, step.cell_s) == (0.0, 0.0)
    wrong = {**HOSTILE, "steps": [*HOSTILE["steps"], {"index": 2}]}
    [error] = read_any(json.dumps(wrong).encode()).errors
    assert error.what == "Step 2 is no stored step."


def test_attempt_without_a_name_has_that_of_its_file(ada: User) -> None:
    run = bring(ada, chat_line(""), "My notes.jsonl")
    assert run.attempts.get().task.title == "my-notes"
    assert "my-notes" in signed_in(ada).get(run.attempts.get().get_absolute_url()).content.decode()


def test_page_of_one_replay_is_data_that_runs_nowhere(attempt: Attempt, ada: User) -> None:
    answer = signed_in(ada).get(reverse("self-contained", args=[attempt.run_id, "sums"]))
    page = answer.content.decode()
    assert page.count("<script") == 2
    assert '<script id="stored-record" type="application/json">' in page
