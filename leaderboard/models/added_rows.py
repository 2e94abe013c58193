"""Rows that are added and never edited or deleted by the site's own code."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db import models

R = TypeVar("R", bound=models.Model)


class AddedRows(models.QuerySet[R]):
    """Rows that can be read and added."""

    def update(self, **values: object) -> int:
        raise TypeError(f"A {self.model._meta.verbose_name} is never rewritten.")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError(f"A {self.model._meta.verbose_name} is never deleted.")


class AddedRow(models.Model):
    """A row that stays as it was written. It goes only with the run that it is about."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise TypeError(f"A {self._meta.verbose_name} is never rewritten.")
        super().save(force_insert=True)

    def delete(self, *args: Any, **options: Any) -> tuple[int, dict[str, int]]:
        raise TypeError(f"A {self._meta.verbose_name} is never deleted.")
