"""Changes inside a file, and names of files that may have been meant: pure functions."""

from __future__ import annotations

import json
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

import pytest

from leaderboard.rendering.diffs import (
    DIFF_BYTES,
    MAX_SHOWN,
    Change,
    Diff,
    diff_contents,
    diff_files,
    is_comparable,
)
from leaderboard.rendering.file_contents import ContentPart, FileContents


def compare(name: str, before: str, after: str) -> Diff:
    found = diff_files(name, before.encode(), after.encode())
    assert found is not None
    return found


def test_cells_rows_and_heading_of_a_table() -> None:
    before = "k,v\n" + "".join(f"{i},{i}\n" for i in range(9))
    after = before.replace("k,v", "k,w").replace("4,4", "4,5").replace("7,7\n", "") + "9,9\n"
    diff = compare("t.csv", before, after)
    assert diff.summary == "1 cell changed, 1 row added, 1 row removed, the heading changed"
    assert (diff.header[1].before, diff.header[1].text) == ("v", "w")
    kinds = [row.kind for row in diff.rows]
    assert kinds.count(Change.CHANGED) == kinds.count(Change.ADDED) == 1
    changed = next(row for row in diff.rows if row.kind is Change.CHANGED)
    assert (changed.number, changed.cells[0].before, changed.cells[1].before) == (5, None, "4")


def test_a_tables_gaps_add_up_to_what_is_there() -> None:
    before = "k\n" + "".join(f"{i}\n" for i in range(500))
    diff = compare("t.csv", before, before.replace("\n250\n", "\nx\n"))
    assert sum(row.count or 1 for row in diff.rows) == 500
    assert len(diff.rows) == 5  # a gap, one row, the changed one, one row, a gap


def test_a_table_written_otherwise_has_not_changed() -> None:
    diff = compare("t.csv", "a,b\n1,2\n", 'a,b\r\n"1",2\r\n')
    assert diff.summary == "only the way it is written changed"


def test_lines_of_a_text() -> None:
    diff = compare("a.txt", "one\ntwo\nthree\n", "one\n2\nthree\nfour\n")
    shown = [(line.kind, line.text) for line in diff.lines if not line.count]
    assert (Change.REMOVED, "two") in shown
    assert (Change.ADDED, "2") in shown
    assert (Change.ADDED, "four") in shown
    assert diff.summary == "2 lines added, 1 removed"


def test_json_is_compared_by_value() -> None:
    before, after = json.dumps({"a": 1, "b": [1, 2]}), json.dumps({"a": 1, "b": [1, 3]}, indent=8)
    diff = compare("a.json", before, after)
    assert diff.summary == "1 line added, 1 removed"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\0b", b"text"),
        (b"same", b"same"),
        (b"x\n" * 5_000, b"y\n" * 5_000),
        (b"[" * 30_000, b"{"),
    ],
)
def test_what_cannot_be_compared_is_not(before: bytes, after: bytes) -> None:
    diff = diff_files("a.json", before, after)
    assert diff is None or before.startswith(b"[")


def test_what_is_shown_is_bounded() -> None:
    diff = compare("a.txt", "", "x" * 5_000 + "\n" + "y\n" * 1_000)
    assert len(diff.lines) == MAX_SHOWN
    assert max(len(line.text) for line in diff.lines) <= 301
    assert "of 1001 are shown" in diff.summary
    assert is_comparable("a.txt", "text/plain", 1, DIFF_BYTES)
    assert not is_comparable("a.txt", "text/plain", 1, DIFF_BYTES + 1)
    assert not is_comparable("a.png", "image/png", 1, 1)


def test_deep_json_is_compared_as_it_is_written() -> None:
    """Laid out, each of its lines would begin with as many blanks as it is deep."""
    deep = "[" * 900 + ",".join(["[]"] * 9_000) + "]" * 900
    diff = compare("a.json", deep, f"{deep} ")
    assert diff.summary == "1 line added, 1 removed"
    diff = compare("a.json", "[[[1]]]", "[[[1, 2]]]")
    assert diff.summary.startswith("2 lines added")


def test_lines_that_repeat_cost_little_between_few_and_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[int] = []
    find = SequenceMatcher.find_longest_match

    def look(self: Any, *places: int) -> object:
        looks.append(len(self.b2j.get("a", ())))
        return find(self, *places)

    monkeypatch.setattr(SequenceMatcher, "find_longest_match", look)
    compare(
        "a.txt",
        *("".join(f"a\n{side}{n}\n" for n in range(k)) for side, k in (("x", 90), ("y", 700))),
    )
    assert sum(looks) < 1_000


def test_a_change_in_any_part_of_a_document_is_found(subtests: pytest.Subtests) -> None:
    table = ContentPart("Table 1", header=("a",), rows=(("1",),))
    after = (ContentPart("Text", text="one"), table, ContentPart("Text", text="end"))
    pictures = "2 pictures are not drawn."
    for before, note, said in [
        ((ContentPart("Text", text="1"), *after[1:]), "", ["1 line added, 1 removed"]),
        ((*after[:2], ContentPart("Text", text="")), "", ["1 line added, 0 removed"]),
        (after[:2], "", ["was added"]),
        (after, pictures, [f"before: {pictures} Now: nothing to note."]),
        (
            (
                after[0],
                replace(table, note="Formulas."),
                after[2],
            ),
            "",
            ["before: Formulas. Now: nothing to note."],
        ),
        (after, "", ["nothing that is shown here changed"]),
    ]:
        with subtests.test(said=said):
            old = FileContents(parts=before, note=note)
            assert [one.summary for one in diff_contents(old, FileContents(parts=after))] == said
