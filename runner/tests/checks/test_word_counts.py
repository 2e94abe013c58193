"""Counts of words, and correlations by ranks."""

import pytest

from runner.checks.clouds import word_counts


@pytest.mark.parametrize(
    ("some", "others", "expected"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 99], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        ([1, 2, 2, 3], [1, 2, 3, 4], 0.9486833),  # equal figures share their mean rank
        ([5, 5, 5], [1, 2, 3], 0.0),
    ],
)
def test_rank_correlation(some: list[float], others: list[float], expected: float) -> None:
    assert word_counts.rank_correlation(some, others) == pytest.approx(expected)


def test_words_are_counted_in_small_letters() -> None:
    text = "Don't stop. DON'T!"
    assert word_counts.counted(text) == {"don't": 2, "stop": 1}
