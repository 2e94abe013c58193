"""Readers of replies and refusals take time in proportion to the text, on the worst texts known."""

from __future__ import annotations

import pytest

from runner.tests.reading.worst_texts import READERS
from runner.tests.support.worst_texts import (
    MOST_GROWTH,
    Reader,
    TextOf,
    excess,
    growth,
    repeated,
    texts_of,
)


def test_twice_the_text_takes_about_twice_the_cpu(subtests: pytest.Subtests) -> None:
    for reader, name in texts_of(READERS):
        with subtests.test(f"{reader.name}: {name}"):
            assert growth(reader, reader.texts[name]) <= MOST_GROWTH


def test_text_beyond_what_is_read_costs_little(subtests: pytest.Subtests) -> None:
    for reader, name in texts_of(READERS, only_bounded=True):
        with subtests.test(f"{reader.name}: {name}"):
            assert excess(reader, reader.texts[name]) <= MOST_GROWTH


def test_growth_of_a_quadratic_reader_is_seen() -> None:
    def quadratic(text: str) -> object:
        return [text.count("b") for _ in range(len(text) // 10)]

    worst: TextOf = repeated("a")
    slow = Reader("slow", quadratic, 30_000, {"letters": worst})
    # One look in forty takes it for clear.
    assert any(growth(slow, worst) > MOST_GROWTH for _ in range(5))
