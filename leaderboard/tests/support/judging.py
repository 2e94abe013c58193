"""Judges for tests: registered at a scripted endpoint, and played in this thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any

from leaderboard.handoff import judgings
from leaderboard.judge.actions import judge_run
from leaderboard.judge.judges import register_judge
from leaderboard.models import Attempt, Judge, JudgeVerdict, Judging, Run
from leaderboard.submissions.endpoint_policy import run_policy
from runner.endpoint.limiter import Gates
from runner.judge.desk import JudgeDesk
from runner.judge.profile import JudgeForm, JudgeProfile


def make_judge(
    base_url: str = "http://127.0.0.1:8009/v1",
    model: str = "judge",
    name: str = "",
    form: JudgeForm = JudgeForm.SINGLE,
) -> Judge:
    """A scripted judge where `base_url` is at the scripted port."""
    return register_judge(JudgeProfile(model, form), name=name or model, base_url=base_url)


class CallThread:
    """An event loop with gates, as a worker's driver has it."""

    def __init__(self) -> None:
        self.gates = Gates()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()

    def submit(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def end(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


def play_judgings(timeout_s: float = 5.0, calls: CallThread | None = None) -> int:
    """Play everything that is due; how many judgings were taken up."""
    loop = calls or CallThread()
    desk = JudgeDesk(judgings, run_policy, lambda: loop, timeout_s)
    desk.pool.shutdown()
    count = 0
    try:
        while desk.play_next():
            count += 1
    finally:
        if calls is None:
            loop.end()
    return count


def store_verdicts(judge: Judge, run: Run, verdicts: dict[Any, str], **columns: Any) -> Judging:
    """A judging that is done, with these verdicts by attempt, written without a call."""
    judging, _ = Judging.objects.get_or_create(judge=judge, run=run, defaults={"state": "done"})
    JudgeVerdict.objects.bulk_create(
        JudgeVerdict(
            judging=judging,
            attempt=attempt,
            try_number=attempt.counted_try,
            verdict=verdict,
            **columns,
        )
        for attempt, verdict in verdicts.items()
    )
    return judging


def judged_as(run: Run, verdicts: list[str]) -> dict[Attempt, str]:
    """The run's judged attempts with these verdicts, in order."""
    attempts = run.attempts.filter(passed__isnull=False).order_by("pk")
    return dict(zip(attempts, verdicts, strict=False))


__all__ = [
    "judge_run", "judged_as", "make_judge", "play_judgings",
    "store_verdicts",
]  # fmt: skip
