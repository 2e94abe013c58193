"""The trial of the failure tags: its figures follow from the labels and the rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from leaderboard.failures.tag_trial import (
    FOLDER,
    LEAST_PRECISION,
    TrialCounts,
    TrialShare,
    cohens_kappa,
    compute_trial,
    count_labels,
    facts_from,
    read_labels,
    read_recorded_tags,
    read_trial,
    reading_of,
    recorded_tags_of,
    scripted_facts,
)
from leaderboard.failures.tagging import facts_of, list_artifacts
from leaderboard.failures.tags import BY_KEY, TAGS
from leaderboard.tests.support.recorded import recorded
from leaderboard.trajectories.import_file import import_file, names_for

ANEW = "compute them anew: python -m bench.tag_trial"


def test_the_figures_are_those_that_the_labels_and_the_rules_give() -> None:
    assert json.loads((FOLDER / "figures.json").read_text()) == compute_trial(
        read_recorded_tags()
    ), ANEW


@pytest.mark.django_db
def test_the_recorded_attempts_have_the_tags_that_are_stored() -> None:
    run = import_file(recorded(), names_for("trajectory.jsonl")).run
    assert run
    found = {
        attempt.task.key: recorded_tags_of(
            facts_of(attempt, attempt.steps_that_count(), list_artifacts(attempt), None)
        )
        for attempt in run.attempts.select_related("task")
    }
    assert found == read_recorded_tags(), ANEW


def test_both_readers_labelled_every_attempt_with_labels_that_there_are() -> None:
    labels = {material: read_labels(material) for material in ("recorded", "scripted")}
    facts = dict(scripted_facts())
    assert labels["recorded"].keys() == read_recorded_tags().keys()
    assert labels["scripted"].keys() == facts.keys()
    assert (len(labels["recorded"]), len(labels["scripted"])) == (135, 272)
    said = {
        label
        for readings in (*labels["recorded"].values(), *labels["scripted"].values())
        for reading in readings
        for label in reading.true | reading.unsure
    }
    assert said <= BY_KEY.keys()


def test_no_tag_that_was_tried_is_right_in_less_than_four_of_five_cases() -> None:
    tried = [tag for tag in read_trial().tags if tag.is_enough]
    assert len(tried) >= 20
    assert [tag.key for tag in tried if tag.precision.rate < LEAST_PRECISION] == []
    on_recorded = [tag for tag in tried if tag.recorded.both >= 10]
    wrong = [t for t in on_recorded if t.recorded.found < LEAST_PRECISION * t.recorded.tagged]
    assert wrong == []


def reading(true: str = "", unsure: str = "") -> Any:
    return reading_of({"true": true.split(), "unsure": unsure.split()})


def test_only_what_both_readers_say_counts() -> None:
    readings = {
        "found": (reading("format"), reading("format")),
        "missed": (reading("format"), reading("format no-code")),
        "false": (reading(), reading("no-code")),
        "right": (reading(), reading()),
        "disputed": (reading("format"), reading()),
        "doubted": (reading("format"), reading(unsure="format")),
        "unclear": (reading(unsure="format"), reading(unsure="format")),
    }
    tagged = {"found", "false", "disputed", "unclear"}
    tags = {key: ["format"] if key in tagged else [] for key in readings}
    counts = count_labels("format", readings, tags)
    assert (counts.attempts, counts.both, counts.neither, counts.disputed) == (7, 2, 2, 3)
    assert (counts.found, counts.false, counts.tagged_disputed) == (1, 1, 2)
    # yes 4/7 and 2/7, unsure 1/7 and 2/7, no 2/7 and 3/7; the same 5 times of 7
    chance = (4 * 2 + 1 * 2 + 2 * 3) / 49
    assert cohens_kappa(counts) == pytest.approx((5 / 7 - chance) / (1 - chance))


def test_readers_who_always_say_the_same_word_have_no_kappa() -> None:
    assert cohens_kappa(TrialCounts(attempts=9, neither=9)) is None
    assert cohens_kappa(TrialCounts()) is None


def test_a_share_has_wilsons_interval() -> None:
    share = TrialShare(9, 10)
    assert (share.rate, round(share.low, 3), round(share.high, 3)) == (0.9, 0.596, 0.982)


def test_stored_facts_are_facts_again() -> None:
    for _, facts in scripted_facts():
        assert isinstance(facts.expected, tuple)
        assert all(file.path for file in facts.files or ())
    with pytest.raises(TypeError):
        facts_from({"inputs": [], "expected": [], "files": None, "finish_word": ""})


def test_the_page_says_how_each_tag_did(client: Client) -> None:
    page = client.get("/about/method/").content.decode()
    section = page.partition('id="trial"')[2]
    for tag in TAGS:
        assert f">{tag.title}</th>" in section
    crash = next(tag for tag in read_trial().tags if tag.key == "kernel-crash")
    assert f"{crash.recall.count} of {crash.recall.of}, " in section
    assert "fixed after looking at these very labels" in section
    few = [tag for tag in read_trial().tags if not tag.is_enough]
    assert section.count("not enough<") == 2 * len(few) > 0
