"""Form, API, `submit`, `start_run` and the evaluation have the same fields, bounds and defaults."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management.base import CommandError, CommandParser

from leaderboard.api.submission import SamplingSerializer, SubmissionSerializer
from leaderboard.management.commands.start_run import Command
from leaderboard.submissions.forms import ResumeForm, SubmissionForm
from runner.cli import evaluate_endpoint, submit

NUMBERS = {
    "temperature": (0, 2, None),
    "top_p": (0, 1, None),
    "max_tokens": (1, 1_000_000, None),
    "attempts_per_task": (1, 16, 1),
    "concurrency": (1, 64, 2),
    "parameters_b": (0.001, 100_000, None),
}
TEXTS = {"name": 200, "model": 300, "organisation": 200, "description": 4_000, "api_key": 4_000}
START = ["--suite", "s", "--base-url", "u", "--model", "m"]


def start_run_parser() -> argparse.ArgumentParser:
    parser = CommandParser()
    Command().add_arguments(parser)
    return parser


PARSERS: dict[str, tuple[Callable[[], argparse.ArgumentParser], list[str]]] = {
    "submit": (submit.parser, ["--site", "s", *START]),
    "start_run": (start_run_parser, START),
    "evaluation": (evaluate_endpoint.parser, ["--out", "o", *START]),
}


def test_numbers_of_form_and_api_have_the_same_bounds(subtests: pytest.Subtests) -> None:
    for name in NUMBERS:
        with subtests.test(name=name):
            least, most, default = NUMBERS[name]
            form: Any = SubmissionForm.base_fields[name]
            serializer = SubmissionSerializer() if name in SubmissionSerializer().fields else None
            api: Any = serializer.fields[name] if serializer else SamplingSerializer().fields[name]
            assert (
                (form.min_value, form.max_value) == (api.min_value, api.max_value) == (least, most)
            )
            assert form.initial == default
            if name in ResumeForm.base_fields:
                resumed: Any = ResumeForm.base_fields[name]
                assert resumed.max_value == most


def test_texts_of_form_and_api_have_the_same_length(subtests: pytest.Subtests) -> None:
    for name in TEXTS:
        with subtests.test(name=name):
            form: Any = SubmissionForm.base_fields[name]
            api: Any = SubmissionSerializer().fields[name]
            assert form.max_length == api.max_length == TEXTS[name]


@pytest.mark.parametrize("door", PARSERS)
@pytest.mark.parametrize("name", [name for name in NUMBERS if name != "parameters_b"])
def test_options_have_the_same_bounds_and_defaults(
    door: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    make, needed = PARSERS[door]
    least, most, default = NUMBERS[name]
    option = "attempts" if name == "attempts_per_task" else name
    word = f"--{option.replace('_', '-')}"
    assert getattr(make().parse_args(needed), option) == default
    for number in (least, most):
        assert getattr(make().parse_args([*needed, f"{word}={number}"]), option) == number
    for wrong in (str(least - 1), str(most + 1), "nan", "x"):
        with pytest.raises((SystemExit, CommandError)):
            make().parse_args([*needed, f"{word}={wrong}"])
    capsys.readouterr()
    if default is None:
        assert getattr(make().parse_args([*needed, word, "none"]), option) is None
