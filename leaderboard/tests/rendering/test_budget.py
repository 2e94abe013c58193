"""Cost of drawing a page: texts are priced, the expensive ones shown plainly and in short."""

from __future__ import annotations

import re

import pytest

from leaderboard.rendering import diffs
from leaderboard.rendering.budget import PAGE_US, SHORT_CHARS, page_budget
from leaderboard.templatetags.pybench import register

SHOW = {name: register.filters[name] for name in ("markdown", "python", "ansi", "plain")}
TAG = re.compile(r"<[^>]*>")

DEAR = [
    ("markdown", "|a|b|\n|-|-|\n" + "|" * 60_000),
    ("markdown", "[" * 60_000),
    ("markdown", "- a\n" * 15_000),
    ("markdown", "> a\n" * 15_000),
    ("python", "+-" * 30_000),
    ("python", "a b " * 15_000),
    ("ansi", "\x1b[1ma" * 40_000),
]


def test_dear_text_is_shown_as_it_is(subtests: pytest.Subtests) -> None:
    for case, (name, text) in zip([f"{n}-{t[:6]!r}" for n, t in DEAR], DEAR, strict=True):
        with subtests.test(case):
            with page_budget("/raw.json"):
                markup = SHOW[name](text)
            assert not re.search('<table|<li|<blockquote|class="p-|class="a-', markup)


@pytest.mark.parametrize("name", SHOW)
def test_endless_text_is_shown_in_short_with_a_link(name: str) -> None:
    text = "a\u200b" * 1_000_000
    with page_budget("/raw.json") as budget:
        markup = SHOW[name](text)
    assert len(TAG.sub("", markup)) < 6 * SHORT_CHARS  # an invisible sign is spelled out
    assert '<a href="/raw.json">raw record</a>' in markup
    assert f"{len(text) - SHORT_CHARS:,} more characters".replace(",", "\u202f") in markup
    assert budget.left_us > 0


def test_ordinary_text_is_rendered() -> None:
    table = "| a | b |\n|---|---|\n" + "| 1 | **2** |\n" * 100
    with page_budget("/raw.json"):
        assert SHOW["markdown"](table).count("<tr>") == 101
        assert 'class="p-' in SHOW["python"]("import pandas as pd\n" * 200)
        assert 'class="a-f1"' in SHOW["ansi"]("\x1b[31mred\x1b[0m\n" * 300)


def test_code_beyond_the_budget_is_whole_but_uncoloured() -> None:
    code = "x = 1\n" * 3_000
    with page_budget("/raw.json"):
        markup = SHOW["python"](code)
    assert 'class="p-' not in markup
    assert TAG.sub("", markup) == code.strip()
    assert markup.count('<span class="l">') == 3_000


def test_page_pays_for_all_its_texts_from_one_budget() -> None:
    code = "x = 1\n" * 500
    with page_budget("/raw.json") as budget:
        coloured = ['class="p-' in SHOW["python"](code) for _ in range(40)]
    assert coloured[0]
    assert not coloured[-1]
    assert 0 <= budget.left_us < PAGE_US


def test_texts_outside_a_page_are_bounded_one_by_one() -> None:
    assert 'class="p-' in SHOW["python"]("x = 1\n" * 500)
    markup = SHOW["markdown"]("[" * 6_000_000)
    assert "more characters" in markup
    assert "href" not in markup


def test_diff_pays_only_for_what_lies_between_equal_ends() -> None:
    lines = [f"line {n}" for n in range(1400)]
    edited = [*lines[:700], "new", *lines[701:]]
    diff = diffs.diff_files("a.txt", "\n".join(lines).encode(), "\n".join(edited).encode())
    assert diff is not None
    assert diff.summary.startswith("1 line added, 1 removed")
    assert [line.kind for line in diff.lines] == ["gap", "same", "removed", "added", "same", "gap"]
    shuffled = [line for pair in zip(lines, ["x"] * 1400, strict=True) for line in pair][:1400]
    assert (
        diffs.diff_files("a.txt", "\n".join(lines).encode(), "\n".join(shuffled).encode()) is None
    )


def test_blocks_turn_one_version_into_the_other(subtests: pytest.Subtests) -> None:
    for old in ["", "a", "a b", "a b c", "a a", "a b a"]:
        for new in ["", "a", "b", "a c", "a b c", "a a a", "b a"]:
            with subtests.test(old=old, new=new):
                before, after = old.split(), new.split()
                blocks = diffs.blocks_of(before, after)
                assert blocks is not None
                told, at = [], (0, 0)
                for tag, a, b, c, d in blocks:
                    assert (a, c) == at
                    at = (b, d)
                    told += before[a:b] if tag == "equal" else after[c:d]
                    assert tag != "equal" or before[a:b] == after[c:d]
                assert told == after
                assert at == (len(before), len(after))
