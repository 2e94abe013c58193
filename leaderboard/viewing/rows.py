"""Writes results that are viewed into the rows of a temporary site."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from django.db import transaction

from leaderboard.failures.tagging import conclude_safely
from leaderboard.models import (
    Artifact,
    Blob,
    Entry,
    Run,
    Suite,
    Task,
    Verdict,
    clean,
    pack,
)
from leaderboard.scoring.filing import file_runs
from leaderboard.scoring.standings import refresh_changed
from leaderboard.scoring.summaries import summarise
from leaderboard.storage import blobs
from leaderboard.trajectories.import_file import (
    free_slug,
    list_categories,
    pack_attempt,
    pack_step,
    record_run,
    task_key,
    write_task,
)
from leaderboard.trajectories.import_file import write_attempt as record_attempt
from leaderboard.trajectories.readers.chat_messages import text_of
from leaderboard.trajectories.readers.extra_fields import is_count, seconds, usage_of
from leaderboard.trajectories.readers.pybench_jsonl import TURN_LIMIT
from leaderboard.viewing.folder_storage import PLACES
from leaderboard.viewing.results import ViewedAttempt, ViewedFile, ViewedRun, number_of
from runner.contract import ActionFormat, Limits, Status

MAX_ASSERTIONS = 1_000


@transaction.atomic
def write_run(viewed: ViewedRun) -> Run:
    """The run with its attempts, files and verdicts, on the suite of its tasks."""
    suite = suite_of(viewed)
    tasks = write_tasks(suite, viewed)
    numbered = number_attempts(viewed.attempts)
    numbers = [(key, number) for key, number, _ in numbered]
    run = record_run(write_entry(viewed), suite, numbers, is_public=True)
    run.environment = environment_of(viewed)
    run.save(update_fields=["environment"])
    keep_files(file for attempt in viewed.attempts for file in attempt.files)
    for key, number, attempt in numbered:
        write_attempt(run, tasks[key], number, attempt)
    summarise(run)
    return run


def conclude_run(run: Run) -> None:
    """Tag the attempts of a run, then count and rank it, as a site's sweep would."""
    for pk in list(run.attempts.order_by("pk").values_list("pk", flat=True)):
        conclude_safely(pk)
    Run.objects.filter(pk=run.pk).update(status=Status.DONE)  # has it filed anew
    file_runs()
    refresh_changed()


def suite_of(viewed: ViewedRun) -> Suite:
    """The suite as the results name it: runs of one digest share it."""
    manifest = viewed.manifest
    digest = clean(text_of(manifest.get("suite_digest")), 64) or viewed.digest
    known: Suite | None = Suite.objects.filter(digest=digest).first()
    if known is not None:
        return known
    name = free_name(text_of(manifest.get("suite")) or "results")
    rows = [attempt.row for attempt in viewed.attempts]
    seed: Any = manifest.get("seed")
    suite: Suite = Suite.objects.create(
        name=name,
        version=clean(text_of(manifest.get("suite_version")), 40) or digest[:12],
        title=clean(text_of(manifest.get("suite")), 200) or clean(viewed.name, 200),
        description="The tasks that these results name.",
        digest=digest,
        seed=seed if is_count(seed) else 0,
        categories=list_categories(rows),
        limits=limits_of(manifest.get("limits"), viewed.attempts),
        is_recorded=not any(isinstance(a.facts.get("passed"), bool) for a in viewed.attempts),
    )
    return suite


def free_name(said: str) -> str:
    """A name for addresses that no other suite of the viewer has."""
    base = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in said)[:50]
    base = base.strip("-") or "results"
    taken = set(Suite.objects.filter(name__startswith=base).values_list("name", flat=True))
    names = (base, *(f"{base}-{n}" for n in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def limits_of(said: object, attempts: Iterable[ViewedAttempt]) -> dict[str, Any]:
    """The limits that the results name; of other files the most turns that were taken."""
    most = max([TURN_LIMIT, *(len(attempt.row.steps) for attempt in attempts)])
    if not isinstance(said, dict):
        return {"max_turns": most}
    known = {one.name for one in fields(Limits)}
    taken = {k: v for k, v in said.items() if k in known and is_amount(v)}
    return {"max_turns": most, **taken}


def is_amount(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1 << 50


def write_entry(viewed: ViewedRun) -> Entry:
    manifest = viewed.manifest
    form = manifest.get("action_format")
    sampling = manifest.get("sampling")
    sampling = sampling if isinstance(sampling, dict) else {}
    kept = {k: v for k, v in sampling.items() if k in ("temperature", "top_p", "max_tokens")}
    notes = " ".join(viewed.notes)
    source = "Played by the command line" if viewed.is_ours else f"Read from {viewed.format_name}"
    entry: Entry = Entry.objects.create(
        slug=free_slug(viewed.name),
        name=clean(viewed.name, 200) or "results",
        model_name=clean(text_of(manifest.get("model")) or viewed.name, 300) or "unknown",
        action_format=form if form in list(ActionFormat) else ActionFormat.FENCED,
        provenance=Entry.Provenance.RUN_HERE if viewed.is_ours else Entry.Provenance.RECORDED,
        sampling={k: v for k, v in kept.items() if v is None or isinstance(v, int | float)},
        description=clean(f"{source}. {notes}".strip(), 2_000),
    )
    return entry


def environment_of(viewed: ViewedRun) -> dict[str, str]:
    """The environment that the first attempt names."""
    for attempt in viewed.attempts:
        said = attempt.facts.get("environment")
        if isinstance(said, dict) and said:
            pairs = list(said.items())[:50]
            return {clean(str(k), 100): clean(str(v), 500) for k, v in pairs}
    return {}


def number_attempts(
    attempts: Sequence[ViewedAttempt],
) -> list[tuple[str, int, ViewedAttempt]]:
    """Each attempt with its task's key and a number that no other attempt at it has."""
    taken: set[tuple[str, int]] = set()
    numbered = []
    for attempt in attempts:
        key, number = task_key(attempt.row), number_of(attempt.facts) or 1
        while (key, number) in taken:
            number += 1
        taken.add((key, number))
        numbered.append((key, number, attempt))
    return numbered


def write_tasks(suite: Suite, viewed: ViewedRun) -> dict[str, Task]:
    """The tasks by key; those of the suite that are there already are used as they are."""
    tasks = {task.key: task for task in suite.tasks.all()}
    for attempt in viewed.attempts:
        row, key = attempt.row, task_key(attempt.row)
        if key not in tasks:
            strength = "content" if viewed.is_ours else "none"
            tasks[key] = write_task(suite, row, key, len(tasks) + 1, strength)
    return tasks


def keep_files(files: Iterable[ViewedFile]) -> None:
    """Rows for the files that attempts left; their bytes stay where they are."""
    new: dict[str, Blob] = {}
    for file in files:
        if file.sha256 in new:
            continue
        blob = Blob(sha256=file.sha256, size_bytes=file.size_bytes)
        PLACES[blob.storage_name] = (file.location, file.size_bytes)
        with file.location.open("rb") as source:
            kind = blobs.kind_of(source, file.path)
        blob.mime, blob.width, blob.height = kind.mime, kind.width, kind.height
        new[file.sha256] = blob
    Blob.objects.bulk_create(new.values(), ignore_conflicts=True)


def write_attempt(run: Run, task: Task, number: int, viewed: ViewedAttempt) -> None:
    """An attempt that is over, with its steps, files and verdict."""
    row, facts = viewed.row, viewed.facts
    verdict = verdict_of(facts)
    problem = facts.get("problem")
    problem = problem if isinstance(problem, dict) else {}
    answer = facts.get("answer")
    known: dict[str, Any] = vars(usage_of(facts["usage"])) if "usage" in facts else {}
    if wall_s := seconds(facts.get("wall_s")):
        known["wall_s"] = wall_s
    packed = pack_attempt(
        row,
        None,
        {"seed": facts.get("seed") if is_count(facts.get("seed")) else None},
        **known,
        passed=verdict["passed"] if verdict else None,
        sentence=verdict["sentence"] if verdict else "",
        fault=clean(text_of(problem.get("fault")), 12),
        problem_code=clean(text_of(problem.get("code")), 60),
        problem=clean(text_of(problem.get("what")), 1_000),
        next_step=clean(text_of(problem.get("next_step")), 1_000),
        closing=pack({"answer": row.answer if answer is None else text_of(answer)}),
    )
    kept = {file.sha256 for file in viewed.files}
    steps = [pack_step(step, kept) for step in row.steps]
    attempt = record_attempt(run, task, number, packed, steps)
    Artifact.objects.bulk_create(
        Artifact(attempt=attempt, role="output", path=clean(f.path, 1000), blob_id=f.sha256)
        for f in viewed.files
    )
    if verdict:
        Verdict.objects.create(
            attempt=attempt,
            try_number=1,
            check_version=verdict["check_version"],
            passed=verdict["passed"],
            sentence=verdict["sentence"],
            duration_s=verdict["duration_s"],
            body=pack(verdict["assertions"]),
        )


def verdict_of(facts: Mapping[str, Any]) -> dict[str, Any] | None:
    """The verdict that a line tells, believed as far as its fields fit; None without one."""
    said, passed = facts.get("verdict"), facts.get("passed")
    if not isinstance(said, dict) or not isinstance(passed, bool):
        return None
    assertions = said.get("assertions")
    listed = assertions if isinstance(assertions, list) else []
    return {
        "passed": passed,
        "sentence": clean(text_of(said.get("sentence")), 4_000),
        "check_version": clean(text_of(said.get("check_version")), 64),
        "duration_s": seconds(said.get("duration_s")),
        "assertions": [assertion_of(a) for a in listed[:MAX_ASSERTIONS] if isinstance(a, dict)],
    }


def assertion_of(said: Mapping[str, Any]) -> dict[str, Any]:
    words = ("name", "expected", "actual", "message", "file")
    return {**{word: text_of(said.get(word)) for word in words}, "passed": bool(said.get("passed"))}
