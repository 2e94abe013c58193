"""The pages of a run and of a task, for programs."""

from __future__ import annotations

from dataclasses import asdict

from django.http import HttpRequest, JsonResponse

from leaderboard.board.records import Record, make_record
from leaderboard.models import Attempt
from leaderboard.queue.concurrency import Pace, pace_of
from leaderboard.suites.task_facets import file_types_of, skills_of
from leaderboard.views.entries import load_entry
from leaderboard.views.runs import load_run
from leaderboard.views.tasks import Results, find_suite, find_task, rate_of

MAX_RESULTS = 1000  # of a task, in the page's order


def run_json(request: HttpRequest, run_id: int) -> JsonResponse:
    """A run's figures, each of its attempts, and why it has no rank."""
    row, attempts = load_run(request.user, run_id)
    of_model = {one.run.pk: one for one in load_entry(request, row.run.entry.slug)}
    suite = row.run.suite
    entry = row.run.entry
    group = "scripted" if entry.is_scripted else "human" if entry.is_human else "run"
    return JsonResponse(
        {
            "suite": suite.reference,
            **make_record(group, row),
            "why_unranked": of_model.get(run_id, row).why_unranked or None,
            "pace": record_pace(pace_of(row.run)),
            "attempts": [
                {"task": attempt.task.key, **record_attempt(attempt)} for attempt in attempts
            ],
        }
    )


def task_json(request: HttpRequest, suite: str, key: str) -> JsonResponse:
    """A task's query, how often it was solved, and every visible attempt at it."""
    found_suite = find_suite(request, suite)
    found = find_task(found_suite, key)
    solved = rate_of(found)
    return JsonResponse(
        {
            "suite": found_suite.reference,
            "task": found.key,
            "title": found.title,
            "english": found.english,
            "english_query": found.english_query,
            "skills": skills_of(found),
            "file_types": file_types_of(found),
            "category": found.category,
            "query": found.query,
            "inputs": found.inputs,
            "outputs": found.outputs,
            "guessable": found.guessable,
            "solved": found.solved,
            "decided": found.decided,
            "models": solved.models,
            "solve_rate": solved.rate if solved.models else None,
            "attempts": [
                {"run": a.run_id, "entry": a.run.entry.name, **record_attempt(a)}
                for a in Results(found)[:MAX_RESULTS]
            ],
        }
    )


def record_pace(pace: Pace | None) -> Record | None:
    """Attempts at once; None until a worker found out how many the endpoint takes."""
    return None if pace is None else {**asdict(pace), "words": pace.words, "why": pace.why}


def record_attempt(attempt: Attempt) -> Record:
    return {
        "address": attempt.get_absolute_url(),
        "number": attempt.number,
        "state": attempt.state,
        "outcome": attempt.outcome,
        "sentence": attempt.sentence,
        "turns": attempt.turns,
        "time_s": attempt.wall_s,
    }
