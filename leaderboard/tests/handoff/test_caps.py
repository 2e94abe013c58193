"""Upper bounds on a step's body, whoever made the step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import zstandard
from django.conf import LazySettings

from leaderboard.models import Blob, packed_json, unpack
from leaderboard.models.packed_json import write_within
from leaderboard.storage.attempt_rows import step_body
from runner.contract import Output, OutputKind, Step, StepStatus

SMALL_CAP = 100_000
PIXEL = "iVBORw0KGgo="


def step(*outputs: Output, reply: str = "") -> Step:
    return Step(1, StepStatus.OK, reply, code="1", outputs=outputs)


def display(**data: str) -> Output:
    return Output(OutputKind.DISPLAY, data={f"image/{name}": text for name, text in data.items()})


@pytest.fixture(autouse=True)
def media(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.mark.django_db
def test_images_beyond_the_caps_become_no_files_and_are_noted() -> None:
    many = [display(**{f"x{n}-{k}": f"{n:04}{k:04}" for k in range(300)}) for n in range(20)]
    body = unpack(step_body(step(*many, display(png=PIXEL))))
    kept = [value for output in body["outputs"] for value in output["data"].values()]
    assert len(kept) == Blob.objects.count() == 40
    assert [len(output["data"]) for output in body["outputs"][:11]] == [4] * 10 + [0]
    assert body["outputs"][-1]["text"].startswith("5961 images are not kept")


def test_body_over_the_cap_is_cut_with_a_readable_note(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packed_json, "MAX_BODY_BYTES", SMALL_CAP)
    emoji = [Output(OutputKind.ERROR, text="\U0001f600" * 20_000) for _ in range(30)]
    packed = step_body(step(*emoji, reply="short"))
    assert zstandard.frame_content_size(packed) <= SMALL_CAP
    body = unpack(packed)
    assert (body["reply"], body["code"]) == ("short", "1")
    assert len(body["outputs"]) == 30
    assert body["outputs"][0]["text"].endswith("characters are not kept.]")
    assert "Too large to keep whole" in body["notes"][-1]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"a": ["x" * 10] * 100_000}, id="many short texts"),
        pytest.param({"a": [[[["y" * 50] * 20] * 20] * 20] * 20}, id="deep lists"),
        pytest.param("\x00" * 2_000_000, id="control characters"),
    ],
)
def test_whatever_is_too_large_fits_once_it_is_cut(value: object) -> None:
    written = write_within(value, SMALL_CAP)
    assert len(written) <= SMALL_CAP
    assert type(json.loads(written)) is type(value)


def test_what_fits_is_not_touched() -> None:
    value = {"notes": [], "text": "\ud800\x00é", "list": list(range(1000))}
    assert json.loads(write_within(value, SMALL_CAP)) == value
