"""Runs as data sets: the lines that were asked for, and a card that says what they are."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client

from leaderboard.models import Run
from leaderboard.tests.viewing.test_results import make_results, usual_rows
from leaderboard.viewing.folder_storage import PLACES
from leaderboard.viewing.results import read_results
from leaderboard.viewing.rows import conclude_run, write_run
from runner.suite.canary import CANARY

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """A run with an attempt that passed, one that failed and one without a verdict."""
    (viewed,) = read_results(make_results(tmp_path / "out", usual_rows()))
    made = write_run(viewed)
    conclude_run(made)
    yield made
    PLACES.clear()


def ask(client: Client, run: Run, query: str = "") -> tuple[list[dict[str, Any]], str]:
    response = client.get(f"/runs/{run.pk}/export/data-set{query}")
    assert response.status_code == 200
    archive = zipfile.ZipFile(io.BytesIO(b"".join(response)))
    lines = archive.read("data/train.jsonl").decode("utf-8").splitlines()
    return [json.loads(line) for line in lines], archive.read("README.md").decode("utf-8")


def test_a_run_is_a_data_set_with_a_card(client: Client, run: Run) -> None:
    lines, card = ask(client, run)
    assert len(lines) == 3
    front = yaml.safe_load(card.split("---\n")[1])
    assert front["license"] == "cc-by-4.0"
    assert front["configs"][0]["data_files"][0]["path"] == "data/train.jsonl"
    assert front["size_categories"] == ["n<1K"]
    assert CANARY in card
    assert "| passed | 1 |" in card
    assert "| void | 1 |" in card


def test_a_filter_chooses_lines_and_is_named(client: Client, run: Run) -> None:
    lines, card = ask(client, run, "?state=passed")
    assert [line["pybench_site"]["passed"] for line in lines] == [True]
    assert "1 attempts: passed attempts" in card
    tag = run.attempts.get(number=2).tags.first()
    assert tag is not None
    lines, _ = ask(client, run, f"?state=failed&tag={tag.tag}")
    assert [line["pybench_site"]["attempt"] for line in lines] == [2]


@pytest.mark.parametrize("query", ["?state=void", "?state=x", "?tag=no-such", "?tag=%00"])
def test_an_unknown_filter_is_not_found(client: Client, run: Run, query: str) -> None:
    assert client.get(f"/runs/{run.pk}/export/data-set{query}").status_code in (400, 404)


def test_a_private_run_is_no_data_set_for_strangers(client: Client, run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(is_public=False)
    assert client.get(f"/runs/{run.pk}/export/data-set").status_code == 404


def test_a_name_cannot_change_the_card(client: Client, run: Run) -> None:
    run.entry.name = 'x"\n---\nlicense: none\n<script>'
    run.entry.save()
    front = yaml.safe_load(ask(client, run)[1].split("\n---\n")[0].removeprefix("---\n"))
    assert front["license"] == "cc-by-4.0"
    assert front["pretty_name"].startswith('x"\n---')
