"""No index of a foreign key repeats the beginning of another: each costs a write for every row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models

pytestmark = pytest.mark.django_db


def list_covered(model: type[models.Model]) -> Iterator[Any]:
    """Foreign keys that an index or a constraint over all rows begins with."""
    unique = [c for c in model._meta.constraints if isinstance(c, models.UniqueConstraint)]
    whole = [one for one in (*unique, *model._meta.indexes) if one.fields and not one.condition]
    starts = {one.fields[0].lstrip("-") for one in whole}
    for field in model._meta.local_fields:
        if field.is_relation and field.name in starts and not field.unique:
            yield field


def indexes_of(table: str, column: str) -> list[str]:
    """Plain indexes over this column alone."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, table)
    return [
        name
        for name, facts in found.items()
        if facts["index"] and not facts["unique"] and facts["columns"] == [column]
    ]


def test_no_foreign_key_has_an_index_that_another_makes_superfluous() -> None:
    seen = 0
    for model in apps.get_app_config("leaderboard").get_models():
        for field in list_covered(model):
            seen += 1
            assert indexes_of(model._meta.db_table, field.column) == []
    assert seen >= 10
