"""Judges for tests: registered at a scripted endpoint, and played in this thread."""

from __future__ import annotations

from typing import Any

from asgiref.sync import async_to_sync

from leaderboard.handoff import judgings
from leaderboard.judge.actions import judge_run
from leaderboard.judge.judges import register_judge
from leaderboard.models import Attempt, Judge, JudgeVerdict, Judging, Run
from leaderboard.submissions.endpoint_policy import run_policy
from runner.judge.playing import play_judging
from runner.judge.profile import JudgeForm, JudgeProfile


def make_judge(
    base_url: str = "http://127.0.0.1:8009/v1",
    model: str = "judge",
    name: str = "",
    form: JudgeForm = JudgeForm.SINGLE,
) -> Judge:
    """A scripted judge where `base_url` is at the scripted port."""
    return register_judge(JudgeProfile(model, form), name=name or model, base_url=base_url)


def play_judgings(timeout_s: float = 5.0) -> int:
    """Play everything that is due; how many judgings were taken up."""
    count = 0
    while job := judgings.take_due():
        async_to_sync(play_judging)(job, judgings, run_policy(), timeout_s)
        count += 1
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
