"""The values that requests share: so many of them, and together no larger than allowed."""

from __future__ import annotations

from leaderboard.process_cache import Shelf


def test_large_values_push_out_those_asked_for_longest_ago() -> None:
    shelf: Shelf[str] = Shelf(size=10, measure=len, most=10)
    made: list[str] = []

    def ask(name: str, length: int) -> str:
        def make() -> str:
            made.append(name)
            return name * length

        return shelf.get(name, make, lambda value: True)

    for name in "abc":
        ask(name, 3)
    assert ask("a", 3) == "aaa"
    assert made == ["a", "b", "c"]  # all are kept
    ask("d", 5)  # b and c have to go: 3 + 5 are no more than 10
    made.clear()
    ask("a", 3), ask("d", 5)
    assert not made
    assert ask("e", 50) == "e" * 50  # too large for any company, and kept while it is the last
    ask("e", 50)
    ask("a", 3)
    assert made == ["e", "a"]


def test_a_value_that_is_made_again_counts_once() -> None:
    shelf: Shelf[str] = Shelf(size=10, measure=len, most=10)
    shelf.get("kept", lambda: "four", lambda value: True)
    for _ in range(5):
        shelf.get("new", lambda: "sixsix", lambda value: False)
    assert shelf.get("kept", lambda: "made anew", lambda value: True) == "four"
