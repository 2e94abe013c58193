"""Suites as rows: a version that has been run on never changes under its runs."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.db import transaction

from leaderboard.changes.note import note_suite
from leaderboard.models import Suite, Task
from leaderboard.suites.task_facets import read_described, store_facets
from runner.suite.reader import Suite as SuiteFolder
from runner.suite.reader import SuiteTask


@dataclass(frozen=True)
class Installed:
    """A suite in the database, and what installing it did."""

    suite: Suite
    what: str  # "installed", "updated", "is up to date"


@transaction.atomic
def install(folder: SuiteFolder) -> Installed:
    """The row of this very suite, made where there is none. Raises ProblemError.

    A changed suite under the same version replaces the row as long as nothing was run on it; after
    that it is installed beside it, as version "1+" and the start of its digest.
    """
    described = read_described(folder.folder, keys_of(folder))
    installed = install_row(folder)
    store_facets(installed.suite, described)
    return installed


def keys_of(folder: SuiteFolder) -> set[str]:
    return {task.spec.key for task in (*folder.tasks, *folder.unavailable)}


def install_row(folder: SuiteFolder) -> Installed:
    """The suite's row with its tasks."""
    for version in (folder.version, f"{folder.version}+{folder.digest[:8]}"):
        row = Suite.objects.filter(name=folder.name, version=version).first()
        if row is None:
            return note(write(Suite(name=folder.name, version=version), folder), "installed")
        if row.digest == folder.digest:
            refresh_notes(row, folder)
            return Installed(row, "is up to date")
        if not row.runs.exists():
            row.tasks.all().delete()
            return note(write(row, folder), "updated")
    raise AssertionError("two different suites have the same digest")


def note(row: Suite, what: str) -> Installed:
    note_suite(row, what, {"tasks": row.tasks.count(), "digest": row.digest})
    return Installed(row, what)


def refresh_notes(row: Suite, folder: SuiteFolder) -> None:
    """Store what pages say of tasks, in rows from before the column or of another installation."""
    if row.unavailable != unavailable_rows(folder):
        row.unavailable = unavailable_rows(folder)
        row.save(update_fields=["unavailable"])
        note_suite(row, "unavailable", {"tasks": len(row.unavailable)})
    reasons = {task.spec.key: task.guessable for task in folder.tasks}
    changed = [task for task in row.tasks.all() if task.guessable != reasons.get(task.key, "")]
    for task in changed:
        task.guessable = reasons.get(task.key, "")
    Task.objects.bulk_update(changed, ["guessable"])


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
    """Rows for the tasks that cannot be played here, with the reason."""
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
        guessable=task.guessable,
        inputs=list(spec.inputs),
        outputs=list(spec.outputs),
        digest=task.digest,
    )
