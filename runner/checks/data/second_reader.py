"""Text tables that two readers must read alike: our own, and pandas as users call it."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from runner.checks.case import Case
from runner.checks.data import datasets, tables
from runner.checks.values import GROUPED, NUMBER, is_blank, number, spaced

if TYPE_CHECKING:
    import pandas

MOST_PADDING = 32  # blanks around a cell, as columns that are set under each other have
MOST_SIGNS = 40  # of a number
ENDING = re.compile(r"[ _.-]*\d+$")  # of a column's name, by which copies are told apart
READABLE = re.compile(r"[\x20-\x7e\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]*")  # no twins of letters
WORD_ENDS = re.compile(r"[ _-]+|(?<=[a-z0-9])(?=[A-Z])")  # in the name of a column


def read(case: Case, name: str, source: tables.Table) -> tables.Table:
    """The output `name`, a csv, without pandas' index, its columns called as those of `source`.

    One assertion says whether pandas gives the same table, with plain numbers, once it knows the
    delimiter.
    """
    table = tables.read(case, name)
    with case.reading(name, "csv") as path:
        fault = fault_of(path, table, source)
    message = f"{name}, as pandas reads it: {fault}."
    case.expect("read alike by pandas", not fault, "the same table", fault or "it", name, message)
    return datasets.renamed(tables.without_index(table), source.columns)


def fault_of(path: Path, table: tables.Table, source: tables.Table) -> str:
    """The first thing that pandas reads otherwise than our own reader or `source`; "" if none."""
    text = tables.text_of(path)
    if not is_unicode(path.read_bytes()) and not re.search("[\u4e00-\u9fff]", text):
        return "its bytes are no UTF-8, and it has no Chinese that would tell of GB 18030"
    if text.startswith("ID;"):
        return "spreadsheets take it for another kind of file (SYLK) by its first letters"
    frame, blanks = frame_of(text, False), frame_of(text, True).isna()
    names = [str(column) for column in frame.columns]
    if len(frame.index.names) > 1 or list(frame.index) != list(range(len(frame))):
        return "cells of its first columns are the rows' labels and stand below no name"
    if len(frame) != len(table.rows):
        return f"it has {tables.count(len(frame), 'row')}, not {len(table.rows)}"
    said = named_otherwise(names, table, source)
    if said:
        return said
    called = datasets.renamed(table, source.columns).columns
    for place, column in enumerate(called):
        cells = [str(row[place]) for row in table.rows]
        theirs = frame.iloc[:, place].fillna("").tolist()
        known = source.column(column) if column in source.columns else None
        own = [cell for cell in theirs if cell and cell not in (known or ())]
        if is_ragged(names[place], own):
            return f"blanks stand at random around the cells of {column}"
        for ours, other, is_null in zip(cells, theirs, blanks.iloc[:, place], strict=True):
            if plain_ends(ours) != plain_ends(other):
                return f"“{spaced(other)[:40]}” stands where “{spaced(ours)[:40]}” is meant"
            said = oddity_of(ours, bool(is_null), known)
            if said:
                return f"“{spaced(ours)[:40]}” of {column} {said}"
    return ""


def is_unicode(raw: bytes) -> bool:
    """True of UTF-16 with its mark and of UTF-8, with or without one."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return True
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def frame_of(text: str, with_nulls: bool) -> pandas.DataFrame:
    """The table as pandas reads it by its defaults, all cells as text, words for null as such."""
    import pandas

    stream = io.StringIO(text, newline="")
    sign = tables.delimiter_of(text, ",")
    return pandas.read_csv(stream, sep=sign, dtype=str, keep_default_na=with_nulls)


def named_otherwise(names: Sequence[str], table: tables.Table, source: tables.Table) -> str:
    """A sentence on a column that pandas calls otherwise, or a name of `source` that is garbled."""
    columns = table.columns
    ours = [*columns, *[""] * (len(names) - len(columns))]  # nameless ones behind, all blank
    for theirs, name in zip(names, ours, strict=True):
        is_nameless = not name and theirs.startswith("Unnamed: ")
        if not is_nameless and (spaced(theirs) != name or has_odd_space(theirs, ())):
            return f"a column is called “{spaced(theirs)[:60]}”"
    called = datasets.renamed(table, source.columns).columns
    for name in source.columns:
        words = [re.escape(word) for word in WORD_ENDS.split(name.strip()) if word]
        form = re.compile(f" *{'[ _-]{0,3}'.join(words)} *", re.IGNORECASE)
        own = [place for place, theirs in enumerate(names) if form.fullmatch(theirs)]
        if len(own) > 1 or (own and called[own[0]] != name):
            return f"several columns may be “{name}”"
        if not own and name in called:
            theirs = names[called.index(name)]
            if not form.fullmatch(re.sub(datasets.MERGED, "", theirs)):
                return f"a column is called “{spaced(theirs)[:60]}”, not “{name}”"
    return contradicted(names, table, source)


def contradicted(names: Sequence[str], table: tables.Table, source: tables.Table) -> str:
    """A sentence on two columns that may both be one of `source` and differ; "" if none do."""
    own = "".join(source.columns)
    known = {letters_of(name) for name in source.columns}
    found: dict[str, list[str]] = {}
    for place, name in enumerate(names):
        if not READABLE.fullmatch("".join(sign for sign in name if sign not in own)):
            return f"a column is called “{spaced(name)[:60]}”, in letters that look like others"
        forms = [name, re.sub(datasets.MERGED, "", name), ENDING.sub("", name)]
        called = next((bare for bare in map(letters_of, forms) if bare in known), "")
        cells = (
            [str(row[place]).strip() for row in table.rows] if place < len(table.columns) else []
        )
        if called and found.setdefault(called, cells) != cells:
            return f"two columns may be “{called}”, and differ"
    return ""


def letters_of(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())


def plain_ends(cell: str) -> str:
    return cell.replace("\r\n", "\n")


def oddity_of(cell: str, is_null: bool, known: Collection[object] | None) -> str:
    """An oddity of a cell: white space, or that pandas takes it for another kind of value.

    `known` are the cells of the source's column; None if it has no such column.
    """
    if known is not None and cell in known:
        return ""
    if has_odd_space(cell, known or ()):
        return "has white space that belongs to no value"
    if known is None or (number(cell) is None and not is_blank(cell)):
        return ""
    text = cell.strip(" ")
    is_number = NUMBER.fullmatch(text) or (
        GROUPED.fullmatch(text) and any(GROUPED.fullmatch(str(k).strip()) for k in known)
    )
    is_plain = is_null if is_blank(cell) else is_number and len(text) <= MOST_SIGNS
    return "" if is_plain else "is neither a plain number nor blank for pandas"


def is_ragged(name: str, cells: Sequence[str]) -> bool:
    """True if blanks stand around cells neither alike nor so as to set them in one width.

    Set are cells to the left, to the right or in the middle; the column's `name` may stand
    otherwise.
    """
    before = [len(cell) - len(cell.lstrip(" ")) for cell in cells]
    behind = [len(cell) - len(cell.rstrip(" ")) for cell in cells]
    kinds = len(set(before)), len(set(behind))
    if max(kinds) <= 1:
        return len(name) - len(name.strip(" ")) > 1 and len({len(c) for c in (name, *cells)}) > 1
    is_centred = all(abs(one - other) <= 1 for one, other in zip(before, behind, strict=True))
    return len({len(cell) for cell in (name, *cells)}) > 1 or not (is_centred or min(kinds) <= 1)


def has_odd_space(cell: str, known: Collection[object]) -> bool:
    """True if white space is neither single blanks, nor a few around, nor as in a known cell."""
    words = cell.strip(" ")
    runs = {run for run in re.findall(r"\s+", plain_ends(words)) if run != " "}
    usual = {run for k in known for run in re.findall(r"\s+", plain_ends(str(k)))} if runs else ()
    return len(cell) - len(words) > MOST_PADDING or any(run not in usual for run in runs)
