"""Runs in a kernel: changes of a table that a solution saved (csv, tsv, xlsx, json, parquet)."""

import csv
import io
import itertools
import json
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

Frame = Any
OTHER_NAME = "Zanzibar"


def read_table(path: Path) -> Frame | None:
    """The file as a frame; None when it is no table."""
    import pandas as pd

    kind = path.suffix.lower()
    if kind in (".csv", ".tsv"):
        return pd.read_csv(path, sep="\t" if kind == ".tsv" else None, engine="python")
    if kind == ".xlsx":
        return pd.read_excel(path)
    if kind == ".parquet":
        return pd.read_parquet(path)
    if kind == ".json":
        rows = json.loads(path.read_text("utf-8-sig"))
        is_rows = isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows)
        return pd.DataFrame(rows) if is_rows else None
    return None


def other_sheets(path: Path) -> dict[str, Frame]:
    """The sheets of a workbook by name, of which the first is the table that is changed."""
    import pandas as pd

    return pd.read_excel(path, sheet_name=None) if path.suffix.lower() == ".xlsx" else {}


def write_table(frame: Frame, path: Path, sheets: dict[str, Frame] | None = None) -> None:
    """Write `frame`; into a workbook as the first of its `sheets`."""
    kind = path.suffix.lower()
    if kind in (".csv", ".tsv"):
        frame.to_csv(path, index=False, sep="\t" if kind == ".tsv" else ",")
    elif kind == ".xlsx":
        write_sheets(frame, path, sheets or {"Sheet1": frame})
    elif kind == ".parquet":
        frame.to_parquet(path, index=False)
    else:
        records = json.loads(frame.to_json(orient="records", force_ascii=False))
        path.write_text(json.dumps(records, ensure_ascii=False), "utf-8")


def write_sheets(frame: Frame, path: Path, sheets: dict[str, Frame]) -> None:
    import pandas as pd

    with pd.ExcelWriter(path) as book:
        for place, (name, sheet) in enumerate(sheets.items()):
            (sheet if place else frame).to_excel(book, sheet_name=name, index=False)


def is_number(frame: Frame, column: str) -> bool:
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    return is_numeric_dtype(frame[column]) and not is_bool_dtype(frame[column])


def swap_labels(frame: Frame) -> Frame | None:
    """Exchanges two names, the first ones that differ, in the first column of words."""
    for place, column in enumerate(frame.columns):
        values = frame[column].tolist()
        if is_number(frame, column) or len(frame.columns) < 2 or looks_like_date(values[0]):
            continue
        other = next((i for i, value in enumerate(values) if value != values[0]), None)
        if other is None or same_beside(frame, place, 0, other):
            continue
        values[0], values[other] = values[other], values[0]
        return frame.assign(**{column: values})
    return None


def same_beside(frame: Frame, column: int, one: int, other: int) -> bool:
    rest = [name for place, name in enumerate(frame.columns) if place != column]
    return bool((frame.iloc[one][rest].astype(str) == frame.iloc[other][rest].astype(str)).all())


def drop_row(frame: Frame) -> Frame | None:
    return frame.drop(index=frame.index[len(frame) // 2]) if len(frame) > 1 else None


def shift_date(frame: Frame) -> Frame | None:
    """Every date of the first column of dates a day later."""
    import pandas as pd

    for column in frame.columns:
        values = frame[column].tolist()
        if values and looks_like_date(values[0]):
            days = pd.to_datetime(frame[column], errors="coerce")
            if days.notna().all():
                later = days + timedelta(days=1)
                texts = later.dt.strftime("%Y-%m-%d") if isinstance(values[0], str) else later
                return frame.assign(**{column: texts})
    return None


def looks_like_date(value: object) -> bool:
    text = str(value)
    return (
        len(text) >= 8
        and text[:4].isdigit()
        and text[4] in "-/"
        and text[5:7].strip("-/").isdigit()
    )


def exchange_columns(frame: Frame) -> Frame | None:
    """The values of two neighbouring columns of numbers under each other's name."""
    numbers = [column for column in frame.columns if is_number(frame, column)]
    for one, other in itertools.pairwise(numbers):
        if not frame[one].equals(frame[other]):
            return frame.assign(**{one: frame[other], other: frame[one]})
    return None


def scale_by_10(frame: Frame) -> Frame | None:
    """The last column of numbers, tenfold."""
    numbers = [
        column for column in frame.columns if is_number(frame, column) and frame[column].any()
    ]
    return frame.assign(**{numbers[-1]: frame[numbers[-1]] * 10}) if numbers else None


def reverse_order(frame: Frame) -> Frame | None:
    turned = frame.iloc[::-1].reset_index(drop=True)
    return None if turned.equals(frame.reset_index(drop=True)) else turned


def change_word(frame: Frame) -> Frame | None:
    """Another word in the last cell of the first column of words."""
    for column in frame.columns:
        if not is_number(frame, column) and not looks_like_date(frame[column].iloc[-1]):
            values = [*frame[column].tolist()[:-1], OTHER_NAME]
            return frame.assign(**{column: values})
    return None


TABLE_CHANGES: dict[str, Callable[[Frame], Frame | None]] = {
    "swap-labels": swap_labels,
    "drop-row": drop_row,
    "shift-date": shift_date,
    "exchange-columns": exchange_columns,
    "scale-by-10": scale_by_10,
    "reverse-order": reverse_order,
    "change-word": change_word,
}


def changed_tables(path: Path) -> dict[str, Callable[[Path], Any]]:
    """For each change that fits the table at `path`, what writes it under a name."""
    frame = read_table(path)
    if frame is None or not len(frame):
        return {}
    found = {name: change(frame) for name, change in TABLE_CHANGES.items()}
    sheets = other_sheets(path)
    return {
        name: partial(write_table, table, sheets=sheets)
        for name, table in found.items()
        if table is not None
    }


def styled_tables(path: Path) -> dict[str, Callable[[Path], Any]]:
    """The same table written as other programs write it."""
    if path.suffix.lower() != ".csv":
        return {}
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"))))
    if len(rows) < 2:
        return {}
    numbered = [["", *rows[0]], *([str(i), *row] for i, row in enumerate(rows[1:]))]
    return {
        "quoted-with-mark": lambda target: write_rows(rows, target, csv.QUOTE_ALL, "utf-8-sig"),
        "index-column": lambda target: write_rows(numbered, target, csv.QUOTE_MINIMAL, "utf-8"),
    }


def write_rows(rows: list[list[str]], path: Path, quoting: Any, encoding: str) -> None:
    with path.open("w", newline="", encoding=encoding) as stream:
        csv.writer(stream, quoting=quoting, lineterminator="\r\n").writerows(rows)
