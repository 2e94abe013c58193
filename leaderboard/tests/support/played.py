"""Runs whose attempts are played in this process, as a worker plays them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command

from leaderboard.handoff import attempts
from leaderboard.models import Run
from leaderboard.suites.install import install
from leaderboard.tests.support.jobs import claim
from leaderboard.trajectories.readers.interpreter_output import INTERPRETER
from runner.contract import AttemptResult, Job, Opening, ReplyProgress, Step
from runner.endpoint.address_policy import AddressPolicy
from runner.sandbox.factory import open_sandbox
from runner.suite.reader import load_suite
from runner.worker.sandbox_player import SandboxPlayer

QUERY = "Double the number in ./data/number.txt, save it to ./output/double.txt, and tell it."
LOOK = "n = int(open('data/number.txt').read())\nprint(n, object())"
WRITE = "open('output/double.txt', 'w').write(str(2 * n))\nprint(n / 0)"
RAISED = "There are some errors in the code. All redefined. Please Debug:\nError: KeyError\n'x'\n"


def message(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": text}


def conversation(
    index: str = "double", query: str = QUERY, answer: str = "Finished. It is 42."
) -> dict[str, Any]:
    """A recorded attempt at the task `double` of the small suite."""
    messages = [
        message("user", query),
        message("assistant", f"Action:\n```python\n{LOOK}\n```"),
        message("user", f"{INTERPRETER}21 <object object at 0x7f00aa00bb>\n"),
        message("assistant", f"Action:\n```python\n{WRITE}\n```"),
        message("user", INTERPRETER + RAISED),
        message("assistant", answer),
    ]
    return {"index": index, "user": query, "messages": messages, "file_paths": []}


class KeptProgress:
    """The listener of one attempt: what it hears is written afterwards, outside the loop."""

    def __init__(self) -> None:
        self.opening: Opening | None = None
        self.steps: list[Step] = []

    async def opened(self, opening: Opening) -> None:
        self.opening = opening

    async def step(self, step: Step) -> None:
        self.steps.append(step)

    def should_stop(self) -> bool:
        return False

    def hear(self, progress: ReplyProgress) -> None: ...


def play_queued(run: Run, folder: Path) -> None:
    """Play the run's queued attempts, one after another."""
    while jobs := claim(run.pk, 1, "here"):
        kept = KeptProgress()
        result = asyncio.run(play_job(jobs[0], kept, folder))
        if kept.opening:
            attempts.opened(jobs[0], kept.opening)
        for step in kept.steps:
            attempts.step(jobs[0], step)
        attempts.record_result(jobs[0], result)


async def play_job(job: Job, kept: KeptProgress, folder: Path) -> AttemptResult:
    outputs = folder / f"outputs-{job.attempt_id}"
    outputs.mkdir(parents=True)
    player = SandboxPlayer(settings.SUITES, folder / "cache", AddressPolicy(), open_sandbox)
    try:
        return await player.play(job, kept, outputs)
    finally:
        await player.close()


def play_recorded(folder: Path, *rows: dict[str, Any]) -> Run:
    """A finished run of the small suite in `settings.SUITES`, from recorded attempts."""
    path = folder / "trajectory.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows or (conversation(),)))
    install(load_suite("small", settings.SUITES))
    call_command("import_trajectories", str(path), re_execute="small")
    run: Run = Run.objects.latest("pk")
    play_queued(run, folder / "played")
    run.refresh_from_db()
    return run
