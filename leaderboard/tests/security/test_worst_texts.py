"""Readers of the site take time in proportion to a stranger's text, on the worst texts known."""

from __future__ import annotations

import pytest

from leaderboard.tests.security.worst_texts import READERS
from runner.tests.support.worst_texts import (
    MOST_GROWTH,
    excess,
    growth,
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
