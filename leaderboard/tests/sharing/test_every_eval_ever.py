"""Records of Every Eval Ever are held against its own schema, kept with its licence."""

from __future__ import annotations

import json

import jsonschema
import pytest
from django.conf import settings
from django.test import Client

from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db
FOLDER = settings.BASE_DIR / "leaderboard" / "tests" / "data" / "every_eval_ever"
SCHEMA = json.loads((FOLDER / "eval.schema.json").read_text("utf-8"))


@pytest.mark.parametrize("organisation", ["", "Foo"])
def test_a_record_fits_the_schema_and_says_the_run_s_rate(organisation: str) -> None:
    run = finish_run(
        make_run(make_suite(tasks=24), make_entry("Foo 70B", organisation=organisation)), 18
    )
    record = Client().get(f"/runs/{run.pk}/every-eval-ever.json").json()
    jsonschema.validate(record, SCHEMA)
    assert record["schema_version"] == SCHEMA["version"]
    whole, *parts = record["evaluation_results"]
    assert (whole["score_details"]["score"], len(parts)) == (0.75, 3)
    interval = whole["score_details"]["uncertainty"]["confidence_interval"]
    few = parts[0]  # of 8 tasks: how many passed
    assert "confidence_interval" not in few["score_details"]["uncertainty"]
    assert (few["score_details"]["score"], few["metric_config"]["max_score"]) == (6, 8)
    assert 0 < interval["lower"] < 0.75 < interval["upper"] < 1


def test_a_run_under_way_has_no_results_and_a_private_one_no_record() -> None:
    suite = make_suite()
    going, private = make_run(suite), make_run(suite, make_entry("Bar"), is_public=False)
    record = Client().get(f"/runs/{going.pk}/every-eval-ever.json").json()
    jsonschema.validate(record, SCHEMA)
    assert record["evaluation_results"] == []
    assert Client().get(f"/runs/{private.pk}/every-eval-ever.json").status_code == 404
