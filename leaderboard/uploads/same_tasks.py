"""Tasks of installed suites that uploaded attempts are at: by name, or by the same words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from leaderboard.models import Suite, Task
from leaderboard.suites.health import index_of
from leaderboard.trajectories.readers.attempt_reading import Row
from runner.suite.placeholders import fixed_parts, is_filled_in


@dataclass(frozen=True)
class InstalledTask:
    """A task of the newest version of an installed suite."""

    suite: str
    key: str
    index: str  # its name in files of the suite it is from; "" if it has no other
    query: str
    parts: tuple[str, ...]  # of its query, between what each instance fills in

    def fits(self, query: str) -> bool:
        """True if the query is this task's, whatever was filled in."""
        return is_filled_in(self.parts, query)

    @property
    def facts(self) -> dict[str, str]:
        return {"suite": self.suite, "key": self.key}


def list_installed() -> list[InstalledTask]:
    """Two queries, whatever is uploaded."""
    newest: dict[str, int] = {}
    playable = Suite.objects.shown().filter(is_recorded=False)
    for pk, name in playable.order_by("pk").values_list("pk", "name"):
        newest[name] = pk
    rows = Task.objects.filter(suite__in=list(newest.values())).order_by("-suite_id", "position")
    return [
        InstalledTask(suite, key, index_of(key), query, fixed_parts(query.strip()))
        for suite, key, query in rows.values_list("suite__name", "key", "query")
    ]


def find_same(row: Row, installed: Iterable[InstalledTask]) -> InstalledTask | None:
    """The installed task with the attempt's query; of several, the one it names."""
    return find_task(row.query, row.index, dict(row.ours), installed)


def find_task(
    query: str, index: str, names: Mapping[str, Any], installed: Iterable[InstalledTask]
) -> InstalledTask | None:
    """The installed task with this query; of several, the one that `index` or `names` has."""
    if not query.strip():
        return None
    same = [task for task in installed if task.fits(query.strip())]
    named = [
        task
        for task in same
        if (names.get("task") == task.key and names.get("suite") == task.suite)
        or (index and index in (task.key, task.index))
    ]
    return next(iter(named or same), None)
