"""Databases and files of columns and arrays: types, shapes and first rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any

from runner.previews.inside.parts import (
    MAX_COLUMNS,
    MAX_ENTRIES,
    MAX_PARTS,
    MAX_ROWS,
    MAX_UNPACKED_BYTES,
    CannotOpen,
    Part,
    head_of,
    more,
    open_archive,
    plain,
    sentence,
    table,
)

COUNTING_STEPS = 200_000_000  # of SQLite's machine, for counting rows


def read_sqlite(path: str) -> Part:
    is_wal = head_of(path)[18:20] == b"\x02\x02"
    database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    for pragma in ("trusted_schema=OFF", "query_only=ON", "cell_size_check=ON"):
        database.execute(f"PRAGMA {pragma}")
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 8 << 20)
    listed = database.execute(
        "SELECT name, sql, type FROM sqlite_schema WHERE type IN ('table', 'view') "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name"
    ).fetchall()
    database.set_authorizer(only_reading)
    parts = [show_table(database, *one) for one in listed[:MAX_PARTS]]
    beside = (
        "Rows that were written last may stand in a file beside it, of its name with -wal."
        if is_wal
        else ""
    )
    return {"parts": parts, "note": sentence(more(len(listed), len(parts), "tables"), beside)}


def only_reading(action: int, *_: object) -> int:
    allowed = (
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
    )
    return sqlite3.SQLITE_OK if action in allowed else sqlite3.SQLITE_DENY


def show_table(database: sqlite3.Connection, name: str, sql: str | None, kind: str) -> Part:
    """Its first rows and their number; of a virtual table or a broken one only its name."""
    title = f"{name} (view)" if kind == "view" else name
    if "VIRTUAL" in (sql or "")[:200].upper().split("(")[0].split():
        return {"title": title, "note": "A virtual table: its rows are not read."}
    quoted = '"' + name.replace('"', '""') + '"'
    try:
        with bounded(database):
            found = database.execute(f"SELECT * FROM {quoted} LIMIT {MAX_ROWS + 2}")
            rows = [["NULL" if cell is None else cell for cell in row] for row in found]
    except (sqlite3.Error, OverflowError) as error:
        return {"title": title, "note": f"It cannot be read: {error}."}
    heading = [column[0] for column in found.description]
    return table(title, [heading, *rows], count_rows(database, quoted))


@contextmanager
def bounded(database: sqlite3.Connection) -> Iterator[None]:
    """SQLite stops after so many steps."""
    ticks = iter(range(COUNTING_STEPS // 100_000))
    database.set_progress_handler(lambda: next(ticks, None) is None, 100_000)
    try:
        yield
    finally:
        database.set_progress_handler(None, 0)


def count_rows(database: sqlite3.Connection, quoted: str) -> int | None:
    """None when there are more than can be counted soon, or pages that cannot be read."""
    with suppress(sqlite3.Error), bounded(database):
        return int(database.execute(f"SELECT count(*) FROM {quoted}").fetchone()[0])
    return None


def read_duckdb(path: str) -> Part:
    import duckdb

    options = {"enable_external_access": False, "lock_configuration": True, "threads": 1}
    with duckdb.connect(path, read_only=True, config=options) as database:
        listed = database.execute(
            "SELECT table_schema, table_name, table_type FROM information_schema.tables "
            "ORDER BY table_type, table_schema, table_name"
        ).fetchall()
        parts = []
        for schema, name, kind in listed[:MAX_PARTS]:
            quoted = ".".join('"' + part.replace('"', '""') + '"' for part in (schema, name))
            try:
                found = database.execute(f"SELECT * FROM {quoted} LIMIT {MAX_ROWS + 2}")
                heading = [column[0] for column in found.description or ()]
                rows = [
                    ["NULL" if cell is None else cell for cell in row] for row in found.fetchall()
                ]
            except duckdb.Error as error:
                said = str(error).partition("\n")[0]
                parts.append({"title": name, "note": f"It cannot be read: {said}."})
                continue
            is_view = kind == "VIEW"
            count = None
            if len(rows) > MAX_ROWS + 1 and not is_view:
                count = database.execute(f"SELECT count(*) FROM {quoted}").fetchall()[0][0]
            parts.append(table(f"{name} (view)" if is_view else name, [heading, *rows], count))
    return {"parts": parts, "note": more(len(listed), len(parts), "tables")}


def read_parquet(path: str) -> Part:
    import pyarrow.parquet

    file = pyarrow.parquet.ParquetFile(path, pre_buffer=False)
    facts, schema = file.metadata, file.schema_arrow
    first = facts.row_group(0).total_byte_size if facts.num_row_groups else 0
    if first > MAX_UNPACKED_BYTES:
        note, batch = "Its first block of rows is too large to be shown.", None
    else:
        names = [field.name for field in schema][: MAX_COLUMNS + 1]
        batches = file.iter_batches(MAX_ROWS + 2, columns=names, use_threads=False)
        note, batch = "", next(batches, None) if facts.num_row_groups else None
    return show_arrow(schema, batch, facts.num_rows, note)


def read_feather(path: str) -> Part:
    import pyarrow

    with pyarrow.memory_map(path) as source:
        head = source.read(6)
        source.seek(0)
        if head[:4] == b"FEA1":
            raise CannotOpen("it is of the first version of Feather")
        if head != b"ARROW1":
            with pyarrow.ipc.open_stream(source) as stream:
                batch = stream.read_next_batch()
                return show_arrow(stream.schema, batch.slice(0, MAX_ROWS + 2), None, "")
        file = pyarrow.ipc.open_file(source)
        batches = (file.get_batch(n) for n in range(file.num_record_batches))
        kept, rows = None, 0
        for batch in batches:
            kept = batch if kept is None else kept
            rows += batch.num_rows
        return show_arrow(file.schema, kept and kept.slice(0, MAX_ROWS + 2), rows, "")


def show_arrow(schema: Any, batch: Any, rows: int | None, note: str) -> Part:
    kinds = [("Column", "Type"), *((field.name, field.type) for field in schema)]
    parts = [table("Columns", kinds, is_list=True)]
    if batch is not None:
        columns = [arrow_values(batch.column(n)) for n in range(min(batch.num_columns, 21))]
        heading = batch.schema.names[: len(columns)]
        parts.insert(0, table("Rows", [heading, *zip(*columns, strict=True)], rows))
    return {
        "facts": [
            *([] if rows is None else [["rows", f"{rows:,}"]]),
            ["columns", f"{len(schema):,}"],
        ],
        "parts": parts,
        "note": note,
    }


def read_orc(path: str) -> Part:
    from pyarrow import orc

    file = orc.ORCFile(path)
    first = file.read_stripe(0) if file.nstripes else None
    return show_arrow(file.schema, first and first.slice(0, MAX_ROWS + 2), file.nrows, "")


def read_dta(path: str) -> Part:
    import pandas

    with pandas.read_stata(path, chunksize=MAX_ROWS + 2) as chunks:
        frame = next(chunks)
    rows = [[plain(cell) for cell in row] for row in frame.to_numpy(object)]
    return {"parts": [table("Rows", [[*frame.columns], *rows])]}


def arrow_values(column: Any) -> list[object]:
    """The values of a column; where Python has none for one, as Arrow writes them."""
    import numpy
    import pyarrow

    try:
        values = column.to_pylist()
    except (ValueError, OverflowError, pyarrow.ArrowException):
        values = [text_of_scalar(one) for one in column]
    is_short = pyarrow.types.is_float32(column.type)
    said = (
        str(numpy.float32(value)) if is_short and value is not None else value for value in values
    )
    return ["null" if value is None else value for value in said]


def text_of_scalar(value: Any) -> object:
    import pyarrow

    try:
        return value.as_py()
    except (ValueError, OverflowError):
        return str(value.cast(pyarrow.string()))


def read_npy(path: str) -> Part:
    import numpy

    return {"parts": [show_arrays([("array", numpy.load(path, mmap_mode="r"))])]}


def read_mat(path: str) -> Part:
    """MATLAB's variables."""
    import scipy.io

    found = scipy.io.loadmat(path)
    arrays = [(name, value) for name, value in found.items() if not name.startswith("__")]
    return {"parts": [show_arrays(arrays[:MAX_ENTRIES])]}


def read_npz(path: str) -> Part:
    import numpy

    open_archive(path).close()
    arrays = []
    with numpy.load(path) as found:
        for name in found.files[:MAX_ENTRIES]:
            try:
                arrays.append((name, found[name]))
            except ValueError:
                arrays.append((name, None))
        return {"parts": [show_arrays(arrays)], "note": more(len(found.files), 200, "arrays")}


def show_arrays(arrays: Sequence[tuple[str, Any]]) -> Part:
    listed: list[list[object]] = [["Name", "Type", "Shape", "First values"]]
    for name, array in arrays:
        if array is None:
            listed.append([name, "object", "", "not read: it would run code"])
            continue
        shape = " × ".join(map(str, array.shape)) or "a single value"
        first = ", ".join(str(value) for value in islice(array.flat, 12))
        listed.append([name, array.dtype, shape, first])
    return table("Arrays", listed, is_list=True)
