"""Registers an endpoint and queues a run of it on an installed suite."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.models import Entry, Suite
from leaderboard.submissions.endpoint_policy import require_callable
from leaderboard.submissions.run_actions import register, start
from leaderboard.submissions.submission import sampling_of
from runner.contract import LONGEST_REPLY_S, ActionFormat, Limits, ProblemError
from runner.submission_fields import add_options

LONGEST_ATTEMPT_S = 86_400.0


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--suite", required=True, help="name of an installed suite")
        parser.add_argument(
            "--base-url",
            required=True,
            help="base URL of the endpoint, such as http://127.0.0.1:8000/v1",
        )
        parser.add_argument("--model", required=True, help="name of the model at the endpoint")
        parser.add_argument("--name", help="name on the board (default: the model's name)")
        formats = [f.value for f in ActionFormat]
        parser.add_argument("--format", choices=formats, default=ActionFormat.FENCED.value)
        parser.add_argument("--api-key-env", help="environment variable with the key")
        add_options(parser)
        parser.add_argument("--seed", type=int, help="seed of the inputs (default: the suite's)")
        parser.add_argument("--tasks", help="only these tasks: keys, separated by commas")
        parser.add_argument(
            "--attempt-timeout",
            type=float,
            metavar="S",
            help="seconds of an attempt for its cells and our own work (default: the suite's)",
        )
        parser.add_argument(
            "--reply-timeout",
            type=float,
            metavar="S",
            help="seconds to wait for one reply, four times that for all of an attempt (default: "
            "the suite's); a run with time limits of its own is never ranked",
        )
        parser.add_argument("--private", action="store_true", help="keep the run private")
        provenances = [p.value for p in Entry.Provenance]
        parser.add_argument(
            "--provenance",
            choices=provenances,
            default="",
            help="“scripted baseline” on the site's scripted port, else “run here”, unless given",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        suite = Suite.objects.filter(name=options["suite"]).order_by("installed_at").last()
        if suite is None:
            raise CommandError(
                f"Suite “{options['suite']}” is not installed. Run `manage.py install_suite` first."
            )
        try:
            require_callable(options["base_url"])
            entry = register(
                name=options["name"] or options["model"],
                base_url=options["base_url"],
                model=options["model"],
                api_key=api_key(options["api_key_env"]),
                action_format=ActionFormat(options["format"]),
                sampling=sampling_of(options),
                provenance=options["provenance"],
            )
            run = start(
                entry,
                suite,
                seed=options["seed"],
                attempts_per_task=options["attempts"],
                concurrency=options["concurrency"],
                limits=limits_of(suite, options),
                is_public=not options["private"],
                tasks=task_keys(options["tasks"]),
            )
        except ProblemError as error:
            raise CommandError(error.problem.sentence) from error
        self.stdout.write(f"run {run.pk} is queued: {run.attempts.count()} attempts on {suite}")


def limits_of(suite: Suite, options: Mapping[str, Any]) -> Limits:
    """The suite's limits with the time limits that were given. Raises CommandError."""
    given = {
        "attempt_timeout_s": (options["attempt_timeout"], LONGEST_ATTEMPT_S),
        "reply_timeout_s": (options["reply_timeout"], LONGEST_REPLY_S),
    }
    for name, (value, most) in given.items():
        if value is not None and not 1 <= value <= most:
            option = name.removesuffix("_s").replace("_", "-")
            raise CommandError(f"--{option} must be between 1 and {most:g} seconds.")
    chosen = {name: value for name, (value, _) in given.items() if value is not None}
    return replace(Limits(**suite.limits), **chosen)


def task_keys(text: str | None) -> list[str]:
    if text is None:
        return []
    keys = [key.strip() for key in text.split(",") if key.strip()]
    if not keys:
        raise CommandError("--tasks names no task. Leave it out to play the whole suite.")
    return keys


def api_key(variable: str | None) -> str:
    if variable is None:
        return ""
    key = os.environ.get(variable, "")
    if not key:
        raise CommandError(f"The environment variable {variable} is not set. Set it to the key.")
    return key
