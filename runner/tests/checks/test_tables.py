"""Agent-made tables and documents: tolerant in form, strict in values, unreadable ones failed."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from runner.checks import Case, Stop
from runner.checks.data import tables
from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, expect_as_told, try_out

EXPECTED = [{"city": "Köln", "total": 1234.5}, {"city": "Ulm", "total": -3.0}]


@dataclass(frozen=True)
class Row:
    name: str
    content: bytes
    says: str = ""  # part of the first failing message; empty when it must hold
    file: str = "t.csv"
    options: dict[str, Any] = field(default_factory=dict)


ROWS = [
    Row("plain", "city,total\nKöln,1234.5\nUlm,-3\n".encode()),
    Row("bom-crlf", b"\xef\xbb\xbf" + "city,total\r\nKöln,1234.50\r\nUlm,-3.0\r\n".encode()),
    Row("columns-turned", "total,city\n1234.5,Köln\n-3,Ulm\n".encode()),
    Row("thousands", 'city,total\nKöln,"1,234.50"\nUlm,−3\n'.encode()),
    Row("spaces", 'city , total\n"\n Köln ",\xa01234.5\n\nUlm, -3\n'.encode()),
    Row("decomposed", "city,total\nKo\u0308ln,1234.5\nUlm,-3\n".encode()),
    Row("gb18030", "city,total\nKöln,1234.5\nUlm,-3\n".encode("gb18030")),
    Row("utf-16", "city,total\nKöln,1234.5\nUlm,-3\n".encode("utf-16")),
    Row("tsv", "city\ttotal\nKöln\t1234.5\nUlm\t-3\n".encode(), file="t.tsv"),
    Row(
        "json",
        b'[{"city": "K\\u00f6ln", "total": 1234.5}, {"total": -3, "city": "Ulm"}]',
        file="t.json",
    ),
    Row(
        "json-of-lists", '{"city": ["Köln", "Ulm"], "total": [1234.5, -3]}'.encode(), file="t.json"
    ),
    Row("circled", "city,total\nKöln,①②③④.⑤\nUlm,-3\n".encode(), "expected 1234.5"),
    Row("segmented", "city,total\nKöln,🯱🯲🯳🯴.🯵\nUlm,-3\n".encode(), "expected 1234.5"),
    Row("wide-digits", "city,total\nKöln,１２３４.5\nUlm,-3\n".encode(), "expected 1234.5"),
    Row("raised-letters", "city,total\nKöln,1234.5\nUᵐ,-3\n".encode(), "expected Ulm, found Uᵐ"),
    Row("raised-name", "cᶦty,total\nKöln,1234.5\nUlm,-3\n".encode(), "lacks the column “city”"),
    Row("wide-letters", "city,total\nＫöln,1234.5\nUlm,-3\n".encode(), "expected Köln"),
    Row("any-order", "city,total\nUlm,-3\nKöln,1234.5\n".encode(), options={"key": ["city"]}),
    Row(
        "more-columns",
        "city,n,total\nKöln,1,1234.5\nUlm,2,-3\n".encode(),
        options={"extra_columns": True},
    ),
    Row(
        "within-tolerance",
        "city,total\nKöln,1234.49\nUlm,-3\n".encode(),
        options={"tolerance": {"total": 0.02}},
    ),
    Row("other-order", "city,total\nUlm,-3\nKöln,1234.5\n".encode(), "another order"),
    Row("index-column", ",city,total\n0,Köln,1234.5\n1,Ulm,-3\n".encode()),
    Row("index-after-sorting", ",city,total\n7,Köln,1234.5\n2,Ulm,-3\n".encode()),
    Row("nameless-words", ",city,total\na,Köln,1234.5\nb,Ulm,-3\n".encode(), "does not ask for"),
    Row("nameless-again", ",city,total\n1,Köln,1234.5\n1,Ulm,-3\n".encode(), "does not ask for"),
    Row("column-missing", "city,sum\nKöln,1234.5\nUlm,-3\n".encode(), "lacks the column “total”"),
    Row(
        "column-order",
        "total,city\n1234.5,Köln\n-3,Ulm\n".encode(),
        "in the order",
        options={"column_order": True},
    ),
    Row("row-missing", "city,total\nKöln,1234.5\n".encode(), "has 1 row, the query asks for 2"),
    Row("totals-row", "city,total\nKöln,1234.5\nUlm,-3\nall,1231.5\n".encode(), "has 3 rows"),
    Row("value-off", "city,total\nKöln,1234.6\nUlm,-3\n".encode(), "expected 1234.5, found 1234.6"),
    Row("value-blank", "city,total\nKöln,\nUlm,-3\n".encode(), "found nothing"),
    Row("value-nan", "city,total\nKöln,nan\nUlm,-3\n".encode(), "found nan"),
    Row("value-with-unit", "city,total\nKöln,1234.5 EUR\nUlm,-3\n".encode(), "found 1234.5 EUR"),
    Row(
        "wrong-key",
        b"city,total\nBonn,1234.5\nUlm,-3\n",
        "city of row Köln",
        options={"key": ["city"]},
    ),
    Row("semicolons", "city;total\nKöln;1234.5\nUlm;-3\n".encode()),
    Row("tabs", "city\ttotal\nKöln\t1234.5\nUlm\t-3\n".encode()),
    Row("spaces", b"city total\nUlm -3\n", "lacks the column"),
    Row("blank-lines", b"\n\n", "could not be read as csv"),
    Row("every-second-line-blank", "city,total\r\r\nKöln,1234.5\r\r\nUlm,-3\r\r\n".encode()),
    Row("blank-lines-before", b"\n" * 40 + "city,total\n\n\nKöln,1234.5\nUlm,-3\n".encode()),
    Row("empty", b"", "is an empty file"),
    Row("no-json", b"[{", "could not be read as json", file="t.json"),
    Row("deep-json", b"[" * 200_000, "could not be read as json", file="t.json"),
    Row(
        "huge-number",
        b'[{"city": "K\\u00f6ln", "total": ' + b"9" * 400 + b'}, {"city": "Ulm"}]',
        "found 9",
        file="t.json",
    ),
    Row(
        "nested-cell",
        b'[{"city": ' + b"[" * 900 + b"]" * 900 + b', "total": 1}, {"city": 1}]',
        "city of row 1",
        file="t.json",
    ),
    Row("json-number", b"3", "could not be read as json", file="t.json"),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_text_table(row: Row, tmp_path: Path) -> None:
    (tmp_path / row.file).write_bytes(row.content)
    case = Case(tmp_path, tmp_path)
    with suppress(Stop):
        tables.match(case, tables.read(case, row.file), EXPECTED, **row.options)
    failed = [str(a["message"]) for a in case.assertions if not a["passed"]]
    assert bool(failed) is bool(row.says), failed
    assert not failed or row.says in failed[0]


@pytest.mark.parametrize(
    ("cells", "holds"),
    [
        (("2025-03-04", "2025-11-30"), True),
        (("2025-03-04 00:00:00", "2025-11-30"), False),
        (("04.03.2025", "2025-11-30"), False),
    ],
)
def test_form_of_cells_is_as_asked(tmp_path: Path, cells: tuple[str, ...], holds: bool) -> None:
    case = Case(tmp_path, tmp_path)
    table = tables.Table("t.csv", ("due",), tuple((cell,) for cell in cells))
    form = r"\d{4}-\d\d-\d\d"
    assert tables.expect_form(case, table, "due", form, "YYYY-MM-DD") is holds
    assert not tables.expect_form(case, table, "other", form, "YYYY-MM-DD")


def test_missing_file_says_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "result.csv").write_text("a\n1\n")
    case = Case(tmp_path, tmp_path)
    with pytest.raises(Stop):
        tables.read(case, "t.csv")
    assert case.assertions[0]["message"] == (
        "t.csv is missing from ./output, which holds result.csv."
    )


def test_sqlite_table(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "t.sqlite")) as database:
        database.execute("CREATE TABLE sums (city TEXT, total REAL)")
        database.executemany("INSERT INTO sums VALUES (?, ?)", [("Köln", 1234.5), ("Ulm", -3)])
        database.commit()
    case = Case(tmp_path, tmp_path)
    assert tables.match(case, tables.read(case, "t.sqlite", "sums"), EXPECTED)
    with pytest.raises(Stop):
        tables.read(case, "t.sqlite", "absent")
    assert "no table “absent”, it has sums" in str(case.assertions[-1]["message"])


SETUP = """
import datetime, time
import pandas as pd
from runner.checks.inputs import build
from runner.checks.text import documents
from runner.checks.data import tables
frame = pd.DataFrame({"day": pd.to_datetime(["2025-01-02", "2025-03-04"]), "n": [1, 2]})
ROWS = [{"day": "2025-01-02", "n": 1}, {"day": "2025-03-04", "n": 2}]
def write_word(document):
    document.add_heading("Title", 1)
    document.add_paragraph("Some ").add_run("bold").bold = True
    document.add_table(rows=1, cols=2).rows[0].cells[1].text = "cell"
def twice(write, path):
    write(path)
    first = path.read_bytes()
    time.sleep(2.1)  # archives keep time in steps of two seconds
    write(path)
    assert path.read_bytes() == first, path.name
"""


def matched(file: str, sheet: str = "None") -> str:
    return f"tables.match(case, tables.read(case, {file!r}, {sheet}), ROWS)"


def equal(file: str, actual: str, expected: object) -> str:
    return f"case.equal('content', {actual}, {expected!r}, {file!r})"


HIDE = """import openpyxl
frame.to_excel(data / 'a.xlsx', index=False)
book = openpyxl.load_workbook(data / 'a.xlsx')
page = book.active
"""

BINARY = [
    Trial("xlsx", "a.xlsx", "frame.to_excel(data / 'a.xlsx', index=False)", matched("a.xlsx")),
    Trial(
        "xlsx-sheet",
        "a.xlsx",
        "frame.to_excel(data / 'a.xlsx', index=False)",
        matched("a.xlsx", "'other'"),
        "no sheet “other”, it has Sheet1",
    ),
    Trial(
        "xlsx-index",
        "b.xlsx",
        "frame.to_excel(data / 'b.xlsx')",
        matched("b.xlsx"),
    ),
    Trial(
        "xlsx-hidden-sheet",
        "h4.xlsx",
        f"{HIDE}book.create_sheet('x', 0).sheet_state = 'hidden'; book.save(data / 'h4.xlsx')",
        matched("h4.xlsx"),
    ),
    *[
        Trial(
            f"xlsx-{name}",
            f"{name}.xlsx",
            f"{HIDE}page['B2'] = {formula!r}; book.create_sheet('more')['D2'] = 1\n"
            f"book.save(data / '{name}.xlsx')",
            matched(f"{name}.xlsx"),
            says,
        )
        for name, formula, says in (
            ("sum", "=SUM(more!D1:D9)", ""),
            ("quotient", "=ROUND((more!D2+more!D2*2)/3, 1)", ""),
            ("condition", '=IF(COUNTIF(more!D:D,">0")=1,IFERROR(more!D2/1,0),"none")', ""),
            ("other-sheet", "='more'!$D$2", ""),
            ("conditions", '=SUMIFS(more!D:D,more!D:D,">0")*-(2^2)+AVERAGE(1,9)', ""),
            ("not-there", "=NA()", "found nothing"),
            ("by-nothing", "=more!D2/more!D9", "found nothing"),
            ("no-function", "=RESULT(2)", "found nothing"),
            ("no-result", "=VLOOKUP(2,more!D1:D9,1,FALSE)", "found nothing"),
        )
    ],
    *[
        Trial(
            f"xlsx-kept-{name}",
            f"kept-{name}.xlsx",
            f"with pd.ExcelWriter(data / 'kept-{name}.xlsx', engine='xlsxwriter') as book:\n"
            "    frame.to_excel(book, index=False)\n"
            f"    book.sheets['Sheet1'].write_formula('B2', {formula!r}, None, {result!r})",
            matched(f"kept-{name}.xlsx"),
            says,
        )
        for name, formula, result, says in (
            ("zero", "=3-2", 0, ""),
            ("unknown", "=VLOOKUP(1,B1:B9,1,FALSE)", 1, ""),
            ("error", "=T(NA())", 1, ""),
            ("other", "=1+2", 1, "found 3"),
        )
    ],
    Trial("parquet", "a.parquet", "frame.to_parquet(data / 'a.parquet')", matched("a.parquet")),
    Trial(
        "no-xlsx",
        "c.xlsx",
        "(data / 'c.xlsx').write_text('day,n')",
        matched("c.xlsx"),
        "c.xlsx could not be read as xlsx",
    ),
    Trial(
        "no-parquet",
        "c.parquet",
        "(data / 'c.parquet').write_text('PAR1')",
        matched("c.parquet"),
        "could not be read as parquet",
    ),
    Trial(
        "word",
        "a.docx",
        "twice(lambda p: build.write_docx(p, write_word), data / 'a.docx')",
        equal("a.docx", "documents.text(case, 'a.docx')", "Title\nSome bold\n\ncell"),
    ),
    Trial(
        "word-headings",
        "a.docx",
        "twice(lambda p: build.write_docx(p, write_word), data / 'a.docx')",
        equal("a.docx", "documents.word(case, 'a.docx').headings(1)", ["Title"]),
    ),
    Trial(
        "no-word",
        "c.docx",
        "(data / 'c.docx').write_text('Title')",
        "documents.word(case, 'c.docx')",
        "could not be read as Word document",
    ),
    Trial(
        "pdf",
        "a.pdf",
        "twice(lambda p: build.write_pdf(p, [['One', '第二'], ['Two']]), data / 'a.pdf')",
        equal(
            "a.pdf",
            "[t.split() for t in documents.pdf_pages(case, 'a.pdf')]",
            [["One", "第二"], ["Two"]],
        ),
    ),
    Trial(
        "no-pdf",
        "c.pdf",
        "(data / 'c.pdf').write_text('%PDF-1.7')",
        "documents.pdf_pages(case, 'c.pdf')",
        "could not be read as PDF",
    ),
    Trial(
        "html",
        "a.html",
        "(data / 'a.html').write_text('<p>a<table><tr><th>x<td>y')",
        equal("a.html", "documents.html_tables(documents.html(case, 'a.html'))", [[["x", "y"]]]),
    ),
    Trial(
        "xlsx-same-bytes",
        "d.xlsx",
        "twice(lambda p: build.write_xlsx(p, {'s': [['day', 'n'], ['2025-01-02', 1], "
        "['2025-03-04', 2]]}), data / 'd.xlsx')",
        matched("d.xlsx", "'s'"),
    ),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    return asyncio.run(try_out(BINARY, SETUP, tmp_path_factory.mktemp("files")))


@pytest.mark.sandbox
@pytest.mark.parametrize("trial", BINARY, ids=lambda trial: trial.name)
def test_binary_file(trial: Trial, found: dict[str, Assertion]) -> None:
    expect_as_told(trial, found[trial.name])
