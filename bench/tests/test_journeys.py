"""The walk of journeys: what it judges, and the rows that it fills a site with."""

from __future__ import annotations

import pytest
from django.test import Client

from bench.journeys import JOURNEYS, MODELS, Journey, Walked, fill, show


def test_a_journey_is_kept_by_its_answer_and_its_clicks() -> None:
    long = Journey("Why?", 1, ["a", "b"], "main", "because")
    assert not Walked(long, 0.1, 10, "").is_kept
    assert not Walked(JOURNEYS[0], 0.1, 10, "The answer is not there.").is_kept
    assert Walked(JOURNEYS[0], 99.0, 10**9, "").is_kept


def test_every_journey_has_no_more_clicks_than_it_may(capsys: pytest.CaptureFixture[str]) -> None:
    assert [journey.most for journey in JOURNEYS] == [2, 1, 0, 1, 2]
    assert all(len(journey.clicks) <= journey.most for journey in JOURNEYS)
    show([Walked(journey, 1.25, 83_000, "") for journey in JOURNEYS])
    assert "Do the first two differ?           1 of 1      1.2      83" in capsys.readouterr().out


@pytest.mark.django_db
def test_the_site_that_is_walked_ranks_its_models() -> None:
    fill()
    rows = Client().get("/board.json").json()["rows"]
    assert [row["entry"] for row in rows if row["rank"]] == [name for name, _ in MODELS]
