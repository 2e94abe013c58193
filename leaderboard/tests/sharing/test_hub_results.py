"""Files for `.eval_results` are held against the Hub's own library, whose module is kept here."""

from __future__ import annotations

import logging
import sys
from types import ModuleType

import pytest
import yaml
from django.conf import settings as site_settings
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.models import Entry, Run, Suite
from leaderboard.submissions.run_actions import withdraw
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db

FOLDER = site_settings.BASE_DIR / "leaderboard" / "tests" / "data" / "hub_eval_results"
OWN_LOGGING = "from .utils import logging"


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module on the format of huggingface_hub 2.4.0 (Apache-2.0), as published."""
    source = (FOLDER / "eval_results.py.txt").read_text("utf-8")
    assert OWN_LOGGING in source
    module = ModuleType("hub_eval_results")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(logging, "get_logger", logging.getLogger, raising=False)
    exec(source.replace(OWN_LOGGING, "import logging"), module.__dict__)
    return module


@pytest.fixture
def run() -> Run:
    return finish_run(make_run(make_suite(tasks=24), make_entry("Foo 70B")), 18)


def get(run: Run) -> str:
    answer = Client().get(f"/runs/{run.pk}/eval-results.yaml")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/yaml; charset=utf-8"
    assert "pybench-starter.yaml" in answer["Content-Disposition"]
    return answer.content.decode()


def test_file_is_read_and_written_by_the_hubs_library_unchanged(
    run: Run, library: ModuleType
) -> None:
    stored = yaml.safe_load(get(run))
    entries = library.parse_eval_result_entries(stored)
    assert library.eval_result_entries_to_yaml(entries) == stored
    [whole] = entries  # a category of 8 tasks has no rate
    assert (whole.dataset_id, whole.task_id, whole.value) == ("pybench-starter", "default", 75.0)
    assert whole.source_url == f"http://testserver/runs/{run.pk}/"
    assert whole.date == "2026-11-20"
    assert "95 % interval 55.1 to 88.0" in whole.notes


def test_suite_without_a_dataset_is_marked_as_unregistered(run: Run, settings: Settings) -> None:
    assert get(run).startswith("# pybench-starter is this suite's own name, not a dataset")
    settings.HUB_DATASETS = {"starter": "owner/pybench-starter"}
    text = get(run)
    assert "#" not in text
    assert yaml.safe_load(text)[0]["dataset"]["id"] == "owner/pybench-starter"


@pytest.mark.parametrize("name", ["a: [b]\n- c", '"}{#', "\u202eعربي", "\u2028\x85通"])
def test_hostile_names_break_no_file(run: Run, name: str) -> None:
    Entry.objects.filter(pk=run.entry_id).update(name=name)
    Suite.objects.filter(pk=run.suite_id).update(title=name, version=f"1{name}")
    [whole, *_] = yaml.safe_load(get(run))
    assert set(whole) == {"dataset", "value", "date", "source", "notes"}
    assert "\u202e" not in whole["notes"]


def test_run_without_a_rate_has_an_empty_list_and_a_private_one_no_file(run: Run) -> None:
    other = finish_run(make_run(run.suite, make_entry("Bar")), 3, void=2)
    text = get(other)
    assert "no rate yet" in text
    assert yaml.safe_load(text) == []
    withdraw(run.pk)
    assert Client().get(f"/runs/{run.pk}/eval-results.yaml").status_code == 404


def test_run_on_few_tasks_has_its_count_and_no_rate() -> None:
    text = get(finish_run(make_run(make_suite(), make_entry("Foo")), 5))
    assert "fewer than 20 tasks, of which the run passed 5 of 8" in text
    assert yaml.safe_load(text) == []


def test_run_page_offers_the_file(run: Run) -> None:
    assert (
        f'href="/runs/{run.pk}/eval-results.yaml"'
        in Client().get(run.get_absolute_url()).content.decode()
    )
