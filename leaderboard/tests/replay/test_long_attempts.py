"""Files of a long attempt are made apart from pages; they hold the same."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from leaderboard.tests.support.rows import add_step, make_run, make_step, make_suite, printed
from leaderboard.trajectories.export import FORMATS, raw_record

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("steps", "is_long"), [(1, False), (3, True)])
def test_files_of_attempt_are_whole_or_made_when_it_is_their_turn(
    steps: int, is_long: bool
) -> None:
    attempt = make_run(make_suite()).attempts.select_related("task")[0]
    for index in range(1, steps + 1):
        add_step(attempt, make_step(index, outputs=(printed("x" * 500_000),)))
    address = attempt.get_absolute_url()
    answer = Client().get(f"{address}attempt.json")
    assert (answer.streaming, answer["Content-Type"]) == (is_long, "application/json")
    assert json.loads(answer.getvalue()) == raw_record(attempt) | {"notes": []}
    for form in FORMATS:
        answer = Client().get(f"{address}export/{form.key}")
        assert answer.streaming == is_long, form.key
        assert answer.getvalue() == form.write(attempt, []), form.key
