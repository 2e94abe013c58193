"""Registers a language model as a judge, pinned to its prompt and parameters."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.judge.judges import register_judge, register_scripted
from leaderboard.management.commands.start_run import api_key
from runner.contract import ProblemError
from runner.judge.profile import JudgeForm, JudgeProfile


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--scripted", action="store_true", help="the site's own")
        parser.add_argument("--name", help="name of the judge on pages")
        parser.add_argument("--base-url", help="base URL of its endpoint")
        parser.add_argument("--model", help="its exact model name: a snapshot, not an alias")
        parser.add_argument("--api-key-env", help="environment variable with the key")
        forms = [form.value for form in JudgeForm]
        parser.add_argument("--form", choices=forms, default=JudgeForm.SINGLE.value)
        parser.add_argument("--images", action="store_true", help="show pictures to it")
        parser.add_argument("--temperature", type=float, default=0.0)
        parser.add_argument("--max-tokens", type=int, default=1_500, help="per reply")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            judge = register_scripted() if options["scripted"] else register_named(options)
        except ProblemError as error:
            raise CommandError(error.problem.sentence) from error
        self.stdout.write(f"judge {judge.slug}: {judge.model_name}, prompt {judge.prompt_version}")


def register_named(options: dict[str, Any]) -> Any:
    missing = [name for name in ("name", "base_url", "model") if not options[name]]
    if missing:
        raise CommandError(f"Give --{missing[0].replace('_', '-')}, or --scripted.")
    if not 1 <= options["max_tokens"] <= 100_000:
        raise CommandError("--max-tokens must be from 1 to 100000.")
    if not 0 <= options["temperature"] <= 2:
        raise CommandError("--temperature must be from 0 to 2.")
    profile = JudgeProfile(
        model=options["model"],
        form=JudgeForm(options["form"]),
        takes_images=options["images"],
        temperature=options["temperature"],
        max_tokens=options["max_tokens"],
    )
    return register_judge(
        profile,
        name=options["name"],
        base_url=options["base_url"],
        api_key=api_key(options["api_key_env"]),
    )
