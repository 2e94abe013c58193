"""Suites as rows: a version that has been run on never changes under its runs."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.db import transaction

from leaderboard.models import Suite, Task
from runner.suites import Suite as SuiteFolder
from runner.suites import SuiteTask


@dataclass(frozen=True)
class Installed:
    suite: Suite
    what: str  # "installed", "updated", "is up to date"


@transaction.atomic
def install(folder: SuiteFolder) -> Installed:
    """The row of this very suite, made where there is none.

    A changed suite under the same version replaces the row as long as nothing was run on it; after
    that it is installed beside it, as version "1+" and the start of its digest.
    """
    for version in (folder.version, f"{folder.version}+{folder.digest[:8]}"):
        row = Suite.objects.filter(name=folder.name, version=version).first()
        if row is None:
            return Installed(write(Suite(name=folder.name, version=version), folder), "installed")
        if row.digest == folder.digest:
            if row.unavailable != unavailable_rows(folder):
                row.unavailable = unavailable_rows(folder)
                row.save(update_fields=["unavailable"])
            return Installed(row, "is up to date")
        if not row.runs.exists():
            row.tasks.all().delete()
            return Installed(write(row, folder), "updated")
    raise AssertionError("two different suites have the same digest")


def write(row: Suite, folder: SuiteFolder) -> Suite:
    row.title = folder.title
    row.description = folder.description
    row.digest = folder.digest
    row.seed = folder.seed
    row.categories = [asdict(category) for category in folder.categories]
    row.limits = asdict(folder.limits)
    row.unavailable = unavailable_rows(folder)
    row.save()
    Task.objects.bulk_create(task_row(row, task) for task in folder.tasks)
    return row


def unavailable_rows(folder: SuiteFolder) -> list[dict[str, str]]:
    """What cannot be played here, and why."""
    return [
        {
            "key": task.spec.key,
            "title": task.spec.title,
            "category": task.spec.category,
            "reason": task.unavailable,
        }
        for task in folder.unavailable
    ]


def task_row(suite: Suite, task: SuiteTask) -> Task:
    spec = task.spec
    return Task(
        suite=suite,
        key=spec.key,
        position=task.position,
        title=spec.title,
        category=spec.category,
        query=spec.query,
        language=spec.language,
        strength=spec.strength,
        note=task.note,
        inputs=list(spec.inputs),
        outputs=list(spec.outputs),
        digest=task.digest,
    )
