"""Workbooks: the first sheet as text, what a step changed in it, and files that want to do harm."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from django.test import Client

from leaderboard.models import Attempt
from leaderboard.rendering import xlsx
from leaderboard.rendering.xlsx import MAX_BYTES, MAX_COLUMNS, MAX_ROWS, FirstSheet, read_sheet
from leaderboard.replay.files import MAX_WORKBOOKS
from leaderboard.tests.replay.test_replay import attempt_at, get, step_of
from leaderboard.tests.support.rows import (
    add_file,
    add_step,
    change,
    finish_run,
    make_run,
    make_step,
    make_suite,
)
from runner.contract import ChangeKind

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
BOOK = f'<workbook {MAIN} xmlns:r="{OFFICE}"><sheets><sheet name="Totals" sheetId="1" r:id="rId1"/>'
BOOK_END = "</sheets></workbook>"
MEBIBYTE = 1 << 20


def relations(target: str = "worksheets/sheet1.xml", mode: str = "") -> str:
    return (
        f'<Relationships xmlns="{RELATIONS}">'
        f'<Relationship Id="rId1" Type="x" Target="{target}"{mode}/></Relationships>'
    )


def pack(parts: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def make_xlsx(sheet: str, method: int = zipfile.ZIP_DEFLATED, **parts: str | bytes) -> bytes:
    """A workbook with this markup as its sheet's rows; `parts` replace parts by their last name."""
    names: dict[str, str | bytes] = {
        "xl/workbook.xml": BOOK + BOOK_END,
        "xl/_rels/workbook.xml.rels": relations(),
        "xl/worksheets/sheet1.xml": f"<worksheet {MAIN}><sheetData>{sheet}</sheetData></worksheet>",
    }
    known = {"book": "xl/workbook.xml", "rels": "xl/_rels/workbook.xml.rels",
             "whole": "xl/worksheets/sheet1.xml", "strings": "xl/sharedStrings.xml"}  # fmt: skip
    return pack({**names, **{known[name]: content for name, content in parts.items()}}, method)


def rows_of(table: Sequence[Sequence[object]]) -> str:
    """Markup of rows whose cells hold their text in themselves."""
    return "".join(
        "<row>" + "".join(f'<c t="inlineStr"><is><t>{c}</t></is></c>' for c in row) + "</row>"
        for row in table
    )


def texts(data: bytes) -> list[list[str]]:
    sheet = read_sheet(data)
    assert sheet is not None
    return [list(row) for row in sheet.rows]


def test_a_workbook_of_the_usual_library_is_read() -> None:
    data = (Path(__file__).parents[1] / "data" / "totals.xlsx").read_bytes()
    sheet = read_sheet(data)
    assert sheet is not None
    assert (sheet.name, sheet.sheets, sheet.is_whole) == ("Totals", 1, True)
    assert sheet.rows == (
        ("quarter", "amount", "ok"),
        ("Q1", "12480.5", "TRUE"),
        ("Q2", "15910", "FALSE"),
        ("Q3 <b>", "", "TRUE"),
    )


def test_shared_texts_formulas_and_gaps() -> None:
    shared = (
        f"<sst {MAIN}><si><t>one</t></si><si><r><t>tw</t></r><r><t>o</t></r></si>"
        "<si><t>漢</t><rPh><t>kan</t></rPh></si></sst>"
    )
    sheet = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>'
        '<row r="3"><c r="B3"><f>SUM(A1:A2)</f><v>6</v></c><c t="s"><v>2</v></c></row>'
    )
    assert texts(make_xlsx(sheet, strings=shared)) == [
        ["one", "", "two"],
        ["", "", ""],
        ["", "6", "漢"],
    ]


def test_a_target_from_the_archives_root_is_followed() -> None:
    assert texts(make_xlsx(rows_of([["a"]]), rels=relations("/xl/worksheets/sheet1.xml")))


def test_what_is_too_large_is_shown_as_far_as_it_goes() -> None:
    long = read_sheet(make_xlsx(rows_of([["x"]] * (MAX_ROWS + 50))))
    wide = read_sheet(make_xlsx(rows_of([["x"] * (MAX_COLUMNS + 5)])))
    many = read_sheet(make_xlsx(rows_of([["x"] * 100] * 200)))
    for sheet in (long, wide, many):
        assert sheet is not None
        assert not sheet.is_whole
        assert 0 < len(sheet.rows) <= MAX_ROWS
        assert len(sheet.rows[0]) <= MAX_COLUMNS
    (text,) = texts(make_xlsx(rows_of([["y" * 5_000]])))[0]
    assert len(text) == xlsx.MAX_CELL_CHARS + 1


def test_two_cells_far_apart_take_no_memory_for_those_between() -> None:
    """A reader that fills the rectangle takes 1 GB for rows up to 2,000, and aborts for all."""
    cells = '<row r="1"><c r="A1"><v>1</v></c></row><row r="{0}"><c r="XFD{0}"><v>2</v></c></row>'
    for last in (2_000, 1_048_576):
        data = make_xlsx(cells.format(last))
        tracemalloc.start()
        sheet = read_sheet(data)
        _, peak_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert sheet is not None
        assert (sheet.rows, sheet.is_whole) == ((("1",),), False)
        assert peak_bytes < MEBIBYTE


LAUGHS = (
    '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>'
    f"<worksheet {MAIN}><sheetData><row><c><v>&c;</v></c></row></sheetData></worksheet>"
)
OUTSIDE = (
    '<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]>'
    f"<worksheet {MAIN}><sheetData><row><c><v>&file;</v></c></row></sheetData></worksheet>"
)
CELLS = rows_of([["a"]])
HOSTILE: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "a text": lambda: b"quarter,amount\n",
    "the beginning of an archive": lambda: make_xlsx(CELLS)[:200],
    "the end of an archive": lambda: make_xlsx(CELLS)[-100:],
    "an archive of other things": lambda: pack({"a.txt": "x"}),
    "an archive of nothing": lambda: pack({}),
    "a sheet that unpacks to 100 MiB": lambda: make_xlsx("", whole=b" " * (100 * MEBIBYTE)),
    "texts that unpack to 100 MiB": lambda: make_xlsx(CELLS, strings=b" " * (100 * MEBIBYTE)),
    "entities that multiply": lambda: make_xlsx("", whole=LAUGHS),
    "an entity from a file": lambda: make_xlsx("", whole=OUTSIDE),
    "a document type alone": lambda: make_xlsx(CELLS, book=f"<!DOCTYPE x>{BOOK}{BOOK_END}"),
    "nested without end": lambda: make_xlsx("", whole="<a>" * 20_000),
    "more entries than a workbook has": lambda: pack({f"f{i}": "" for i in range(1_000)}),
    "packed by another method": lambda: make_xlsx(CELLS, zipfile.ZIP_LZMA),
    "packed by yet another": lambda: make_xlsx(CELLS, zipfile.ZIP_BZIP2),
    "no sheet": lambda: make_xlsx(CELLS, book=f"<workbook {MAIN}><sheets>{BOOK_END}"),
    "a sheet that is not there": lambda: make_xlsx(CELLS, rels=relations("worksheets/other.xml")),
    "a sheet elsewhere": lambda: make_xlsx(CELLS, rels=relations("../../../etc/passwd")),
    "a sheet on another host": lambda: make_xlsx(
        CELLS, rels=relations("http://10.0.0.1/x", ' TargetMode="External"')
    ),
    "a text that is not there": lambda: make_xlsx('<row><c t="s"><v>99</v></c></row>'),
    "a text without a number": lambda: make_xlsx('<row><c t="s"><v>x</v></c></row>'),
    "a row without a number": lambda: make_xlsx('<row r="x"><c><v>1</v></c></row>'),
    "a number without end": lambda: make_xlsx(f'<row><c t="s"><v>{"9" * 5_000}</v></c></row>'),
    "not XML": lambda: make_xlsx("", whole=b"\x00\xff\xfe nonsense"),
    "another encoding": lambda: make_xlsx("", whole='<?xml version="1.0" encoding="utf-7"?><a/>'),
    "too long": lambda: make_xlsx(CELLS) + b"\0" * MAX_BYTES,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_workbook_is_no_sheet_and_takes_little(name: str) -> None:
    data = HOSTILE[name]()
    tracemalloc.start()
    try:
        assert read_sheet(data) is None
        assert tracemalloc.get_traced_memory()[1] < 24 * MEBIBYTE
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        ('<row r="99999999"><c r="A99999999"><v>1</v></c></row>', ()),
        ('<row><c r="ZZZ1"><v>1</v></c><c r="A1"><v>2</v></c></row>', (("2",),)),
        ('<row><c r="A0"><v>1</v></c></row>', ()),
        ('<row r="-5"><c><v>1</v></c></row>', ()),
        ("<c><v>1</v></c>" * 60_000, (("1",) * MAX_COLUMNS,)),
        ("<row/>" * 100_000, ()),
    ],
)
def test_cells_in_impossible_places_are_left_out(
    rows: str, shown: tuple[tuple[str, ...], ...]
) -> None:
    sheet = read_sheet(make_xlsx(rows))
    assert sheet is not None
    assert sheet.rows == shown
    assert not sheet.is_whole


@pytest.mark.parametrize("position", range(0, 2_000, 97))
def test_workbook_with_a_broken_byte_never_breaks_the_reader(position: int) -> None:
    data = bytearray((Path(__file__).parents[1] / "data" / "totals.xlsx").read_bytes())
    data[position % len(data)] ^= 0xFF
    assert read_sheet(bytes(data)) is None or read_sheet(bytes(data))


@pytest.fixture
def attempt() -> Attempt:
    return attempt_at(finish_run(make_run(make_suite()), 4), "static-page")


@pytest.mark.django_db
def test_a_step_that_changed_a_workbook_shows_its_cells(client: Client, attempt: Attempt) -> None:
    table: list[list[object]] = [["quarter", "amount"], *([f"Q{i}", i * 10] for i in range(9))]
    before = make_xlsx(rows_of(table))
    table[5][1] = "&lt;55&gt;"
    del table[8]
    after = make_xlsx(rows_of(table))
    add_step(attempt, make_step(1, changes=[change("output/t.xlsx", before)]))
    add_step(attempt, make_step(2, changes=[change("output/t.xlsx", after, ChangeKind.CHANGED)]))
    page = get(client, attempt)
    second = step_of(page, 2)
    assert "1 cell changed, 1 row removed, in the sheet “Totals”" in second
    assert '<td class="is-changed"><del>40</del> &lt;55&gt;</td>' in second
    assert "<td>Q0</td>" in step_of(page, 1)
    assert "The sheet “Totals”." in step_of(page, 1)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["entities that multiply", "a sheet that unpacks to 100 MiB"])
def test_the_page_of_a_hostile_workbook_is_as_any_other(
    client: Client, attempt: Attempt, name: str
) -> None:
    add_step(attempt, make_step(1, changes=[change("output/t.xlsx", make_xlsx(CELLS))]))
    hostile = change("output/t.xlsx", HOSTILE[name](), ChangeKind.CHANGED)
    add_step(attempt, make_step(2, changes=[hostile]))
    add_file(attempt, "t.xlsx", HOSTILE[name]())
    assert "A binary file: no preview." in step_of(get(client, attempt), 2)


@pytest.mark.django_db
def test_a_page_reads_so_many_workbooks_and_no_more(
    client: Client, attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def count(data: bytes) -> FirstSheet | None:
        read.append(len(data))
        return read_sheet(data)

    monkeypatch.setattr("leaderboard.replay.files.read_sheet", count)
    for index in range(1, 31):
        kind = ChangeKind.CHANGED if index > 1 else ChangeKind.CREATED
        book = make_xlsx(rows_of([["k"], [index]]))
        add_step(attempt, make_step(index, changes=[change("output/t.xlsx", book, kind)]))
    get(client, attempt)
    assert len(read) == MAX_WORKBOOKS
