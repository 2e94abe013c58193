"""ATIF 1.8: held against the schema of Harbor's models, with nothing lost on the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.test import Client

from leaderboard.models import Attempt, runs
from leaderboard.models import Step as StepRow
from leaderboard.tests.support.rows import (
    finish_run,
    make_run,
    make_suite,
    tell_failure,
)
from leaderboard.tests.support.trajectories import (
    CALL,
    ERROR,
    PLAYED,
    answered,
    ran,
    stored,
    trajectory,
)
from leaderboard.trajectories.formats.atif import atif_document
from runner.contract import ChangeKind, FileChange, Step, StepStatus, Usage

SCHEMA = json.loads(Path(__file__).with_name("atif-1.8.schema.json").read_text("utf-8"))
AGENT_ONLY = ("model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics")


def check(text: str) -> dict[str, Any]:
    """The document in `text`, held against the schema and what the models add to it in code."""
    document: dict[str, Any] = json.loads(text)
    jsonschema.validate(document, SCHEMA)
    for number, step in enumerate(document["steps"], 1):
        assert step["step_id"] == number
        calls = {call["tool_call_id"] for call in step.get("tool_calls") or ()}
        for result in (step.get("observation") or {}).get("results", ()):
            assert result["source_call_id"] in calls
        if step["source"] != "agent":
            assert not any(name in step for name in AGENT_ONLY)
    return document


def agent_steps(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for step in document["steps"] if step["source"] == "agent"]


def test_an_attempt_is_a_valid_document_and_nothing_of_it_is_lost() -> None:
    told = trajectory(*PLAYED)
    document = check(atif_document(told))
    assert document["schema_version"] == "ATIF-v1.8"
    opening = [(step["source"], step["message"]) for step in document["steps"][:2]]
    assert opening == [("system", "You solve a task."), ("user", "Sum `amount`.")]
    steps = agent_steps(document)
    assert [step["message"] for step in steps] == [step["reply"] for step in told.steps]
    codes = [step["code"] for step in told.steps if step["code"] is not None]
    calls = [call for step in steps for call in step.get("tool_calls", ())]
    assert [call["arguments"]["code"] for call in calls] == codes
    seen = [step["observation"]["results"][0]["content"] for step in steps[:5]]
    assert seen == [step["observation"] for step in told.steps[:5]]
    assert [step["extra"]["status"] for step in steps] == [step["status"] for step in told.steps]
    assert steps[0]["metrics"] == {"prompt_tokens": 10, "completion_tokens": 5}
    assert steps[0]["extra"]["cell_s"] == 0.25
    assert document["extra"]["answer"] == told.answer
    assert document["extra"]["passed"] is True
    assert document["final_metrics"]["total_steps"] == len(document["steps"])


def test_files_and_pictures_are_named_by_their_digests() -> None:
    change = FileChange("output/a.csv", ChangeKind.CREATED, 3, sha256="ab" * 32)
    (step,) = stored(ran(1, "show()", "seen", changes=(change,)))
    step["outputs"][0]["data"] = {"image/png": {"blob": "cd" * 32}}
    told = trajectory()
    document = check(atif_document(type(told)(**{**vars(told), "steps": [step]})))
    (agent,) = agent_steps(document)
    assert agent["observation"]["results"][0]["content"] == [
        {"type": "text", "text": "seen"},
        {
            "type": "image",
            "source": {"media_type": "image/png", "path": f"files/{'cd' * 32}.png"},
        },
    ]
    assert agent["extra"]["changes"][0]["sha256"] == "ab" * 32
    assert "are not in this document" in document["notes"]


def test_no_step_makes_an_invalid_document(subtests: pytest.Subtests) -> None:
    for step in [
        answered(1, ""),
        Step(1, StepStatus.MALFORMED, "```python\nprint(", notes=("The fence was not closed.",)),
        ran(1, "", ""),
        ran(1, "print('\ud800\x00\u202e')", "\ud800"),
        ran(1, "x", usage=Usage(reasoning_tokens=7)),
        ran(1, "x", status=StepStatus.ERROR, outputs=(ERROR,)),
        ran(1, "x", started_at=1_790_000_000.25),
        ran(1, "x", messages=({"role": "assistant", "content": None, "tool_calls": [CALL]},)),
    ]:
        with subtests.test(step=step):
            document = check(atif_document(trajectory(step)))
            assert len(agent_steps(document)) == 1


def test_without_messages_the_query_opens_it() -> None:
    document = check(atif_document(trajectory(opening=())))
    assert [step["source"] for step in document["steps"]] == ["user"]


@pytest.mark.django_db
def test_pages_give_it_for_an_attempt_and_for_a_run(client: Client) -> None:
    run = finish_run(make_run(make_suite()), 3)
    attempt: Attempt = run.attempts.select_related("task", "run").get(task__key="rotate-photo")
    tell_failure(attempt)
    address = f"/runs/{run.pk}/tasks/rotate-photo/"
    assert f'href="{address}export/atif"' in client.get(address).content.decode()
    answer = client.get(f"{address}export/atif")
    assert answer["Content-Disposition"].endswith('rotate-photo.trajectory.json"')
    document = check(answer.content.decode())
    assert len(agent_steps(document)) == attempt.steps.count()
    whole = client.get(f"/runs/{run.pk}/export/atif")
    assert whole["Content-Type"] == "application/zip"
    assert b"".join(whole).startswith(b"PK")
    whole.close()


@pytest.mark.django_db
def test_no_export_is_cut_without_a_word(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    run = finish_run(make_run(make_suite()), 3)
    attempt: Attempt = run.attempts.select_related("task", "run").get(task__key="rotate-photo")
    tell_failure(attempt)
    body, there = attempt.steps.order_by("index")[0].body, attempt.steps.count()
    StepRow.objects.bulk_create(
        StepRow(attempt=attempt, index=n, status="ok", body=body) for n in range(there + 1, 992)
    )
    address = f"/runs/{run.pk}/tasks/rotate-photo/"
    document = check(client.get(f"{address}export/atif").content.decode())
    assert len(agent_steps(document)) == 991
    assert len(client.get(f"{address}attempt.json").json()["steps"]) == 991
    monkeypatch.setattr(runs, "MAX_STEPS_BYTES", 20_000)
    for form in ("atif", "chat", "pybench", "notebook"):
        text = client.get(f"{address}export/{form}").content.decode()
        assert text.count("is left out: the attempt is too large") > 900, form
    steps = client.get(f"{address}attempt.json").json()["steps"]
    assert len(steps) == 991
    assert steps[-1]["left_out"].startswith("Step 991 (")
