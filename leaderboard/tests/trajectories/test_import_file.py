"""Importing recorded trajectories: every line whole or refused, shown and never judged."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from leaderboard.models import Attempt, Blob, Entry, Import, Run, Suite
from leaderboard.tests.support.recorded import recorded
from leaderboard.tests.support.rows import make_suite
from leaderboard.trajectories.import_file import import_file, names_for
from runner.contract import Outcome, ProblemError

pytestmark = pytest.mark.django_db


def line(index: str, *contents: str, **more: Any) -> str:
    """One attempt: a query, then replies and observations by turns."""
    roles = ("assistant", "user")
    messages = [
        {"role": "user", "content": "Sum ./data/a.csv into ./output/b.csv"},
        *({"role": roles[i % 2], "content": text} for i, text in enumerate(contents)),
    ]
    row = {"messages": messages, "index": index, "category1": "图（x）", "category3": "求和"}
    return json.dumps({**row, "file_paths": ["./data/a.csv"], **more}, ensure_ascii=False)


CELL = "I look.\n```python\nprint(1)\n```"
GOOD = line("7", CELL, "1", "Finished: it is 1.")


def bring(*lines: str) -> Import:
    return import_file("\n".join(lines).encode(), names_for("some.jsonl"))


def test_a_recorded_run_is_over_and_unjudged() -> None:
    run = bring(GOOD, line("8", CELL, "KeyError")).run
    assert run is not None
    assert run.is_over
    assert run.entry.provenance == Entry.Provenance.RECORDED
    assert run.suite.is_recorded
    first, second = run.attempts.order_by("task__position")
    assert (first.state, first.passed, first.outcome) == ("unjudged", None, Outcome.FINISHED)
    assert (second.state, second.passed, second.outcome) == ("unjudged", None, "")
    assert (first.task.key, first.task.inputs, first.task.outputs) == ("7", ["a.csv"], ["b.csv"])
    summary = run.summaries.get(category="")
    assert (summary.passed, summary.failed, summary.void, summary.attempts) == (0, 0, 0, 2)


def test_broken_lines_are_refused_by_number_with_the_reason() -> None:
    imported = bring(GOOD, "{", '{"messages": []}', line("9", CELL, "2", "Done."), GOOD)
    assert imported.report["rows"] == 2
    refused = {error["line"]: error["reason"] for error in imported.report["errors"]}
    assert set(refused) == {2, 3, 5}
    assert "not valid JSON" in refused[2]
    assert "line 1" in refused[5]
    assert Attempt.objects.count() == 2


@pytest.mark.parametrize("content", [b"", b"\n\n", b"{\n[", b"\x00\xff" * 50])
def test_a_file_without_an_attempt_leaves_nothing(content: bytes) -> None:
    with pytest.raises(ProblemError, match="No line of the file has an attempt"):
        import_file(content, names_for("bad.jsonl"))
    rows = (Run, Suite, Entry, Import, Blob)
    assert [model.objects.count() for model in rows] == [0] * len(rows)


def test_the_same_file_is_not_imported_twice() -> None:
    first = bring(GOOD)
    with pytest.raises(ProblemError, match=f"imported as run {first.run_id}"):
        bring(GOOD)
    assert Run.objects.count() == 1


def test_several_attempts_at_one_task_are_numbered() -> None:
    run = bring(GOOD, line("7", CELL, "2", "Finished: it is 2.")).run
    assert run is not None
    assert run.attempts_per_task == 2
    assert list(run.attempts.order_by("number").values_list("number", flat=True)) == [1, 2]


def test_a_recorded_run_is_marked_and_takes_no_place(client: Client) -> None:
    make_suite()
    run = bring(GOOD, line("8", CELL, "KeyError")).run
    assert run is not None
    page = client.get(run.get_absolute_url()).content.decode()
    assert "recorded elsewhere: not checked, not ranked" in page
    assert "Recorded, not judged: finished." in page
    assert "Recorded, not judged: it ends early." in page
    assert "failed" not in re.sub("<[^>]*>", "", page).replace("Failures", "").casefold()
    board = client.get(f"/?suite={run.suite.name}").content.decode()
    assert "recorded, not judged" in board
    assert "Starter suite" in client.get("/").content.decode()  # recordings never come first
    assert client.get("/tasks/").headers["Location"] == "/tasks/starter/"
    breaks_off = client.get(f"/runs/{run.pk}/tasks/8/").content.decode()
    assert "the recording ends early, after step 1" in breaks_off


def test_text_that_no_column_takes_is_imported(client: Client) -> None:
    awkward = "nul \x00 and \ud800 alone \U0001f600"
    hard = line("../x", f"```python\nprint('{awkward}')\n```", awkward, awkward, user=awkward)
    content = json.dumps(json.loads(hard)).encode()
    run = import_file(content, names_for("awkward.jsonl")).run
    assert run is not None
    attempt = run.attempts.get()
    assert client.get(attempt.get_absolute_url()).status_code == 200
    exported = client.get(f"/runs/{run.pk}/export/pybench")
    assert b"".join(exported.streaming_content) == content + b"\n"  # type: ignore[attr-defined]


def test_a_file_in_utf16_is_imported_and_exported_anew(client: Client) -> None:
    run = import_file(GOOD.encode("utf-16"), names_for("wide.jsonl")).run
    assert run is not None
    body = client.get(f"/runs/{run.pk}/tasks/7/export/pybench").content
    assert json.loads(body)["messages"] == json.loads(GOOD)["messages"]


def test_the_command_reports_what_it_did(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(f"{GOOD}\n[]\n")
    call_command("import_trajectories", str(file), "--entry", "Old model", "--suite", "Old tasks")
    said = capsys.readouterr()
    assert "1 of 2 attempts imported" in said.out
    assert said.err.startswith("line 2: ")
    assert Run.objects.get().entry.name == "Old model"
    assert Suite.objects.get().name == "old-tasks"
    with pytest.raises(CommandError, match="was imported as run"):
        call_command("import_trajectories", str(file))
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_trajectories", str(tmp_path / "absent.jsonl"))


def test_the_recorded_file_comes_back_byte_for_byte(client: Client) -> None:
    content = recorded()
    run = import_file(content, names_for("trajectory.jsonl")).run
    assert run is not None
    attempts = run.attempts.all()
    assert attempts.count() == 135
    assert {attempt.state for attempt in attempts} == {"unjudged"}
    exported = client.get(f"/runs/{run.pk}/export/pybench")
    assert b"".join(exported.streaming_content) == content  # type: ignore[attr-defined]
    chats = client.get(f"/runs/{run.pk}/export/chat")
    lines = b"".join(chats.streaming_content).splitlines()  # type: ignore[attr-defined]
    originals = [json.loads(raw)["messages"] for raw in content.splitlines()]
    assert [json.loads(chat)["messages"] for chat in lines] == originals


def test_the_median_recorded_replay_is_light(client: Client) -> None:
    """Compressed as a browser gets it."""
    run = import_file(recorded(), names_for("trajectory.jsonl")).run
    assert run is not None
    sizes = []
    for attempt in run.attempts.select_related("task"):
        url = attempt.get_absolute_url()
        answer = client.get(url, headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200
        assert answer["Content-Encoding"] == "gzip"
        sizes.append(len(answer.content))
    sizes.sort()
    assert sizes[len(sizes) // 2] <= 60_000
    assert sizes[-1] <= 250_000  # the observation of 245,396 characters is bounded
