"""Facts about an upload that its run and its replays show: its file, what was lost, same tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from leaderboard.models import Attempt, Entry, Import, Run, Suite, unpack

MAX_LISTED = 200  # parts that were not read, on a page


@dataclass(frozen=True)
class UploadNotice:
    """Facts for the pages of an upload, or of one attempt in it."""

    name: str
    sha256: str
    size_bytes: int
    description: str
    losses: tuple[str, ...]
    errors: tuple[dict[str, Any], ...] = ()
    refused: int = 0
    file: str = ""  # in the archive
    same_task: str = ""  # address of the installed task that it is at
    same_name: str = ""
    is_executable: bool = False  # some attempt is at a task of an installed suite
    is_judged_here: bool = False  # files without a trajectory


def notice_of_run(run: Run) -> UploadNotice | None:
    """One query for an upload, none for other runs."""
    is_judged_here = run.entry.provenance == Entry.Provenance.RE_SCORED
    found = find_import(run) if run.suite.is_private or is_judged_here else None
    if found is None:
        return None
    report = found.report
    return UploadNotice(
        found.name,
        found.blob_id,
        found.blob.size_bytes,
        report.get("format", ""),
        tuple(report.get("losses", ())),
        tuple(report.get("errors", ()))[:MAX_LISTED],
        report.get("refused", 0),
        is_executable=bool(report.get("same_tasks")),
        is_judged_here=is_judged_here,
    )


def notice_of_attempt(attempt: Attempt) -> UploadNotice | None:
    """Two queries for an upload, none for other attempts."""
    found = find_import(attempt.run) if attempt.task.suite.is_private else None
    if found is None:
        return None
    opening = unpack(attempt.opening)
    same = opening.get("same_task") or {}
    address, name = address_of_task(same)
    return UploadNotice(
        found.name,
        found.blob_id,
        found.blob.size_bytes,
        found.report.get("format", ""),
        tuple(opening.get("losses", ())),
        file=opening.get("file", ""),
        same_task=address,
        same_name=name,
    )


def find_import(run: Run) -> Import | None:
    return Import.objects.filter(run=run.pk).select_related("blob").first()


def address_of_task(same: dict[str, str]) -> tuple[str, str]:
    """Address and name of the task, while its suite is installed; else nothing."""
    if not same or not Suite.objects.shown().filter(name=same["suite"]).exists():
        return "", ""
    return reverse("task", args=[same["suite"], same["key"]]), f"{same['suite']}/{same['key']}"
