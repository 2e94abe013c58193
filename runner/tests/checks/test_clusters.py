"""Drawn clusters: groups that lie apart, at places that come of the data."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from runner.checks.charts import clusters

rng = np.random.default_rng(2)
DATA = np.column_stack([rng.normal(0, 1, 60), rng.exponential(5, 60), np.repeat([0.0, 50.0], 30)])


PAIR = DATA[:, :2]
ORDER = rng.permutation(60)
FIRST, SECOND = clusters.candidates(DATA)[3:5]


@pytest.mark.parametrize(
    "drawn",
    [
        PAIR,
        3 - 2 * PAIR[ORDER],
        PAIR[5:],
        np.column_stack([FIRST + 7, SECOND]),
    ],
    ids=["columns", "turned-over", "rows-dropped", "components"],
)
def test_places_are_of_the_data_up_to_shift_scale_and_sign(drawn: np.ndarray) -> None:
    assert clusters.are_of_data(drawn, DATA)


@pytest.mark.parametrize(
    "drawn",
    [
        np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 5.0]] * 20),
        np.column_stack([DATA[:, 0], DATA[ORDER, 1]]),
        rng.normal(size=(60, 2)),
    ],
    ids=["made-up", "shuffled", "random"],
)
def test_places_of_something_else_are_not(drawn: np.ndarray) -> None:
    assert not clusters.are_of_data(drawn, DATA)


def test_groups_at_random_do_not_lie_apart() -> None:
    values = DATA[:, 2] + rng.normal(0, 1, 60)
    right = np.where(DATA[:, 2] > 0, "a", "b")
    assert clusters.between_share(values, right) > 0.9
    assert clusters.between_share(values, rng.permutation(right)) < clusters.LEAST_APART


def test_an_axis_bears_the_name_of_the_column_that_it_shows() -> None:
    names = ["normal", "exponential", "kind"]

    def axes(across: str, up: str) -> Any:
        return SimpleNamespace(x=SimpleNamespace(label=across), y=SimpleNamespace(label=up))

    assert clusters.are_named(axes("Normal", "exponential"), PAIR, DATA, names)
    assert clusters.are_named(axes("PC1", "PC2"), PAIR, DATA, names)
    assert not clusters.are_named(axes("kind", "exponential"), PAIR, DATA, names)


def test_numbers_that_count_the_rows_are_no_measure() -> None:
    assert clusters.counts_rows(ORDER.astype(float))
    assert not clusters.counts_rows(DATA[:, 0])
