"""The trial of the failure tags: its figures follow from the labels and the rules."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from django.test import Client

from bench.tag_trial import (
    FIGURES,
    compute_recorded_tags,
    compute_trial,
    count_labels,
    describe,
    facts_from,
    read_labels,
    read_one,
    read_recorded_tags,
    scripted_facts,
    share,
)
from leaderboard.failures.tag_trial import read_trial
from leaderboard.failures.tags import BY_KEY, TAGS
from leaderboard.tests.support.recorded import recorded

LEAST_PRECISION = 0.8  # a tag below it is mended or withdrawn
ANEW = "compute them anew: python -m bench.tag_trial"


def test_the_figures_are_those_that_the_labels_and_the_rules_give() -> None:
    assert json.loads(FIGURES.read_text()) == compute_trial(read_recorded_tags()), ANEW


@pytest.mark.django_db
def test_the_recorded_attempts_have_the_tags_that_are_stored() -> None:
    assert compute_recorded_tags(recorded()) == read_recorded_tags(), ANEW


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
    tried = [tag for tag in read_trial()["tags"] if tag["is_enough"]]
    assert len(tried) >= 20
    assert [tag["key"] for tag in tried if tag["precision"]["rate"] < LEAST_PRECISION] == []
    counted = [tag["recorded"] for tag in tried if tag["recorded"]["both"] >= 10]
    wrong = [c for c in counted if c["tagged"] - c["false"] < LEAST_PRECISION * c["tagged"]]
    assert wrong == []


def reading(true: str = "", unsure: str = "") -> Any:
    return read_one({"true": true.split(), "unsure": unsure.split()})


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
    figures = describe(count_labels("format", readings, tags), Counter())
    assert figures["recorded"] == {"attempts": 7, "both": 2, "tagged": 2, "false": 1}
    assert (figures["recall"]["count"], figures["disputed"], figures["tagged_disputed"]) == (
        1,
        3,
        2,
    )
    # yes 4/7 and 2/7, unsure 1/7 and 2/7, no 2/7 and 3/7; the same 5 times of 7
    chance = (4 * 2 + 1 * 2 + 2 * 3) / 49
    assert figures["kappa"] == pytest.approx((5 / 7 - chance) / (1 - chance))


def test_readers_who_always_say_the_same_word_have_no_kappa() -> None:
    readings = {"one": (reading(), reading())}
    assert describe(count_labels("format", readings, {"one": []}), Counter())["kappa"] is None
    assert describe(Counter(), Counter())["kappa"] is None


def test_a_share_has_wilsons_interval() -> None:
    found = share(9, 10)
    assert (found["rate"], round(found["low"], 3), round(found["high"], 3)) == (0.9, 0.596, 0.982)


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
    crash = next(tag for tag in read_trial()["tags"] if tag["key"] == "kernel-crash")
    assert f"{crash['recall']['count']} of {crash['recall']['of']}, " in section
    assert "fixed after looking at these very labels" in section
    few = [tag for tag in read_trial()["tags"] if not tag["is_enough"]]
    assert section.count("not enough<") == 2 * len(few) > 0
