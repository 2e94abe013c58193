"""Grows a seeded site by copying its rows in SQL: minutes instead of hours, on both databases.

`bench.pages.seed_rows` writes a base; every table of it is then copied so many times with its
numbers moved on, so that the copies hang together as the base does. The index of the texts is put
aside meanwhile and made again at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.models import Max, Model

from bench.pages.seed_rows import Scale, seed_rows, tell_stories
from leaderboard.models import (
    Attempt,
    AttemptText,
    Entry,
    FailureTag,
    Run,
    RunSummary,
    Step,
    Suite,
)
from leaderboard.scoring import standings

BASE_ENTRIES = 25
COPIED: tuple[type[Model], ...] = (
    Entry,
    Run,
    Attempt,
    AttemptText,
    FailureTag,
    Step,
    RunSummary,
)
TEXT_INDEX = "leaderboard_attempttext_index"
COUNT = (
    "WITH RECURSIVE copies (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM copies WHERE k < {times}) "
)


def grow(entries: int) -> None:
    """A site of so many entries (a multiple of the base's), three runs each, into an empty one."""
    times = entries // BASE_ENTRIES - 1
    base = Scale(entries=BASE_ENTRIES)
    Step.objects.filter(attempt__run=seed_rows(base)).delete()  # one conversation, at the end
    with connection.cursor() as cursor:
        with texts_unindexed():
            if connection.vendor == "postgresql":
                cursor.execute("SET session_replication_role = replica")
            spans = {model: highest(model) for model in COPIED}
            for model in COPIED:
                cursor.execute(copy_statement(model, spans, times))
            if connection.vendor == "postgresql":
                cursor.execute("SET session_replication_role = DEFAULT")
                for model in COPIED:
                    cursor.execute(set_sequence(model))
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    tell_stories(Run.objects.latest("pk"))
    for suite in Suite.objects.filter(is_recorded=False):
        standings.refresh(suite)


def highest(model: type[Model]) -> int:
    return int(model._default_manager.aggregate(most=Max("pk"))["most"] or 0)


def copy_statement(model: type[Model], spans: dict[type[Model], int], times: int) -> str:
    """Inserts each row so many times more, with every number of a copied row moved on."""
    columns, values = [], []
    for field in model._meta.concrete_fields:
        columns.append(f'"{field.column}"')
        points_to = model if field.primary_key else field.related_model
        if points_to in spans:
            values.append(f't."{field.column}" + k * {spans[points_to]}')
        elif field.unique:
            values.append(f"t.\"{field.column}\" || '-' || k")
        else:
            values.append(f't."{field.column}"')
    table = model._meta.db_table
    return (
        COUNT.format(times=times)
        + f'INSERT INTO "{table}" ({", ".join(columns)}) SELECT {", ".join(values)} '
        f'FROM copies CROSS JOIN "{table}" t ORDER BY k, t.id'
        if connection.vendor == "postgresql"
        else f'INSERT INTO "{table}" ({", ".join(columns)}) '
        + COUNT.format(times=times)
        + f'SELECT {", ".join(values)} FROM copies CROSS JOIN "{table}" t ORDER BY k, t.id'
    )


def set_sequence(model: type[Model]) -> str:
    table = model._meta.db_table
    return f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"


@contextmanager
def texts_unindexed() -> Iterator[None]:
    """Without the index of the texts; it is made again from all of them, at once."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = %s", [TEXT_INDEX])
            made = [row[0] for row in cursor.fetchall()]
            cursor.execute(f"DROP INDEX IF EXISTS {TEXT_INDEX}")
            yield
            cursor.execute("SET maintenance_work_mem = '512MB'")
            for statement in made:
                cursor.execute(statement)
            return
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s",
            [AttemptText._meta.db_table],
        )
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        yield
        cursor.execute(f"INSERT INTO {TEXT_INDEX}({TEXT_INDEX}) VALUES ('rebuild')")
        for _, made_by in triggers:
            cursor.execute(made_by)
