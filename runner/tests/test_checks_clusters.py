"""Drawn clusters: groups that lie apart, at places that come of the data."""

from __future__ import annotations

import numpy as np
import pytest

from runner.checks import clusters

rng = np.random.default_rng(2)
DATA = np.column_stack([rng.normal(0, 1, 60), rng.exponential(5, 60), np.repeat([0.0, 50.0], 30)])


@pytest.mark.parametrize(
    "drawn",
    [
        DATA[:, 1],
        3 - 2 * rng.permutation(DATA[:, 1]),
        DATA[5:, 1],
        clusters.candidates(DATA)[3] + 7,
    ],
    ids=["column", "turned-over", "rows-dropped", "component"],
)
def test_places_are_of_the_data_up_to_shift_scale_and_sign(drawn: np.ndarray) -> None:
    assert clusters.is_of_data(drawn, DATA)


def test_places_of_something_else_are_not() -> None:
    assert not clusters.is_of_data(np.array([0.0, 1.0, 2.0] * 20), DATA)


def test_groups_at_random_do_not_lie_apart() -> None:
    values = DATA[:, 2] + rng.normal(0, 1, 60)
    right = np.where(DATA[:, 2] > 0, "a", "b")
    assert clusters.between_share(values, right) > 0.9
    assert clusters.between_share(values, rng.permutation(right)) < clusters.LEAST_APART
