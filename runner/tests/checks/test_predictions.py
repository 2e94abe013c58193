"""Models by what they predict: rows in the form a model wants, scores that forgive encodings."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

import pytest

from runner.checks.data import predictions, time_features
from runner.checks.data.predictions import Model

TABLE: dict[str, Sequence[Any]] = {"size": [1.0, 2.0, 3.0], "colour": ["red", "blue", "red"]}
FEATURES = ["size", "colour"]
LABELS = ["setosa", "virginica", "versicolor", "setosa"]


def rows(model: Model) -> list[tuple[tuple[str, ...] | None, list[list[object]]]]:
    found = predictions.designs_for(model, TABLE, FEATURES)
    return [(design.columns, [list(row) for row in design.rows]) for design in found]


def test_a_model_that_names_its_columns_gets_them_under_their_names() -> None:
    flags = rows(Model(names=("size", "colour_blue", "colour_red"), width=3))
    assert (
        ("size", "colour_blue", "colour_red"),
        [[1.0, 0.0, 1.0], [2.0, 1.0, 0.0], [3.0, 0.0, 1.0]],
    ) in flags
    counted = rows(Model(names=("Size", "Colour"), width=2))
    assert (("Size", "Colour"), [[1.0, 1.0], [2.0, 0.0], [3.0, 1.0]]) in counted


@pytest.mark.parametrize(
    ("width", "row"),
    [(1, [2.0]), (2, [2.0, 0.0]), (3, [2.0, 1.0, 0.0])],
)
def test_a_model_without_names_gets_what_its_width_says(width: int, row: list[float]) -> None:
    arrays = [found for columns, found in rows(Model(width=width)) if columns is None]
    assert row in [found[1] for found in arrays]
    assert {len(found[0]) for found in arrays} == {width}


def test_the_whole_table_is_offered_to_a_pipeline() -> None:
    assert (("size", "colour"), [[1.0, "red"], [2.0, "blue"], [3.0, "red"]]) in rows(Model())


def test_classes_may_be_named_or_numbered(subtests: pytest.Subtests) -> None:
    rows: list[tuple[list[Any], float]] = [
        (LABELS, 1.0),
        ([0, 2, 1, 0], 1.0),
        ([1.0, 3.0, 2.0, 1.0], 1.0),
        ([2, 0, 1, 2], 1.0),
        ([0, 0, 0, 0], 0.5),
        (["setosa", "setosa", "versicolor", "setosa"], 0.75),
        ([7, 8, 9, 7], 0.0),
    ]
    for predicted, share in rows:
        with subtests.test(predicted=predicted, share=share):
            assert predictions.share_right(predicted, LABELS) == share


def test_ranks_agree_by_order_and_not_for_constants_or_words() -> None:
    truth = [1.0, 5.0, 9.0, 20.0]
    assert predictions.rank_agreement([0.1, 0.2, 0.4, 3.0], truth) == pytest.approx(1)
    assert predictions.rank_agreement([4, 3, 2, 1], truth) == pytest.approx(-1)
    assert predictions.rank_agreement([2, 2, 2, 2], truth) == 0
    assert predictions.rank_agreement(["a", 1, 2, 3], truth) == 0


def test_the_past_of_a_series_goes_by_its_usual_names() -> None:
    days = [datetime.date(2024, 1, 30) + datetime.timedelta(n) for n in range(4)]
    table = time_features.features(days, {"Close": [1.0, 2.0, 4.0, 8.0]}, "Close")
    by_name = predictions.named_columns(
        table, ["lag_1", "Close_lag2", "Close_t-1", "MA_3", "Month", "DayOfYear", "nonsense"]
    )
    assert by_name == [
        [1.0, 1.0, 2.0, 4.0],
        [1.0, 1.0, 1.0, 2.0],
        [1.0, 1.0, 2.0, 4.0],
        [1.0, 1.5, 7 / 3, 14 / 3],
        [1.0, 1.0, 2.0, 2.0],
        [30.0, 31.0, 32.0, 33.0],
        None,
    ]
    assert time_features.windows([1.0, 2.0, 4.0, 8.0], 2)[2:] == [[1.0, 2.0], [2.0, 4.0]]


FOLLOWED = [20.0, 22.0, 19.0, 25.0, 28.0, 24.0, 18.0, 16.0, 21.0, 23.0]


@pytest.mark.parametrize(
    "predicted",
    [
        [v + 0.5 for v in FOLLOWED],
        predictions.standard(FOLLOWED),
        predictions.unit(FOLLOWED),
        [(v - min(FOLLOWED[:8])) / (max(FOLLOWED[:8]) - min(FOLLOWED[:8])) for v in FOLLOWED],
    ],
)
def test_predictions_explain_a_measurement_at_any_usual_scale(predicted: list[float]) -> None:
    assert predictions.explained(predicted, FOLLOWED) > 0.9


def test_means_other_scales_and_words_explain_nothing(subtests: pytest.Subtests) -> None:
    wrong: list[list[Any]] = [
        [sum(FOLLOWED) / len(FOLLOWED)] * len(FOLLOWED),
        [0.0] * len(FOLLOWED),
        [100 * v for v in FOLLOWED],
        [-v for v in FOLLOWED],
        FOLLOWED[::-1],
        ["a"] * len(FOLLOWED),
        FOLLOWED[:-1],
    ]
    for predicted in wrong:
        with subtests.test(predicted=predicted):
            assert predictions.explained(predicted, FOLLOWED) < 0.1


def test_a_nameless_model_is_asked_about_every_choice_of_columns_in_their_order() -> None:
    table = {"a": [1.0, 2.0], "b": [3.0, 4.0], "c": [5.0, 7.0]}
    found = [
        list(d.rows[0]) for d in predictions.subset_designs(Model(width=2), table, list("abc"))
    ]
    assert found[::3] == [[1.0, 3.0], [1.0, 5.0], [3.0, 5.0]]
    assert not predictions.subset_designs(Model(names=("x", "y"), width=2), table, list("abc"))
    assert not predictions.subset_designs(Model(width=4), table, list("abc"))
