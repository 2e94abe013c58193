"""Results as rows of a temporary site: all of them, and nothing from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from leaderboard.models import Artifact, Attempt, StepFile, Verdict, unpack
from leaderboard.tests.support.foreign_files import (
    atif,
    chat_messages,
    dumped,
    inspect_log,
    lines_of,
)
from leaderboard.tests.support.result_files import PLOT, make_results, row_of, usual_rows
from leaderboard.trajectories.export import raw_record
from leaderboard.viewing import results
from leaderboard.viewing.folder_storage import PLACES, FolderStorage
from leaderboard.viewing.results import read_results
from leaderboard.viewing.rows import conclude_run, write_run
from runner.contract import ProblemError
from runner.pybench_jsonl import OURS


@pytest.fixture(autouse=True)
def no_places_left() -> Iterator[None]:
    yield
    PLACES.clear()


@pytest.mark.django_db
def test_a_results_folder_becomes_a_run_with_its_verdicts(tmp_path: Path) -> None:
    (viewed,) = read_results(make_results(tmp_path / "out", usual_rows()))
    run = write_run(viewed)
    assert (run.entry.name, run.seed, run.attempts_per_task) == ("demo-7b", 7, 2)
    states = [(a.task.key, a.number, a.state) for a in run.attempts.order_by("pk")]
    assert states == [("sums", 1, "passed"), ("sums", 2, "failed"), ("gone", 1, "void")]
    failed = Attempt.objects.get(number=2)
    assert failed.sentence == "The total of North is 31, not 30."
    assert unpack(Verdict.objects.get(attempt=failed).body)[0]["actual"] == "31"
    assert Attempt.objects.get(task__key="gone").problem == "The endpoint did not answer."


@pytest.mark.django_db
def test_the_steps_keep_times_tokens_and_changed_files(tmp_path: Path) -> None:
    write_run(read_results(make_results(tmp_path / "out", [row_of("sums", 1, True)]))[0])
    record = raw_record(Attempt.objects.get())
    first = record["steps"][0]
    assert (first["model_s"], first["cell_s"], first["started_at"]) == (0.5, 0.25, 1_790_000_000.5)
    assert first["usage"]["prompt_tokens"] == 10
    change = StepFile.objects.get()
    blob = change.blob
    assert blob is not None
    assert (change.path, change.kind, blob.mime) == ("output/totals.csv", "created", "text/csv")
    with FolderStorage().open(blob.storage_name) as file:
        assert file.read() == PLOT
    assert record["answer"] == "North has 30."


@pytest.mark.django_db
def test_two_folders_of_one_suite_share_its_tasks(tmp_path: Path) -> None:
    make_results(tmp_path / "all" / "a", usual_rows(), "model-a")
    make_results(tmp_path / "all" / "b", usual_rows(), "model-b")
    runs = [write_run(viewed) for viewed in read_results(tmp_path / "all")]
    assert [run.entry.name for run in runs] == ["model-a", "model-b"]
    assert runs[0].suite_id == runs[1].suite_id
    assert runs[0].suite.tasks.count() == 2


@pytest.mark.django_db
def test_folder_of_foreign_files_becomes_a_run_for_each_model(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    (folder / "deep").mkdir(parents=True)
    (folder / "README.md").write_text("no trajectory")
    (folder / "deep" / "one.json").write_bytes(dumped(atif()))
    (folder / "chat.jsonl").write_bytes(lines_of({"messages": chat_messages()}))
    (folder / "out.json").symlink_to(tmp_path / "elsewhere")
    (folder / "log.json").write_bytes(dumped(inspect_log(2)))
    (folder / "other.json").write_bytes(dumped(inspect_log(1)).replace(b"6 by 7", b"7 by 6"))
    found = read_results(folder)
    names = {run.name: sorted(a.row.index for a in run.attempts) for run in found}
    assert sum(map(len, names.values())) == 5
    assert "logs" in names or len(names) > 1
    assert {"s1", "s2", "other-s1"} <= {name for each in names.values() for name in each}
    assert all("1 of 5 files hold no trajectory." in run.notes for run in found)
    runs = [write_run(viewed) for viewed in found]
    assert len({run.suite_id for run in runs}) == 1
    assert Attempt.objects.count() == 5


@pytest.mark.django_db
def test_tags_follow_as_a_sweep_would_give_them(tmp_path: Path) -> None:
    run = write_run(read_results(make_results(tmp_path / "out", usual_rows()))[0])
    conclude_run(run)
    run.refresh_from_db()
    assert run.is_filed
    tags = set(Attempt.objects.get(number=2).tags.values_list("tag", flat=True))
    assert tags
    assert not any("input" in tag for tag in tags)  # which a results folder does not hold


def folder_without_results(place: Path) -> Path:
    place.mkdir()
    (place / "notes.txt").write_text("nothing")
    return place


def other_file(place: Path) -> Path:
    place.write_bytes(b"%PDF-1.7 is no trajectory")
    return place


def empty_results(place: Path) -> Path:
    return make_results(place, [])


def no_json(place: Path) -> Path:
    make_results(place, [])
    (place / "trajectories.jsonl").write_bytes(b"\x00\xff" * 1000 + b'\n[1, 2]\n{"a":\n')
    return place


@pytest.mark.parametrize("make", [folder_without_results, other_file, empty_results, no_json])
def test_what_holds_no_results_is_refused_by_name(make: Any, tmp_path: Path) -> None:
    place = make(tmp_path / "place")
    with pytest.raises(ProblemError) as refused:
        read_results(place)
    assert str(place) in refused.value.problem.what


@pytest.mark.django_db
def test_links_in_the_folder_lead_nowhere(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    folder = make_results(tmp_path / "out", [row_of("sums", 1, True), row_of("two", 1, True)])
    (folder / "outputs" / "sums" / "attempt-1" / "link.txt").symlink_to(secret)
    (folder / "outputs" / "sums" / "attempt-1" / "up").symlink_to(tmp_path)
    two = folder / "outputs" / "two" / "attempt-1"
    (two / "totals.csv").unlink()
    two.rmdir()
    two.symlink_to(tmp_path)
    write_run(read_results(folder)[0])
    assert list(Artifact.objects.values_list("path", flat=True)) == ["totals.csv"]


@pytest.mark.django_db
def test_a_file_that_becomes_a_link_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    folder = make_results(tmp_path / "out", [row_of("sums", 1, True)])
    write_run(read_results(folder)[0])
    file = folder / "outputs" / "sums" / "attempt-1" / "totals.csv"
    file.unlink()
    file.symlink_to(secret)
    blob = Artifact.objects.get().blob
    assert blob is not None
    with pytest.raises(FileNotFoundError):
        FolderStorage().open(blob.storage_name)


@pytest.mark.parametrize("task", ["../../etc", "..", "/etc", "a/b", "", "a\0b", "x" * 5000])
@pytest.mark.django_db
def test_no_name_of_a_task_leaves_the_folder(task: str, tmp_path: Path) -> None:
    folder = make_results(tmp_path / "out", [])
    (folder / "outputs").mkdir()
    (folder / "trajectories.jsonl").write_text(json.dumps(row_of(task, 1, True)) + "\n")
    run = write_run(read_results(folder)[0])
    assert run.attempts.count() == 1
    assert not Artifact.objects.exists()


HOSTILE = [
    {"attempt": -1}, {"attempt": True}, {"attempt": 10**30}, {"seed": "x"}, {"steps": [{}] * 2},
    {"steps": [{"changes": [{"path": 1}, {"path": "a", "kind": "created", "size_bytes": -1}]}] * 2},
    {"steps": [{"started_at": float("nan"), "changes": "x", "usage": []}] * 2},
    {"usage": {"prompt_tokens": -4}}, {"usage": None}, {"verdict": {"passed": "yes"}},
    {"verdict": {"assertions": [1, {"name": ["x"]}], "sentence": "\0\ud800"}}, {"passed": "yes"},
    {"problem": []}, {"problem": {"fault": "x" * 99, "what": ["a"]}}, {"answer": {"a": 1}},
    {"outcome": "no such"}, {"wall_s": float("inf")}, {"environment": {"a": ["b"]}},
]  # fmt: skip


@pytest.mark.parametrize("more", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.django_db
def test_a_line_with_wrong_facts_is_still_shown(more: dict[str, Any], tmp_path: Path) -> None:
    folder = make_results(tmp_path / "out", [])
    row = row_of("sums", 1, True)
    row[OURS] |= more
    (folder / "trajectories.jsonl").write_text(json.dumps(row) + "\n")
    run = write_run(read_results(folder)[0])
    assert raw_record(run.attempts.get())["steps"]


def test_a_file_that_is_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_results(tmp_path / "out", usual_rows())
    monkeypatch.setattr(results, "MAX_FILE_BYTES", 1000)
    with pytest.raises(ProblemError, match="longer than"):
        read_results(folder)
